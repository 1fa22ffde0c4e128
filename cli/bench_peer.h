/* SPDX-License-Identifier: Apache-2.0 */
/* A peer on the host as a contender. */
#ifndef CONSORT_CLI_BENCH_PEER_H
#define CONSORT_CLI_BENCH_PEER_H

#include "../bench/peers.h"
#include "bench_contender.h"

struct bench_contender bench_peer_contender(const struct peer *peer);

#endif
