/* SPDX-License-Identifier: Apache-2.0 */
/* As on a GPU that others use, too: of every kernel one block lives on each multiprocessor, for
 * plans that are made between these two. */
#ifndef CONSORT_TESTS_ONE_BLOCK_H
#define CONSORT_TESTS_ONE_BLOCK_H

void one_block_begin(void);
void one_block_end(void);

#endif
