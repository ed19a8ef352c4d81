// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * nodes.c - see nodes.h.
 */
#include <linux/mempolicy.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "nodes.h"

/* The kernel refuses a mask that is shorter than its own; none has more than 1024 nodes. */
#define NODES		1024
#define WORD_BITS	(8 * sizeof(unsigned long))
#define NODES_WORDS	(NODES / WORD_BITS)

/* Nodes that this thread may use; return: how many, 0 on error. */
static int allowed_nodes(unsigned long *mask)
{
	int count = 0;
	size_t i;

	if (syscall(SYS_get_mempolicy, NULL, mask, NODES, NULL, MPOL_F_MEMS_ALLOWED))
		return 0;
	for (i = 0; i < NODES_WORDS; i++)
		count += __builtin_popcountl(mask[i]);
	return count;
}

bool nodes_spread(void)
{
	unsigned long mask[NODES_WORDS] = { 0 };
	int policy;

	if (syscall(SYS_get_mempolicy, &policy, NULL, 0, NULL, 0) || policy != MPOL_DEFAULT ||
	    allowed_nodes(mask) < 2)
		return false;
	return !syscall(SYS_set_mempolicy, MPOL_INTERLEAVE, mask, NODES);
}

void nodes_gather(void)
{
	syscall(SYS_set_mempolicy, MPOL_DEFAULT, NULL, 0);
}
