/* SPDX-License-Identifier: GPL-2.0 */
/*
 * handler_name.h - the names of interrupt handlers that a CPU has seen, ready for records.
 *
 * In:  irqaction.name. Out: the name in a record, with the record's header.
 *
 * A handler's name is the same at each interrupt, but a driver can give it up and another
 * one can get its address, its string's address and its interrupt's number. So none of them
 * says that the name is still the same: its words do. A name is known if all its words in
 * memory, with the terminating 0 in the last of them, are those that were seen. What comes
 * after that 0 is not the name's; if it has changed, a known name is merely not recognized.
 *
 * Context of all functions: irqs off, on the CPU that the names belong to.
 */
#ifndef FXT_KMOD_HANDLER_NAME_H
#define FXT_KMOD_HANDLER_NAME_H

#include <linux/interrupt.h>
#include <linux/types.h>

#include <fxt/fxt_sched_event.h>

/* A CPU serves few devices. Those that share an interrupt have names of their own. */
#define FXT_HANDLER_NAMES	16

/**
 * struct fxt_handler_name - a name that was in a record
 * @name: where it is in memory; FXT_NO_HANDLER_NAME if there is none yet
 * @count: how many words it has there
 * @record_words: the size of its record
 * @header: the record's header
 * @seen: its words in memory
 * @words: its words in a record: without what follows the terminating 0
 */
struct fxt_handler_name {
	const char *name;
	u32 count;
	u32 record_words;
	u64 header;
	u64 seen[FXT_SCHED_LABEL_WORDS];
	u64 words[FXT_SCHED_LABEL_WORDS];
} __aligned(128);

/* No string is there. */
#define FXT_NO_HANDLER_NAME	((const char *)-1L)

/*
 * Where the name of a handler is, if it is known. Handlers are about as far apart in memory
 * as names here, so a mask makes an offset of an address.
 */
static __always_inline struct fxt_handler_name *
fxt_handler_name_of(struct fxt_handler_name *names, const struct irqaction *action)
{
	const unsigned long mask = (FXT_HANDLER_NAMES - 1) * sizeof(*names);

	return (void *)names + ((unsigned long)action & mask);
}

/* Forget all names. Context: no probe runs. */
static inline void fxt_handler_names_clear(struct fxt_handler_name *names)
{
	unsigned int i;

	for (i = 0; i < FXT_HANDLER_NAMES; i++)
		names[i].name = FXT_NO_HANDLER_NAME;
}

/* Words of the machine must be words of the record. */
#if defined(CONFIG_DCACHE_WORD_ACCESS) && defined(CONFIG_64BIT)

#include <asm/word-at-a-time.h>

/* Keep a name after the slow path has written it. */
static inline void fxt_handler_name_keep(struct fxt_handler_name *known, const char *name)
{
	const struct word_at_a_time constants = WORD_AT_A_TIME_CONSTANTS;
	u64 bytes = FXT_SCHED_LABEL_BYTES;
	unsigned long word, zeros;
	u32 i;

	known->name = FXT_NO_HANDLER_NAME;
	if (!name || !*name)
		return;
	for (i = 0; i < FXT_SCHED_LABEL_WORDS && bytes == FXT_SCHED_LABEL_BYTES; i++) {
		/* Does not fault where the string ends before a page that does not exist. */
		word = load_unaligned_zeropad(name + i * sizeof(word));
		known->seen[i] = word;
		if (has_zero(word, &zeros, &constants)) {
			zeros = create_zero_mask(prep_zero_mask(word, zeros, &constants));
			word &= zero_bytemask(zeros);
			bytes = i * sizeof(word) + find_zero(zeros);
		}
		/* The slow path replaces such characters. */
		if (word & REPEAT_BYTE(0x80))
			return;
		known->words[i] = word;
	}
	known->record_words = fxt_sched_irq_words(bytes);
	known->header = fxt_sched_irq_header(bytes);
	known->count = i;
	known->name = name;
}

/*
 * Write a name into a record, if it is the known one. Words beyond the name are changed as
 * well, but none beyond FXT_SCHED_LABEL_WORDS.
 *
 * Return: false if it is another one; the record is undefined then.
 */
static __always_inline bool fxt_handler_name_put(u64 *to, const struct fxt_handler_name *known,
						 const char *name)
{
	u32 i;

	/* Never NULL, because no known name is. */
	if (unlikely(name != known->name))
		return false;
#pragma GCC unroll 4
	for (i = 0; i < FXT_SCHED_LABEL_WORDS; i++) {
		if (unlikely(load_unaligned_zeropad(name + i * sizeof(u64)) != known->seen[i]))
			return false;
		to[i] = known->words[i];
		if (known->count == i + 1)
			break;
	}
	return true;
}

#else

static inline void fxt_handler_name_keep(struct fxt_handler_name *known, const char *name)
{
}

static __always_inline bool fxt_handler_name_put(u64 *to, const struct fxt_handler_name *known,
						 const char *name)
{
	return false;
}

#endif

#endif /* FXT_KMOD_HANDLER_NAME_H */
