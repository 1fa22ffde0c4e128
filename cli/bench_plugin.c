/* SPDX-License-Identifier: Apache-2.0 */
/* dlopen, and where to look. */
#include "bench_plugin.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_beside.h"

#define PLUGIN_FILE        "libconsort_bench_peers.so"
#define DEVICE_PLUGIN_FILE "libconsort_bench_cuda_peers.so"

/* Plugins of what no package has: usually not there, which is no problem. */
static const char *const extra_plugin_files[] = {
    "libconsort_bench_cccl_peers.so",
    "libconsort_bench_libcusort_peers.so",
};

static void take(struct bench_plugins *plugins, const struct peer_table *table)
{
    for (uint32_t i = 0; i < table->count && plugins->count < BENCH_PLUGIN_PEERS; i++) {
        plugins->peers[plugins->count++] = &table->peers[i];
    }
}

static void open_path(struct bench_plugins *plugins, const char *path, struct problem *problem)
{
    void *plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (plugin == NULL) {
        problem_set(problem, "%.600s", dlerror());
        return;
    }
    /* Object to function pointer: POSIX allows it, C only through memory. */
    peers_function function;
    void *symbol = dlsym(plugin, PEERS_SYMBOL);
    memcpy(&function, &symbol, sizeof function);
    const struct peer_table *table = function != NULL ? function() : NULL;
    if (table == NULL || table->abi_version != PEERS_ABI_VERSION) {
        problem_set(problem, "%.500s is no plugin of peers for this version", path);
        return;
    }
    take(plugins, table);
}

static void open_list(struct bench_plugins *plugins, const char *list)
{
    char path[PATH_MAX];
    while (*list != '\0') {
        size_t length = strcspn(list, ":");
        if (length > 0 && length < sizeof path) {
            memcpy(path, list, length);
            path[length] = '\0';
            open_path(plugins, path, &plugins->problem);
        }
        list += length + (list[length] == ':');
    }
}

static void open_file(struct bench_plugins *plugins, const char *file, struct problem *problem)
{
    char path[PATH_MAX];
    if (bench_beside_find(path, file)) {
        open_path(plugins, path, problem);
        return;
    }
    problem_set(problem, "%s is not installed, so there are no peers to compare with", file);
}

void bench_plugin_open(struct bench_plugins *plugins)
{
    *plugins = (struct bench_plugins){0};
    const char *list = getenv("CONSORT_BENCH_PEERS");
    if (list != NULL) {
        open_list(plugins, list);
        return;
    }
    open_file(plugins, PLUGIN_FILE, &plugins->problem);
    open_file(plugins, DEVICE_PLUGIN_FILE, &plugins->device_problem);
    for (size_t i = 0; i < sizeof extra_plugin_files / sizeof extra_plugin_files[0]; i++) {
        char path[PATH_MAX];
        if (bench_beside_find(path, extra_plugin_files[i])) {
            open_path(plugins, path, &plugins->device_problem);
        }
    }
}

bool bench_plugin_is_called(const struct peer *peer, const char *name)
{
    size_t stem = strcspn(peer->name, "@");
    return strcmp(peer->name, name) == 0 ||
           (strlen(name) == stem && strncmp(peer->name, name, stem) == 0);
}
