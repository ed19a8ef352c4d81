/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What block_main.c and the tests that run it share. */
#ifndef SELFTESTS_BLOCKS_H
#define SELFTESTS_BLOCKS_H

#define BLOCK_ROUNDS	20	/* how often it blocks */
#define BLOCK_NO_DISK	4	/* exit status: the file's pages stay in memory */

#endif /* SELFTESTS_BLOCKS_H */
