/* SPDX-License-Identifier: Apache-2.0 */
/* The plugin of wrong peers: those on the host, and those that pretend to be on a GPU. */
#ifndef CONSORT_TESTS_WRONG_PEERS_H
#define CONSORT_TESTS_WRONG_PEERS_H

#include "peers.h"

enum fault {
    FAULT_NONE,
    FAULT_UNSORTED,
    FAULT_LOST,    /* a key is there twice, another not at all */
    FAULT_CROSSED, /* two values changed places, and are under the wrong keys */
    FAULT_UNSTABLE,
    FAULT_REPORTED
};

/* Sorts `count` keys, and their values unless NULL, and makes the fault. */
int32_t wrong_peers_sort(uint32_t *keys, uint64_t *values, uint64_t count, enum fault fault);

enum {
    WRONG_DEVICE_PEERS = 9
};

/* Need the emulator, or another driver, in $CONSORT_CUDA_LIBRARY. */
extern const struct peer wrong_device_peers[WRONG_DEVICE_PEERS];

#endif
