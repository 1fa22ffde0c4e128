/* SPDX-License-Identifier: Apache-2.0 */
/* The commit that this was built from; "unknown" outside a repository. Its source is made by the
 * build (bench_commit.cmake). */
#ifndef CONSORT_CLI_BENCH_COMMIT_H
#define CONSORT_CLI_BENCH_COMMIT_H

const char *bench_commit(void);

#endif
