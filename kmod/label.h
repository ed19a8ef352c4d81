/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * label.h - names that only the kernel knows, made ready for records: of interrupt handlers and
 * of functions.
 *
 * Records have these names inline. An index into the archive's strings would be shorter, but a
 * probe would need a table from names to indices, and each string would have to come before the
 * records of all CPUs that use it, also in each segment and snapshot; and if one string found no
 * room, all these names would be missing.
 *
 * Nor could the recorder name addresses at the end, as in stacks. Perfetto and others show a slice
 * by the string in its record, and the recorder passes records on without reading them. By then, a
 * module may be gone, and its addresses may belong to another one. And all archives with work items
 * would reveal where the kernel is.
 */
#ifndef FXT_KMOD_LABEL_H
#define FXT_KMOD_LABEL_H

#include <linux/types.h>

#include <fxt/fxt_sched_event.h>

struct fxt_function_names;

void fxt_label_set(struct fxt_sched_label *label, const char *name);

struct fxt_function_names *fxt_function_names_new(void);
void fxt_function_names_free(struct fxt_function_names *names);
const struct fxt_sched_label *fxt_function_name(struct fxt_function_names *names,
						const void *function,
						struct fxt_sched_label *room);

/* Words of the machine must be words of the record. */
#if defined(CONFIG_DCACHE_WORD_ACCESS) && defined(CONFIG_64BIT) && !defined(CONFIG_CPU_BIG_ENDIAN)

#include <linux/bitops.h>
#include <asm/word-at-a-time.h>

/*
 * Copy a usual name, word by word; words of @to beyond it stay as they are. Return: its bytes; 0 if
 * fxt_label_set() has to change the name, or truncate it.
 */
static __always_inline u64 fxt_label_put(u64 *to, const char *name)
{
	const struct word_at_a_time constants = WORD_AT_A_TIME_CONSTANTS;
	unsigned long word, zeros;
	u32 i;

#pragma GCC unroll 4
	for (i = 0; i < FXT_SCHED_LABEL_WORDS; i++) {
		/* Does not fault where the string ends before a page that does not exist. */
		word = load_unaligned_zeropad(name + i * sizeof(word));
		if (has_zero(word, &zeros, &constants))
			break;
		if (word & constants.high_bits)
			return 0;
		to[i] = word;
	}
	if (i == FXT_SCHED_LABEL_WORDS)
		return 0;
	/* The lowest bit is that of the first 0: clear what comes after it. */
	word &= zeros ^ (zeros - 1);
	to[i] = word;
	if (word & constants.high_bits)
		return 0;
	return i * sizeof(word) + __ffs(zeros) / BITS_PER_BYTE;
}

#else

static __always_inline u64 fxt_label_put(u64 *to, const char *name)
{
	return 0;
}

#endif

#endif /* FXT_KMOD_LABEL_H */
