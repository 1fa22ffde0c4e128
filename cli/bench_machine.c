/* SPDX-License-Identifier: Apache-2.0 */
/* /proc, /sys, sysconf and the scheduler's masks. */
#include "bench_machine.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

static pthread_once_t original_once = PTHREAD_ONCE_INIT;
static cpu_set_t original;

static void read_original(void)
{
    if (sched_getaffinity(0, sizeof original, &original) != 0) {
        CPU_ZERO(&original);
    }
}

uint32_t bench_machine_processors(void)
{
    pthread_once(&original_once, read_original);
    int count = CPU_COUNT(&original);
    return count > 0 ? (uint32_t)count : 1;
}

bool bench_machine_pin(size_t turn)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    uint32_t skip = bench_machine_processors() > 1 ? turn % 2 : 0;
    for (int cpu = CPU_SETSIZE - 1; cpu >= 0; cpu--) {
        if (CPU_ISSET(cpu, &original) && skip-- == 0) {
            CPU_SET(cpu, &set);
            return sched_setaffinity(0, sizeof set, &set) == 0;
        }
    }
    return false;
}

void bench_machine_unpin(void)
{
    pthread_once(&original_once, read_original);
    if (CPU_COUNT(&original) > 0) {
        /* Gives back what we had: cannot fail, and nothing hangs on it. */
        (void)sched_setaffinity(0, sizeof original, &original);
    }
}

void bench_machine_read_line(const char *path, char text[BENCH_TEXT])
{
    FILE *file = fopen(path, "r");
    text[0] = '\0';
    if (file == NULL) {
        return;
    }
    if (fgets(text, BENCH_TEXT, file) == NULL) {
        text[0] = '\0';
    }
    text[strcspn(text, "\n")] = '\0';
    fclose(file);
}

/* The value of "name : value" in a line of /proc/cpuinfo, or NULL. */
static const char *value_of(const char *line, const char *name)
{
    size_t length = strlen(name);
    if (strncmp(line, name, length) != 0) {
        return NULL;
    }
    const char *colon = line + length + strspn(line + length, " \t");
    return *colon == ':' ? colon + 1 + strspn(colon + 1, " ") : NULL;
}

/* Names alone can be as bare as "Intel(R) Xeon(R) Processor": family, model and stepping decide. */
static void read_processor(char text[BENCH_TEXT])
{
    static const char *const names[] = {"model name", "cpu family", "model", "stepping"};
    char values[4][BENCH_TEXT] = {"unknown", "?", "?", "?"};
    char line[1024];
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL && line[0] != '\n') {
        line[strcspn(line, "\n")] = '\0';
        for (int i = 0; i < 4; i++) {
            const char *value = value_of(line, names[i]);
            if (value != NULL) {
                snprintf(values[i], sizeof values[i], "%.80s", value);
            }
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    snprintf(text, BENCH_TEXT, "%.70s (family %.6s model %.6s stepping %.6s)", values[0], values[1],
             values[2], values[3]);
}

static uint64_t configured(int name)
{
    long value = sysconf(name);
    return value > 0 ? (uint64_t)value : 0;
}

void bench_machine_read(struct bench_machine *machine)
{
    *machine = (struct bench_machine){.processors = bench_machine_processors()};
    read_processor(machine->processor);
    machine->memory = configured(_SC_PHYS_PAGES) * configured(_SC_PAGESIZE);
    machine->caches[0] = configured(_SC_LEVEL1_DCACHE_SIZE);
    machine->caches[1] = configured(_SC_LEVEL2_CACHE_SIZE);
    machine->caches[2] = configured(_SC_LEVEL3_CACHE_SIZE);
    bench_machine_read_line("/sys/kernel/mm/transparent_hugepage/enabled", machine->huge_pages);
    struct utsname names;
    if (uname(&names) == 0) {
        snprintf(machine->kernel, sizeof machine->kernel, "%.40s %.80s", names.sysname,
                 names.release);
        snprintf(machine->architecture, sizeof machine->architecture, "%.80s", names.machine);
    }
}
