// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sched.c - scheduling as slices and arrows.
 *
 * In: spans in which a thread was in one state.
 * Out: a slice for each on the thread's track, for runs also one on the CPU's track. A wakeup is
 * an arrow from the waker's slice to the next run of the woken thread.
 *
 * Idle threads, which share one koid, have no track. An unknown state is a gap.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include <fxt/fxt_sched.h>

#include "libfxt/text.h"
#include "terminal/memory.h"
#include "json.h"

#define NO_CPU	0xffff

/* Names of slices. States without a name have no slices. */
static const char *const titles[UCHAR_MAX + 1] = {
	[SCHED_RUNNING] = "Running",
	['R'] = "Runnable",
	['+'] = "Runnable (Preempted)",
	['S'] = "Sleeping",
	['D'] = "Uninterruptible Sleep",
	['I'] = "Idle",
	['T'] = "Stopped",
	['t'] = "Traced",
	['P'] = "Parked",
	['Z'] = "Zombie",
	['X'] = "Dead",
};

static struct json_thread *thread_of(struct json *j, const struct sched_thread *t)
{
	size_t before = j->thread_room;

	if (t->id < before)
		return &j->threads[t->id];
	array_hold(j->threads, j->thread_room, t->id + 1);
	memset(j->threads + before, 0, (j->thread_room - before) * sizeof(*j->threads));
	return &j->threads[t->id];
}

static uint64_t later_tid(const struct sched_thread *t)
{
	return JSON_LATER_TID + t->id;
}

static uint64_t pid_of(const struct sched_thread *t)
{
	const struct sched_process *p = t->owner;

	return p && p->nth && p->leader ? later_tid(p->leader) : t->process;
}

static struct json_place place_of(const struct json *j, const struct sched_thread *t)
{
	uint64_t pid = pid_of(t);

	if (t->nth)
		return (struct json_place){ pid ? pid : later_tid(t), later_tid(t) };
	return json_state_place(j, pid, t->koid);
}

/*
 * Is it the stack of a thread's waker? Such a record has the waker's process. The stack of a thread
 * that is switched in follows the switch and has the switch's time.
 */
static bool is_of_waker(const struct json *j, uint64_t ns)
{
	return j->ours && j->content.kind == FXT_KIND_BACKTRACE &&
	       !j->content.frame_flags &&
	       (j->switch_ns != ns || j->switched_in != j->content.thread.thread);
}

void json_event_place(struct json *j, uint64_t ns)
{
	struct fxt_thread_id *id = &j->content.thread;
	const struct sched_thread *t, *leader;

	j->stack_process = id->process;
	/* Threads with an unknown process get a process of their own. */
	if (is_of_waker(j, ns))
		id->process = id->thread;
	if (!j->m)
		return;
	t = sched_model_thread_at(j->m, id->thread, ns);
	if (is_of_waker(j, ns) && t && t->process)
		id->process = t->process;
	leader = sched_model_thread_at(j->m, id->process, ns);
	if (leader && leader->nth && id->process)
		id->process = later_tid(leader);
	if (t && t->nth)
		id->thread = later_tid(t);
}

static void add_arg(struct fxt_content *c, uint16_t name, struct fxt_arg arg)
{
	arg.name = fxt_known_text(name);
	c->args[c->arg_count++] = arg;
}

static void name_life(struct json *j, const struct sched_thread *t,
		      const struct json_place *place)
{
	const struct fxt_text name = { .bytes = t->name, .length = strlen(t->name) };
	struct fxt_content *c = &j->content;

	c->arg_count = 0;
	if (t->process)
		add_arg(c, FXT_STR_PROCESS, (struct fxt_arg){ .type = FXT_ARG_KOID,
							      .u64 = t->process });
	if (t->owner && t->owner->leader == t && t->owner->parent_koid)
		add_arg(c, FXT_STR_PARENT, (struct fxt_arg){ .type = FXT_ARG_KOID,
							     .u64 = t->owner->parent_koid });
	if (t->cpus)
		add_arg(c, FXT_STR_CPUS, (struct fxt_arg){
			.type = FXT_ARG_STRING,
			.text = { .bytes = t->cpus, .length = strlen(t->cpus) },
		});
	json_track_name(j, "thread", place, &name, c);
	json_track_sort(j, "thread", place, t->koid);
}

void json_lives(struct json *j)
{
	struct sched_thread *const *threads;
	size_t count, i;

	threads = sched_model_threads(j->m, &count);
	for (i = 0; i < count; i++) {
		const struct sched_thread *t = threads[i];
		struct json_place place = place_of(j, t);

		if (t->same || (!t->nth && !t->next) || !t->named)
			continue;
		name_life(j, t, &place);
		if (!t->owner || t->owner->leader != t)
			continue;
		json_track(j, "process", &place, t->owner->name, t->koid);
		if (t->owner->cgroup)
			json_label(j, &place, t->owner->cgroup, strlen(t->owner->cgroup));
	}
}

#define EVENT_BYTES	(JSON_OPEN_BYTES + 256)

static char *open_slice_at(struct json *j, char *p, const struct json_place *place,
			   const struct sched_span *s)
{
	p = out_micros_at(json_open_at(j, p, 'X', place), s->from);
	return out_micros_at(out_str_at(p, ",\"dur\":"), s->to > s->from ? s->to - s->from : 0);
}

static void name_cpu(struct json *j, uint16_t cpu)
{
	struct json_place place = { JSON_CPUS_PID, JSON_CPU_TID + cpu };
	char name[16];

	if (j->cpu_named[cpu / 8] & 1 << cpu % 8)
		return;
	j->cpu_named[cpu / 8] |= 1 << cpu % 8;
	/* Sort it above all processes. */
	json_track(j, "process", &place, "CPUs", -1);
	snprintf(name, sizeof(name), "CPU %u", cpu);
	json_track(j, "thread", &place, name, cpu);
}

static void cpu_slice(struct json *j, const struct sched_span *s)
{
	struct json_place place = { JSON_CPUS_PID, JSON_CPU_TID + s->cpu };
	const struct sched_thread *t = s->thread;
	struct out *o = j->o;
	char *p;

	name_cpu(j, s->cpu);
	p = open_slice_at(j, out_room(o, EVENT_BYTES), &place, s);
	p = out_str_at(p, ",\"cat\":\"sched\",\"name\":");
	if (t->name[0]) {
		out_put(o, p);
		out_json(o, t->name, strlen(t->name));
		p = out_room(o, EVENT_BYTES);
	} else {
		p = out_u64_at(out_str_at(p, "\"tid "), t->koid);
		*p++ = '"';
	}
	p = out_json_u64_at(out_str_at(p, ",\"args\":{\"tid\":"), t->koid);
	if (t->process)
		p = out_json_u64_at(out_str_at(p, ",\"pid\":"), t->process);
	if (s->has_weight)
		p = out_i64_at(out_str_at(p, ",\"weight\":"), s->weight);
	p = out_str_at(p, ",\"end_state\":\"");
	p = out_str_at(p, sched_state_name(s->end_state));
	out_put(o, out_str_at(p, "\"}}"));
}

static void state_slice(struct json *j, const struct sched_span *s, const char *title)
{
	struct json_place place = place_of(j, s->thread);
	char *p = open_slice_at(j, out_room(j->o, EVENT_BYTES), &place, s);

	p = out_str_at(out_str_at(p, ",\"cat\":\"thread_state\",\"name\":\""), title);
	*p++ = '"';
	if (s->cpu != NO_CPU && (s->state == SCHED_RUNNING || s->state == 'R' ||
				 s->state == '+')) {
		p = out_u64_at(out_str_at(p, ",\"args\":{\"cpu\":"), s->cpu);
		*p++ = '}';
	}
	out_put(j->o, out_str_at(p, "}"));
}

static void arrow_end(struct json *j, char phase, const struct json_place *place, uint64_t ns)
{
	char *p = json_open_at(j, out_room(j->o, EVENT_BYTES), phase, place);

	p = out_str_at(out_micros_at(p, ns), ",\"cat\":\"sched\",\"name\":\"wakeup\",\"id\":\"");
	p = out_hex_at(p, j->arrows);
	out_put(j->o, out_str_at(p, phase == 'f' ? "\",\"bp\":\"e\"}" : "\"}"));
}

/* Called after the slice that the arrow points to, because readers bind it to a known slice. */
static void arrow(struct json *j, const struct json_thread *w, const struct sched_span *s)
{
	struct json_place to = place_of(j, s->thread);

	j->arrows++;
	arrow_end(j, 's', &w->waker, w->woken);
	arrow_end(j, 'f', &to, s->from);
}

/*
 * Arrows begin in slices, so only a waker with a slice gets one; a thread interrupted by the waking
 * interrupt does not.
 */
static void note_waker(const struct json *j, struct json_thread *w, const struct sched_span *s)
{
	if (!s->waker || !s->waker->koid || s->waker_cpu == NO_CPU)
		return;
	w->waiting = true;
	w->waker = place_of(j, s->waker);
	w->woken = s->from;
}

int json_span(void *arg, const struct sched_span *s)
{
	const char *title = titles[(unsigned char)s->state];
	struct json *j = arg;
	struct json_thread *w;

	if (!s->thread->koid || !title)
		return 0;
	w = thread_of(j, s->thread);
	if (s->state == SCHED_RUNNING)
		cpu_slice(j, s);
	state_slice(j, s, title);
	if (s->state == SCHED_RUNNING && w->waiting)
		arrow(j, w, s);
	w->waiting = false;
	if (s->state == 'R')
		note_waker(j, w, s);
	return 0;
}
