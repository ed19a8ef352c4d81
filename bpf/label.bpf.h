/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * label.bpf.h - names that only the kernel knows: of interrupt handlers and of functions.
 *
 * In:  irqaction.name; addresses of functions.
 * Out: names in the form that records need (kmod/label.h says why records have them inline).
 */
#ifndef BPF_LABEL_BPF_H
#define BPF_LABEL_BPF_H

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "fxt/fxt_sched_event.h"
#include "map.bpf.h"

/* The verifier must see the bound of the length in use, not of a copy. */
static __always_inline void label_bound(struct fxt_sched_label *label, __u64 most)
{
	__u64 bytes = label->bytes;

	barrier_var(bytes);
	label->bytes = bytes > most ? most : bytes;
}

/* --- interrupt handlers ---------------------------------------------------------------- */

static __always_inline void label_of_handler(struct fxt_sched_label *to, const char *from)
{
	long bytes;

	__builtin_memset(to, 0, sizeof(*to));
	/* One byte more for the 0 at the end: to->bytes is set afterwards. */
	bytes = bpf_probe_read_kernel_str(to, FXT_SCHED_LABEL_BYTES + 1, from);
	fxt_sched_label_finish(to, bytes > 1 ? bytes - 1 : 0);
}

/* --- functions ------------------------------------------------------------------------- */

/* Loads and removals of modules since the recording began. */
__u64 module_changes;

struct function {
	struct fxt_sched_label name;
	__u64 changes;			/* module_changes at the look-up */
};

/*
 * A cache of function names, of work items, timers and interrupts to other CPUs, because formatting
 * one takes long. A removed module's addresses can belong to another module later, those of its
 * initialization even before it is removed. So each change makes all names stale.
 */
HASH(functions, 4096, __u64, struct function);

/* Length of a symbol without the name of its module, which would follow a blank. */
static __always_inline __u64 symbol_bytes(const char *symbol)
{
	__u64 i;

	for (i = 0; i < FXT_SCHED_LABEL_BYTES && symbol[i] && symbol[i] != ' '; i++)
		;
	return i;
}

/* Not inline: each program would have the loop several times. */
static __noinline int look_up_function(struct function *to, __u64 address)
{
	static const char format[] = "%ps";
	char symbol[FXT_SCHED_LABEL_BYTES + 1] = "";
	__u64 bytes;

	to->changes = *(volatile __u64 *)&module_changes;
	bpf_snprintf(symbol, sizeof(symbol), format, &address, sizeof(address));
	bytes = symbol_bytes(symbol);
	barrier_var(bytes);
	if (bytes > FXT_SCHED_LABEL_BYTES)
		bytes = 0;
	__builtin_memset(&to->name, 0, sizeof(to->name));
	bpf_probe_read_kernel(to->name.words, bytes, symbol);
	fxt_sched_label_finish(&to->name, bytes);
	bpf_map_update_elem(&functions, &address, to, BPF_ANY);
	return 0;
}

static __always_inline void label_of_function(struct fxt_sched_label *to, __u64 address)
{
	const struct function *known = bpf_map_lookup_elem(&functions, &address);
	struct function found;

	if (known && known->changes == *(volatile __u64 *)&module_changes) {
		*to = known->name;
		return;
	}
	look_up_function(&found, address);
	*to = found.name;
}

/*
 * When a module is removed, none of its functions is called any more. When one is loaded, none has
 * been called yet, except those that set its parameters.
 */
static __always_inline int label_note_module(void)
{
	__sync_fetch_and_add(&module_changes, 1);
	return 0;
}

#endif /* BPF_LABEL_BPF_H */
