/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * callers.h - adds the functions of programs that stacks lack.
 *
 * Backtraces of a chunk come with a copy of registers and stack, see fxt_sched_stack.h. They leave
 * with all frames that could be found, and without the copy, before other code sees the chunk. So
 * no copy reaches a file.
 */
#ifndef FXT_COLLECT_SYMBOLS_CALLERS_H
#define FXT_COLLECT_SYMBOLS_CALLERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fxt/fxt_sched.h>

#include "libsym/elf_server.h"
#include "libsym/images.h"

struct caller_file;
struct caller_rule;
struct chunk;

/* Numbers of stacks with a copy. */
struct caller_counts {
	uint64_t stacks;
	uint64_t completed;	/* those of @stacks that got frames that the kernel had not found */
	uint64_t lacking;	/* those of @stacks where frames may still be missing */
};

/* Initialize with zeros. */
struct callers {
	struct images *images;		/* what processes have mapped */
	uint32_t depth;			/* frames of a program, at most */
	const struct elf_server *server;	/* reads files */
	struct map files;		/* by number of the module */
	struct caller_file **links;	/* files that have one, the oldest first */
	size_t link_count;
	uint64_t credit;	/* ns that may be waited for answers, when it was @counted */
	uint64_t counted;
	uint32_t (*user_of)(uint32_t process);	/* returns the user of a process; may be NULL */
	struct map accounts;		/* what processes and users may ask */
	bool waits;			/* the last chunk needs an answer that has not come */
	uint64_t begun[FXT_LEDGER_WORDS];	/* the ledger of the chunk that waits */
	size_t begun_bytes;		/* of that chunk */
	size_t from;			/* words of it that are complete */
	size_t to;			/* words that they have become, in @words */
	struct caller_rule *rules;	/* a hash table */
	size_t room;			/* in @rules, a power of two */
	size_t count;			/* of @rules in use */
	uint64_t *words;		/* the last chunk that was changed */
	size_t size;			/* of @words */
	struct caller_counts counts;	/* of stacks so far */
	struct caller_counts counts_before;	/* without those from the first one that waits */
	uint64_t refused;	/* addresses not asked for, because of too many of their process */
	unsigned char packet[ELF_PACKET_BYTES];	/* the last answer */
};

/**
 * callers_chunk() - complete the stacks of a chunk
 * @chunk: of a CPU; if it has copies, it is changed to one without them, which is valid until the
 *	next call
 * @is_last: there is no more time: stacks that lack frames now stay as they are
 *
 * Return: 0; 1 if files are being read that have what is missing, and then @chunk is unchanged:
 * call again after callers_wait(); -ENOMEM; or -EPROTO for a malformed chunk.
 */
int callers_chunk(struct callers *c, struct chunk *chunk, bool is_last);

/* Wait for an answer, at most @ms. Return: has one come, or is there nothing to wait for? */
bool callers_wait(struct callers *c, int ms);

/* Free everything except the counts. */
void callers_close(struct callers *c);

#endif /* FXT_COLLECT_SYMBOLS_CALLERS_H */
