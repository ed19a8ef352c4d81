/* SPDX-License-Identifier: GPL-2.0 */
/*
 * label.h - names that only the kernel knows, made ready for records.
 *
 * In:  strings of the kernel. Out: struct fxt_sched_label.
 */
#ifndef FXT_KMOD_LABEL_H
#define FXT_KMOD_LABEL_H

#include <linux/string.h>
#include <linux/types.h>

#include <fxt/fxt_sched_event.h>

/**
 * fxt_label_set() - make a label of a string
 * @label: the label
 * @name: the string; truncated to FXT_SCHED_LABEL_BYTES. NULL and "" become "?", and so
 *	does each byte that is not ASCII
 *
 * Context: any.
 */
static inline void fxt_label_set(struct fxt_sched_label *label, const char *name)
{
	char *to = (char *)label->words;
	u32 i;

	memset(label, 0, sizeof(*label));
	if (!name || !*name)
		name = "?";
	for (i = 0; i < FXT_SCHED_LABEL_BYTES && name[i]; i++)
		to[i] = (unsigned char)name[i] < 0x80 ? name[i] : '?';
	label->bytes = i;
}

/* Words of the machine must be words of the record. */
#if defined(CONFIG_DCACHE_WORD_ACCESS) && defined(CONFIG_64BIT)

#include <asm/word-at-a-time.h>

/**
 * fxt_label_put_fast() - write an ordinary string into a record, word by word
 * @to: room for FXT_SCHED_LABEL_WORDS; words beyond the string's length are not set
 * @name: the string
 *
 * Context: any.
 *
 * Return: length in bytes, or 0 if fxt_label_set() has to do it.
 */
static __always_inline u64 fxt_label_put_fast(u64 *to, const char *name)
{
	const struct word_at_a_time constants = WORD_AT_A_TIME_CONSTANTS;
	unsigned long word, zeros;
	u64 i;

	if (unlikely(!name))
		return 0;
	for (i = 0; i < FXT_SCHED_LABEL_WORDS; i++) {
		/* Does not fault where the string ends before a page that does not exist. */
		word = load_unaligned_zeropad(name + i * sizeof(word));
		if (has_zero(word, &zeros, &constants)) {
			zeros = create_zero_mask(prep_zero_mask(word, zeros, &constants));
			word &= zero_bytemask(zeros);
			to[i] = word;
			if (unlikely(word & REPEAT_BYTE(0x80)))
				return 0;
			return i * sizeof(word) + find_zero(zeros);
		}
		if (unlikely(word & REPEAT_BYTE(0x80)))
			return 0;
		to[i] = word;
	}
	return FXT_SCHED_LABEL_BYTES;
}

#else

static __always_inline u64 fxt_label_put_fast(u64 *to, const char *name)
{
	return 0;
}

#endif

#endif /* FXT_KMOD_LABEL_H */
