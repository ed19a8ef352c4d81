/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * label.h - names that only the kernel knows, of interrupt handlers and functions, for records.
 *
 * Records contain these names inline. An index into the archive's strings would be shorter. But a
 * probe would need a table from names to indices, and each string would have to precede the records
 * of all CPUs that use it, in each segment and snapshot. If one string found no room, all these
 * names would be missing.
 *
 * Nor can the recorder name addresses at the end, as it does for stacks. Perfetto and others take
 * the name of a slice from its record, and the recorder passes records on without reading them. A
 * module may be gone by then and its addresses reused. Archives would also reveal where the kernel
 * is.
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
 * Copy an ordinary name word by word; words of @to behind it stay as they are. Return: bytes; 0 if
 * fxt_label_set() must change or truncate the name.
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
	/* The lowest bit is that of the first 0. Clear what follows it. */
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
