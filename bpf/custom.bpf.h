/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * custom.bpf.h - tracepoints that the user chooses.
 *
 * In:  any tracepoint; struct fxt_bpf_field says where a field is.
 * Out: an instant on the current thread, or a counter, in the ring of the CPU.
 *
 * Tracepoints fire in all contexts. Events in an NMI are only counted, in custom_unseen, because
 * the NMI may have interrupted a program that writes with interrupts off.
 */
#ifndef BPF_CUSTOM_BPF_H
#define BPF_CUSTOM_BPF_H

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "config.h"
#include "context.bpf.h"
#include "events.bpf.h"
#include "nested.bpf.h"

const volatile struct fxt_bpf_custom custom[FXT_SCHED_CUSTOM_MOST];

__u64 custom_unseen;	/* events in NMIs */

/*
 * The verifier accepts loads with a constant offset only, so there is one for each value of @arg.
 * It removes the others.
 */
static __always_inline __u64 custom_arg(const void *ctx, __u32 arg)
{
	__u64 value = 0;

#define ARG(n)								\
	if (arg == (n))							\
		asm volatile("%0 = *(u64 *)(%1 + %2)"			\
			     : "=r"(value) : "r"(ctx), "i"((n) * 8))
	ARG(0); ARG(1); ARG(2); ARG(3); ARG(4); ARG(5);
	ARG(6); ARG(7); ARG(8); ARG(9); ARG(10); ARG(11);
#undef ARG
	return value;
}

/* Return: the argument, or the address of the struct that has the field. */
static __always_inline __u64 custom_base(const void *ctx, const volatile struct fxt_bpf_field *f)
{
	__u64 value = custom_arg(ctx, f->arg), next;
	__u32 i;

#pragma clang loop unroll(full)
	for (i = 0; i < FXT_BPF_CUSTOM_STEPS; i++) {
		if (i >= f->steps)
			continue;
		next = 0;
		bpf_probe_read_kernel(&next, sizeof(next), (void *)(value + f->at[i]));
		value = next;
	}
	return value;
}

/* Return: the number, extended to 64 bits; 0 if it cannot be read. */
static __noinline __u64 custom_number(const void *ctx,
				      const volatile struct fxt_bpf_field *f)
{
	__u64 value = custom_base(ctx, f), raw = 0;

	if (f->memory) {
		bpf_probe_read_kernel(&raw, f->size, (void *)(value + f->offset));
		value = raw;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
		value >>= 64 - 8 * f->size;
#endif
	}
	value <<= 64 - f->shift - f->bits;
	if (f->kind == FXT_BPF_FIELD_SIGNED)
		return (__s64)value >> (64 - f->bits);
	return value >> (64 - f->bits);
}

/* Bytes that are not ASCII become '?', because strings of archives are UTF-8. */
static __always_inline __u64 custom_ascii(__u64 bytes)
{
	__u64 others = bytes >> 7 & 0x0101010101010101ULL;

	return (bytes & ~(others * 0xff)) | others * '?';
}

/* An empty string if the text cannot be read. Return: words written. */
static __always_inline __u32 custom_string(__u64 *to, const void *ctx, __u32 name,
					   const volatile struct fxt_bpf_field *f)
{
	__u64 address = custom_base(ctx, f) + f->offset, words;
	long bytes;
	__u32 i;

	__builtin_memset(to + 1, 0, FXT_SCHED_LABEL_BYTES);
	bytes = bpf_probe_read_kernel_str(to + 1, FXT_SCHED_LABEL_BYTES, (void *)address) - 1;
	if (bytes < 1 || bytes >= FXT_SCHED_LABEL_BYTES) {
		to[0] = fxt_arg_string(1, name, 0);
		return 1;
	}
	for (i = 1; i <= FXT_SCHED_LABEL_WORDS; i++)
		to[i] = custom_ascii(to[i]);
	words = 1 + fxt_stream_words(bytes);
	to[0] = fxt_arg_string(words, name, fxt_string_ref_inline(bytes));
	return words;
}

/* Return: words written. */
static __noinline int custom_field(__u64 *to, const void *ctx, __u32 name,
				   const volatile struct fxt_bpf_field *f)
{
	__u64 value;

	if (f->kind == FXT_BPF_FIELD_STRING)
		return custom_string(to, ctx, name, f);
	value = custom_number(ctx, f);
	if (f->kind == FXT_BPF_FIELD_BOOL) {
		to[0] = fxt_arg_bool(1, name, !!value);
		return 1;
	}
	if (f->kind != FXT_BPF_FIELD_POINTER && f->bits <= 32) {
		to[0] = f->kind == FXT_BPF_FIELD_SIGNED ? fxt_arg_int32(1, name, value) :
							  fxt_arg_uint32(1, name, value);
		return 1;
	}
	if (f->kind == FXT_BPF_FIELD_POINTER)
		to[0] = fxt_arg_pointer(2, name);
	else
		to[0] = f->kind == FXT_BPF_FIELD_SIGNED ? fxt_arg_int64(2, name) :
							  fxt_arg_uint64(2, name);
	to[1] = value;
	return 2;
}

static __always_inline __u32 put_custom(__u64 *rec, const void *ctx, __u64 time, const __u32 n)
{
	const volatile struct fxt_bpf_custom *c = &custom[n];
	__u64 words = FXT_SCHED_EVENT_HEAD, args = 0, current = bpf_get_current_pid_tgid();
	__u32 i;

#pragma clang loop unroll(full)
	for (i = 0; i < FXT_SCHED_CUSTOM_FIELDS; i++) {
		if (c->fields[i].kind == FXT_BPF_FIELD_NONE || (!i && c->has_id))
			continue;
		/* Never true, but the verifier must see a check of the value in use. */
		barrier_var(words);
		if (words > FXT_SCHED_CUSTOM_WORDS - FXT_SCHED_CUSTOM_FIELD_WORDS)
			continue;
		words += custom_field(rec + words, ctx, fxt_sched_custom_field(n, i),
				      &c->fields[i]);
		args++;
	}
	barrier_var(words);
	if (c->counter && words < FXT_SCHED_CUSTOM_WORDS) {
		rec[words] = c->has_id ? custom_number(ctx, &c->fields[0]) : 0;
		words++;
	}
	fxt_sched_put_event_head(rec, fxt_event(words, c->counter ? FXT_EVENT_COUNTER :
								    FXT_EVENT_INSTANT,
						args, FXT_THREAD_REF_INLINE, FXT_STR_CUSTOM,
						fxt_sched_custom_name(n)), time,
				 c->counter ? FXT_SCHED_KOID_CUSTOM : current >> 32,
				 c->counter ? FXT_SCHED_KOID_CUSTOM : (__u32)current);
	return words;
}

/* Not inline: with these functions inline, the eight programs would have 200 KiB. */

/* @at: nested_begin() or ring_begin() has succeeded. */
static __noinline int custom_record(const void *ctx, struct place *at, __u32 n)
{
	__u64 *rec = ring_reserve(at, FXT_RING_EVENTS);

	if (rec)
		ring_commit(at, put_custom(rec, ctx, at->time, n));
	return 0;
}

static __noinline int custom_keeps(__u32 cpu)
{
	struct place at = { .cpu = cpu };

	return keeps_interrupt(&at);
}

static __always_inline int on_custom(const void *ctx, const __u32 n)
{
	__u32 irq = fxt_sched_irq(read_preempt_count(PATCHED(FXT_BPF_MARK_CONTEXT)));
	bool nested = irq != FXT_SCHED_IRQ_HARD;
	unsigned long flags;
	struct place at;

	ring_find(&at);
	if (!is_recording() || !custom_keeps(at.cpu))
		return 0;
	if (irq == FXT_SCHED_IRQ_NMI) {
		__sync_fetch_and_add(&custom_unseen, 1);
		return 0;
	}
	/* Nothing interrupts a hard interrupt, so the queues have no level for it. */
	if (nested ? nested_begin(&at, &flags) : ring_begin(&at, extras))
		return 0;
	custom_record(ctx, &at, n);
	if (nested)
		nested_end(&at, &flags);
	return 0;
}

#define CUSTOM_PROGRAM(n)						\
	SEC("raw_tp") int on_custom##n(void *ctx)			\
	{								\
		return on_custom(ctx, n);				\
	}

#endif /* BPF_CUSTOM_BPF_H */
