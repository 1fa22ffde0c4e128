/* SPDX-License-Identifier: Apache-2.0 */
/* Peers as contenders. */
#ifndef CONSORT_CLI_BENCH_PEER_H
#define CONSORT_CLI_BENCH_PEER_H

#include "../bench/peers.h"
#include "bench_contender.h"

/* For contenders whose subject is a struct peer. */
extern const struct bench_methods bench_peer_on_host;
extern const struct bench_methods bench_peer_on_device;

/* What a peer's PEER_… means. */
const char *bench_peer_result_text(int32_t result);

#endif
