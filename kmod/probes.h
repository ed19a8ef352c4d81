/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * probes.h - the probes at the tracepoints, and the groups that they form.
 *
 * Each file of probes exports its group. The groups of events are listed here, the others in
 * probes.c.
 */
#ifndef FXT_KMOD_PROBES_H
#define FXT_KMOD_PROBES_H

#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/tracepoint.h>
#include <linux/types.h>

#include "session.h"

struct fxt_reason;
struct task_struct;

struct fxt_probe {
	const char *name;
	void *func[FXT_PROBES_COUNT];	/* by enum fxt_probes */
	bool optional;			/* kernels may lack the tracepoint */
	bool is_first;			/* runs before other probes at the tracepoint */
	struct tracepoint *tp;	/* NULL if this kernel lacks it */
};

/* The same probe for all kinds. Further arguments initialize other fields. */
#define FXT_UNCHECKED_PROBE(tracepoint, func, ...)				\
	{ #tracepoint, { [0 ... FXT_PROBES_COUNT - 1] = func }, ##__VA_ARGS__ }

/* 0 if a probe has the signature of this kernel's tracepoint; otherwise a build error. */
#define FXT_CHECK_PROBE(tracepoint, func)					\
	BUILD_BUG_ON_ZERO(!__same_type(check_trace_callback_type_##tracepoint,	\
				       void (typeof(func) *)))

/*
 * Like FXT_UNCHECKED_PROBE(), but checks the signature against that of @tracepoint, which is
 * @name or one like it.
 */
#define FXT_PROBE_LIKE(name, tracepoint, func, ...)				\
	{ name, { [FXT_CHECK_PROBE(tracepoint, func) ... FXT_PROBES_COUNT - 1] = func },\
	  ##__VA_ARGS__ }
#define FXT_PROBE(tracepoint, func, ...)					\
	FXT_PROBE_LIKE(#tracepoint, tracepoint, func, ##__VA_ARGS__)

/*
 * A probe of each kind: @slow, and NAME_KIND for each of FXT_CLOCKS(), all of the same signature.
 */
#define FXT_FAST_PROBE(tracepoint, slow, name)					\
	{ #tracepoint, { [FXT_CHECK_PROBE(tracepoint, slow)] = slow,		\
			 FXT_CLOCKS(FXT_PROBE_OF_CLOCK, name) } }
#define FXT_PROBE_OF_CLOCK(kind, id, name)	name##_##kind,

struct fxt_group {
	u64 events;	/* FXT_SCHED_EVENTS_* that request it; 0: every session has it */
	/*
	 * Registered in this order, unregistered in reverse. The probe that ends a slice comes
	 * before the one that begins it, so the end of each slice that was seen to begin is seen.
	 */
	struct fxt_probe *probes;
	unsigned int count;
	bool threadless;	/* its events belong to no thread; a filter by thread drops them */
	bool by_form;		/* only for sessions with @form */
	u32 form;		/* as of fxt_config */
};

#define FXT_GROUP(group, list, ...)						\
	{ .events = group, .probes = list, .count = ARRAY_SIZE(list), ##__VA_ARGS__ }

#define FXT_FORM_GROUP(bits, list)						\
	{ .by_form = true, .form = (bits), .probes = list, .count = ARRAY_SIZE(list) }

#define FXT_FORMS	(FXT_SCHED_NO_WEIGHTS | FXT_SCHED_WAKING)

extern const struct fxt_group fxt_wakeup_group, fxt_bare_wakeup_group;
extern const struct fxt_group fxt_waking_group, fxt_bare_waking_group;
extern const struct fxt_group fxt_switch_group, fxt_bare_switch_group;
extern const struct fxt_group fxt_waking_switch_group, fxt_bare_waking_switch_group;

/* FXT_EVENT_GROUPS(GROUP) - the groups that users can choose, in the order of registration */
#define FXT_EVENT_GROUPS(GROUP)							\
	GROUP(irq) GROUP(migrate) GROUP(idle) GROUP(freq) GROUP(work) GROUP(task)	\
	GROUP(signal) GROUP(syscall) GROUP(lock) GROUP(ipi) GROUP(block) GROUP(timer)	\
	GROUP(steal) GROUP(memory) GROUP(net)

#define FXT_GROUP_AND(name)	fxt_##name##_group,
extern const struct fxt_group
	FXT_EVENT_GROUPS(FXT_GROUP_AND) fxt_lifecycle_group;

void fxt_probe_wakeup_new(void *data, struct task_struct *p);
void fxt_early_wakeup(struct fxt_session *ss, struct task_struct *prev, u32 word);

u64 fxt_groups_available(void);
int fxt_groups_check(u64 events, struct fxt_reason *reason);

int fxt_probes_find(void);
int fxt_probes_start(struct fxt_session *ss);
void fxt_probes_fence(void);
void fxt_probes_stop(struct fxt_session *ss);
void fxt_probes_finish(struct fxt_session *ss);

#endif /* FXT_KMOD_PROBES_H */
