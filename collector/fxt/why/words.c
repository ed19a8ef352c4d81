// SPDX-License-Identifier: GPL-2.0-or-later
/* words.c - see words.h. */
#include <fnmatch.h>
#include <string.h>

#include <fxt/fxt_sched_stack.h>
#include <linux/fxt_sched.h>

#include "account/classes.h"
#include "libfxt/stacks.h"
#include "sched/symbols.h"
#include "words.h"

const char *why_cause_name(enum why_cause cause)
{
	static const char *const names[WHY_CAUSES] = {
		[WHY_RUNNING] = "running",
		[WHY_RUNNABLE] = "runnable",
		[WHY_ASLEEP] = "asleep",
		[WHY_INTERRUPT] = "interrupt",
		[WHY_THROTTLED] = "throttled",
		[WHY_LIMITED] = "limited",
		[WHY_UNKNOWN] = "unknown",
	};

	return names[cause];
}

/* No record was lost there: does the kernel hide a thread, or a filter, or has it no switches? */
static const char *unshown_words(const struct history *h)
{
	const struct sched_totals *n = sched_model_totals(h->model);
	size_t count, i;
	struct sched_thread *const *threads = sched_model_threads(h->model, &count);

	if (!n->switches)
		return "no switch events in this trace";
	if (n->late)
		return "events came too late to be put in order";
	if (n->lacks_threads)
		return "the recording was filtered";
	for (i = 0; i < count; i++)
		if (threads[i]->breaks && !threads[i]->switches)
			return "hidden by the kernel";
	return "the archive does not show it";
}

const char *why_detail_words(const struct history *h, enum why_detail detail)
{
	static const char *const words[WHY_DETAILS] = {
		[WHY_OPEN] = "not woken until the end",
		[WHY_OWN] = "its own timer",
		[WHY_WAKING] = "being woken",
		[WHY_LOST] = "records are missing",
		[WHY_EARLY] = "before its first event",
		[WHY_UNWOKEN] = "its waker is unknown",
		[WHY_UNSEEN] = "what it did is not recorded",
		[WHY_FILTERED] = "only some CPUs were recorded",
		[WHY_BEYOND] = "too many events to look at all",
	};

	if (detail == WHY_UNSHOWN || (detail == WHY_LOST && !sched_model_totals(h->model)->lost))
		return unshown_words(h);
	return words[detail];
}

const char *why_by_name(const struct history *h, const struct why_by *by)
{
	switch (by->who) {
	case WHY_THREAD:
		return history_name(h, by->id);
	case WHY_ORIGIN:
		return history_origin(h, by->id)->path ? history_origin(h, by->id)->path :
							 history_origin(h, by->id)->name;
	case WHY_IRQ:
		return by->id == FXT_SCHED_IRQ_NONE ? "an interrupt of an idle CPU" :
		       by->id == FXT_SCHED_IRQ_SOFT ? "a soft interrupt" :
		       by->id == FXT_SCHED_IRQ_NMI ? "an NMI" : "an interrupt";
	case WHY_IDLE:
		return "(idle)";
	case WHY_LIMIT:
		return account_limit_name(by->id);
	case WHY_OTHERS:
		return "(others)";
	default:
		return "unknown";
	}
}

const char *why_by_kind(const struct history *h, const struct why_by *by)
{
	switch (by->who) {
	case WHY_THREAD:
		return NULL;
	case WHY_ORIGIN:
		return kernel_event_name(history_origin(h, by->id)->what);
	case WHY_IRQ:
		return by->id == FXT_SCHED_IRQ_SOFT ? "softirq" :
		       by->id == FXT_SCHED_IRQ_NMI ? "nmi" : "irq";
	case WHY_IDLE:
		return "idle";
	case WHY_LIMIT:
		return "limit";
	case WHY_OTHERS:
		return "others";
	default:
		return "unknown";
	}
}

const char *why_origin_words(const struct history *h, const struct why_by *by)
{
	static const struct {
		const char *pattern;
		const char *words;
	} known[] = {
		{ "NET_*", "the network" }, { "BLOCK", "the disk" }, { "*TIMER", "a timer" },
		{ "*timer*", "a timer" }, { "rtc*", "a timer" },
		{ "nvme*", "the disk" }, { "ahci*", "the disk" }, { "ata_*", "the disk" },
		{ "virtio*-req*", "the disk" }, { "mmc*", "the disk" }, { "*scsi*", "the disk" },
		{ "eth*", "the network" }, { "en[ops]*", "the network" }, { "mlx*", "the network" },
		{ "virtio*-input*", "the network" }, { "virtio*-output*", "the network" },
	};
	size_t i;

	if (by->who != WHY_ORIGIN || history_origin(h, by->id)->what == KERNEL_THROTTLE ||
	    history_origin(h, by->id)->what == KERNEL_REQUEST ||
	    history_origin(h, by->id)->what == KERNEL_DATA)
		return NULL;
	if (history_origin(h, by->id)->what == KERNEL_TIMER)
		return "a timer";
	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!fnmatch(known[i].pattern, history_origin(h, by->id)->name, 0))
			return known[i].words;
	return why_is_message(history_origin(h, by->id)) ? "another CPU" : NULL;
}

bool why_is_message(const struct sched_origin *origin)
{
	return !strcmp(origin->name, "reschedule") || !fnmatch("*function call", origin->name, 0);
}

static bool is_below_caller(const char *name)
{
	return sched_symbol_is_of_scheduler(name) || sched_symbol_is_of_locks(name);
}

/* The first function of a stack that is not @left_out. */
static const char *first_function(const struct history *h, uint32_t turn, bool of_waker,
				  bool (*left_out)(const char *name))
{
	const struct fxt_call_stack *stack = turn ? history_stack(h, turn, of_waker) : NULL;
	const struct sched_symbol *symbol;
	uint32_t i;

	for (i = 0; stack && i < stack->count; i++) {
		symbol = sched_symbol_find(sched_model_symbols(h->model), stack->provider,
					   stack->process,
					   fxt_sched_frame_address(stack->frames[i]));
		if (symbol && !left_out(symbol->name))
			return symbol->name;
	}
	return NULL;
}

const char *why_function(const struct history *h, uint32_t turn, bool of_waker)
{
	return first_function(h, turn, of_waker, sched_symbol_is_of_scheduler);
}

const char *why_caller(const struct history *h, uint32_t turn, bool of_waker)
{
	return first_function(h, turn, of_waker, is_below_caller);
}

struct history_ended why_ended(const struct history *h, uint32_t turn)
{
	return turn ? history_ended_by(h, history_turn(h, turn)) : (struct history_ended){ 0 };
}

const struct history_lock *why_lock(const struct history *h, uint32_t turn)
{
	const struct history_lock *lock = history_lock_before(h, turn);

	return lock && sched_origin_is_lock(history_origin(h, lock->origin)) ? lock : NULL;
}

bool why_open_lock(const struct history *h, uint32_t thread, uint64_t from,
		   struct history_lock *lock)
{
	const struct sched_thread *waiter, *holder;
	struct sched_trigger t;

	if (!sched_model_trigger(h->model, &t) || !t.goes_on || !t.lock || from > t.time)
		return false;
	waiter = sched_model_thread_at(h->model, t.thread, t.time);
	if (!waiter || waiter->id != thread)
		return false;
	holder = t.holder ? sched_model_thread_at(h->model, t.holder, t.time) : NULL;
	*lock = (struct history_lock){
		.origin = t.lock->id, .holder = holder ? holder->id + 1 : 0,
	};
	return true;
}

const struct history_work *why_work(const struct history *h, uint32_t turn)
{
	return turn ? history_waker_work(h, history_turn(h, turn)) : NULL;
}

const char *why_through(const struct history *h, uint32_t turn)
{
	struct why_by by = { .who = WHY_IRQ };

	by.id = turn ? history_turn(h, turn)->irq : FXT_SCHED_IRQ_NONE;
	return by.id ? why_by_name(h, &by) : NULL;
}
