/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a fuzz target over files of a corpus, for builds without libFuzzer: fuzz_replay FOLDER… */
#include <dirent.h>

#include "fuzz/fuzz_input.h"

static int replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = malloc(1 << 20);
    if (!file || !data)
        return 1;
    size_t size = fread(data, 1, 1 << 20, file);
    fclose(file);
    uint8_t *exact = fuzz_copy(data, size);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    free(data);
    return 0;
}

int main(int count, char **folders)
{
    unsigned files = 0;
    for (int i = 1; i < count; i++) {
        DIR *folder = opendir(folders[i]);
        struct dirent *entry;
        while (folder && (entry = readdir(folder))) {
            char path[1024];
            snprintf(path, sizeof path, "%s/%s", folders[i], entry->d_name);
            if (entry->d_name[0] != '.' && replay_file(path) == 0)
                files++;
        }
        if (folder)
            closedir(folder);
    }
    printf("%u inputs\n", files);
    return files > 0 ? 0 : 1;
}
