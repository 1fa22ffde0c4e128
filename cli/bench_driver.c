/* SPDX-License-Identifier: Apache-2.0 */
/* dlopen and dlsym, once. */
#include "bench_driver.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

struct symbol {
    const char *name;
    size_t offset;
};

static const struct symbol symbols[] = {
#define SYMBOL(name, symbol, arguments) {#symbol, offsetof(struct bench_driver, name)},
    BENCH_DRIVER_CALLS(SYMBOL)
#undef SYMBOL
};

static bool resolve(struct bench_driver *driver, void *library, struct problem *problem)
{
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
        void *address = dlsym(library, symbols[i].name);
        if (address == NULL) {
            return problem_set(problem, "the NVIDIA driver lacks %s", symbols[i].name);
        }
        memcpy((char *)driver + symbols[i].offset, &address, sizeof address);
    }
    return bench_driver_good(driver, driver->initialise(0), "cuInit", problem);
}

const struct bench_driver *bench_driver_open(struct problem *problem)
{
    static struct bench_driver driver;
    static bool usable;
    if (usable) {
        return &driver;
    }
    const char *other = getenv("CONSORT_CUDA_LIBRARY");
    const char *name = other != NULL && *other != '\0' ? other : "libcuda.so.1";
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        problem_set(problem, "no NVIDIA driver: %.400s", dlerror());
        return NULL;
    }
    usable = resolve(&driver, library, problem);
    return usable ? &driver : NULL;
}

bool bench_driver_good(const struct bench_driver *driver, int result, const char *what,
                       struct problem *problem)
{
    const char *name = NULL;
    if (result == 0) {
        return true;
    }
    (void)driver->error_name(result, &name);
    return problem_set(problem, "%s: %s (%d)", what, name != NULL ? name : "unknown error", result);
}
