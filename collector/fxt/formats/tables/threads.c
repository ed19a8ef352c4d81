// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * threads.c - the identity of threads and processes: utid and upid.
 *
 * In: koids of threads, with the koid of their process (events) or without (scheduling).
 * Out: a struct table_thread for each; at the end the tables process and thread.
 * Must hold: scheduling records and events of a thread have the same utid; threads of different
 * processes have different ones, even if a foreign archive numbers them alike.
 *
 * The map has the thread that scheduling records mean at (0, koid), others of that koid at
 * (process, koid). Of successive threads and processes with one koid it finds the first; the model
 * knows the others, which are not at (0, koid), so that no search passes them.
 */
#include "table.h"

static struct table_process *add_process(struct tables *t, uint64_t koid, uint32_t nth)
{
	struct table_process *p;

	if (!table_has_room(t, t->processes.count, STAT_PROCESSES_LEFT_OUT))
		return NULL;
	must(map_new(&t->processes, map_hash(nth, koid), p));
	p->koid = koid;
	p->upid = t->processes.count - 1;
	p->is_later = nth;
	return p;
}

static struct table_process *table_process(struct tables *t, uint64_t koid)
{
	struct table_process *p;

	map_find(&t->processes, map_hash(0, koid), p, p->koid == koid && !p->is_later);
	return p ? p : add_process(t, koid, 0);
}

static struct table_process *process_told(struct tables *t, struct sched_process *s)
{
	struct table_process *p = (struct table_process *)(uintptr_t)s->user;

	if (!p) {
		p = s->nth ? add_process(t, s->koid, s->nth) : table_process(t, s->koid);
		if (p)
			p->told = s;
		s->user = (uintptr_t)p;
	}
	return p;
}

static struct table_thread *find_thread(struct tables *t, uint64_t process, uint64_t koid,
					bool primary)
{
	struct table_thread *thread;

	return map_find(&t->threads, map_hash(primary ? 0 : process, koid), thread,
			thread->koid == koid && thread->primary == primary && !thread->is_later &&
			(primary || thread->process->koid == process));
}

static struct table_thread *add_thread(struct tables *t, struct table_process *process,
				       uint64_t koid, bool primary, uint32_t nth)
{
	struct table_thread *thread;

	if (t->threads.count >= TABLE_MAX_KEYS || (!process && !primary)) {
		t->stats[STAT_THREADS_LEFT_OUT]++;
		return NULL;
	}
	must(map_new(&t->threads, map_hash(primary ? nth : process->koid, koid), thread));
	thread->koid = koid;
	thread->utid = t->threads.count - 1;
	thread->primary = primary;
	thread->process = process;
	thread->is_later = nth;
	return thread;
}

void table_threads_init(struct tables *t)
{
	t->idle = add_thread(t, table_process(t, 0), 0, true, 0);
}

static struct table_thread *primary_thread(struct tables *t, uint64_t koid)
{
	struct table_thread *thread = find_thread(t, 0, koid, true);

	return thread ? thread : add_thread(t, NULL, koid, true, 0);
}

/* The thread that scheduling records mean. */
static struct table_thread *table_thread_sched(struct tables *t, struct sched_thread *s)
{
	struct table_thread *thread = (struct table_thread *)(uintptr_t)s->user;

	if (!thread) {
		thread = s->nth ? add_thread(t, NULL, s->koid, true, s->nth) : primary_thread(t, s->koid);
		if (thread && !thread->life)
			thread->life = s;
		s->user = (uintptr_t)thread;
	}
	return thread;
}

/* The process that kernel objects gave so far, or 0. */
static uint64_t told_process(struct tables *t, uint64_t koid)
{
	struct sched_thread *s = sched_model_thread(t->model, koid);

	return s ? s->process : 0;
}

struct table_thread *table_thread_event(struct tables *t, uint64_t ns,
					const struct fxt_thread_id *id)
{
	struct sched_thread *life = sched_model_thread_at(t->model, id->thread, ns);
	struct table_thread *thread;
	struct table_process *process;
	uint64_t told;

	if (life && life->nth)
		return table_thread_sched(t, life);
	thread = primary_thread(t, id->thread);
	if (!thread || !id->process)
		return thread;
	if (thread->process && thread->process->koid == id->process)
		return thread;
	process = table_process(t, id->process);
	if (!thread->process) {
		told = told_process(t, id->thread);
		if (!told || told == id->process) {
			thread->process = process;
			return thread;
		}
	}
	thread = find_thread(t, id->process, id->thread, false);
	return thread ? thread : add_thread(t, process, id->thread, false, 0);
}

struct table_cell table_utid(struct tables *t, uint64_t ns, const struct fxt_thread_id *id)
{
	struct table_thread *thread = table_thread_event(t, ns, id);

	return thread ? cell_int(thread->utid) : cell_null();
}

struct table_cell table_upid(struct tables *t, uint64_t koid)
{
	struct table_process *p = table_process(t, koid);

	return p ? cell_int(p->upid) : cell_null();
}

/* A parent without a record gets a row without a name. */
static struct table_cell parent_upid(struct tables *t, const struct sched_process *told)
{
	struct table_process *p;

	if (!told || !told->parent_koid)
		return cell_null();
	p = told->parent ? process_told(t, told->parent) : table_process(t, told->parent_koid);
	return p ? cell_int(p->upid) : cell_null();
}

/* Both texts may need the only buffer for cleaning. */
static void process_row(struct tables *t, const struct table_process *p)
{
	const struct sched_process *told = p->told;
	struct table_cell name = cell_null();
	struct table_name *cgroup = NULL;

	if (told && told->cgroup)
		cgroup = table_name(t, told->cgroup, strlen(told->cgroup));
	if (told)
		name = cell_clean(t, told->name, strlen(told->name));
	TABLE_ROW(t, TABLE_PROCESS, cell_int(p->upid), cell_int(p->koid), name,
		  parent_upid(t, told), cell_name(cgroup));
	table_name_put(t, cgroup);
}

static void process_rows(struct tables *t)
{
	struct sched_process *const *processes;
	struct table_process *p;
	size_t count, i;

	processes = sched_model_processes(t->model, &count);
	for (i = 0; i < count; i++)
		process_told(t, processes[i]);
	map_each(&t->processes, p)
		process_row(t, p);
}

static void thread_row(struct tables *t, const struct table_thread *thread)
{
	const struct sched_thread *s = thread->life;
	struct table_cell name = cell_null(), upid = cell_null(), main = cell_null();
	struct table_cell start = cell_null(), end = cell_null();
	struct table_name *cpus = NULL;

	if (s && s->cpus)
		cpus = table_name(t, s->cpus, strlen(s->cpus));
	if (s && s->named)
		name = cell_clean(t, s->name, strlen(s->name));
	else if (thread == t->idle)
		name = cell_str("swapper");
	if (thread->process) {
		upid = cell_int(thread->process->upid);
		main = cell_int(thread->process->koid == thread->koid);
	}
	if (s && s->is_forked)
		start = cell_int(table_time(t, s->begin));
	if (s && (s->state == 'X' || s->state == 'Z'))
		end = cell_int(table_time(t, s->last_event));
	TABLE_ROW(t, TABLE_THREAD, cell_int(thread->utid), cell_int(thread->koid),
		  name, start, end, upid, main, cell_int(thread == t->idle), cell_name(cpus));
	table_name_put(t, cpus);
}

static struct table_process *process_of(struct tables *t, const struct sched_thread *s)
{
	return s->owner && s->owner->koid == s->process ? process_told(t, s->owner) :
							  table_process(t, s->process);
}

void table_threads_rows(struct tables *t)
{
	struct sched_thread *const *threads;
	struct table_thread *thread;
	size_t count, i;

	threads = sched_model_threads(t->model, &count);
	for (i = 0; i < count; i++) {
		/*
		 * Skip an entry that is the same thread as another one, or that had only a name
		 * when its id was reused.
		 */
		if (threads[i]->same || (threads[i]->next && !threads[i]->last_offset &&
					 !threads[i]->user))
			continue;
		thread = table_thread_sched(t, threads[i]);
		if (thread && thread != t->idle && threads[i]->process)
			thread->process = process_of(t, threads[i]);
	}
	process_rows(t);
	map_each(&t->threads, thread)
		thread_row(t, thread);
}

void table_threads_free(struct tables *t)
{
	map_free_all(&t->threads, struct table_thread);
	map_free_all(&t->processes, struct table_process);
}

/* --- the runs on each CPU, and the states of each thread --------------------------------- */

/*
 * The rows of a thread follow one another without gap or overlap. A wakeup refers to the row in which
 * its waker ran. The model gives the waker when the woken thread's wait ends, and by then the waker
 * may have been in many states. So before each span, the thread whose span ended last is checked:
 * if it has just been woken, its waker is still in the row that woke it.
 */

/* A span, and the ids of its rows, 0: none. */
struct table_span {
	struct sched_span span;
	int64_t sched_id;
	int64_t state_id;
	int64_t waker_id;
};

static struct table_cell cell_state(char state)
{
	return cell_str(sched_state_name(state));
}

/*
 * The row of the run in which a thread has just woken another one. If it left its CPU during the
 * wakeup, this is its last run.
 */
static int64_t waker_row(struct tables *t, struct sched_thread *s)
{
	struct table_thread *waker = table_thread_sched(t, s);

	if (!waker || waker == t->idle)
		return 0;
	if (s->state != SCHED_RUNNING || !s->is_open)
		return waker->running_id;
	if (!waker->state_id)
		waker->state_id = table_id(t, TABLE_THREAD_STATE);
	return waker->state_id;
}

static void look_again(struct tables *t)
{
	struct sched_thread *s = t->changed;
	struct table_thread *thread;

	t->changed = NULL;
	if (!s || !s->is_open || s->state != 'R' || s->since != t->changed_at ||
	    !s->waker || s->irq)
		return;
	thread = table_thread_sched(t, s);
	if (thread)
		thread->waker_id = waker_row(t, s->waker);
}

/*
 * As waker_row(), for a thread whose first event is the wakeup. Its waker may still run, or have
 * stopped since, but has not run again.
 */
static int64_t first_waker_row(struct tables *t, struct sched_thread *s, uint64_t ns)
{
	struct table_thread *waker = table_thread_sched(t, s);

	if (!waker || waker == t->idle)
		return 0;
	if (s->is_open && s->state == SCHED_RUNNING && s->since <= ns)
		return waker_row(t, s);
	return waker->running_from <= ns && ns <= waker->running_to ?
	       waker->running_id : 0;
}

static void rows(struct tables *t, const struct table_span *h)
{
	const struct sched_span *span = &h->span;
	struct table_thread *thread = table_thread_sched(t, span->thread), *waker;
	struct table_cell from = cell_int(table_time(t, span->from));
	struct table_cell dur = cell_int(span->is_open ? -1 : table_time(t, span->to) -
						     table_time(t, span->from));
	struct table_cell cpu = span->cpu == 0xffff ? cell_null() : cell_int(span->cpu);
	struct table_cell utid = cell_int(thread->utid);

	if (h->sched_id)
		TABLE_ROW(t, TABLE_SCHED, cell_int(h->sched_id), from, dur, cpu, utid,
			  span->end_state == SCHED_UNKNOWN ? cell_null() :
			  cell_state(span->end_state),
			  span->has_weight ? cell_int(span->weight) : cell_null(), cpu);
	if (!h->state_id)
		return;
	waker = span->waker ? table_thread_sched(t, span->waker) : NULL;
	TABLE_ROW(t, TABLE_THREAD_STATE, cell_int(h->state_id), from, dur, cpu, utid,
		  cell_state(span->state), cell_null(), cell_null(),
		  waker ? cell_int(waker->utid) : cell_null(), cell_id(h->waker_id),
		  span->irq || span->waker ? cell_int(!!span->irq) : cell_null(), cpu);
}

/* Take the ids of the thread's current row and begin its next one. */
static void next_state(struct tables *t, struct table_span *h, struct table_thread *thread)
{
	const struct sched_span *span = &h->span;

	h->waker_id = thread->waker_id;
	if (!thread->state_id) {
		thread->state_id = table_id(t, TABLE_THREAD_STATE);
		if (span->waker)
			h->waker_id = first_waker_row(t, span->waker, span->from);
	}
	h->state_id = thread->state_id;
	if (span->waker && span->waker->koid && !h->waker_id)
		t->stats[STAT_WAKER_UNKNOWN]++;
	if (span->state == SCHED_RUNNING) {
		thread->running_id = thread->state_id;
		thread->running_from = span->from;
		thread->running_to = span->to;
	}
	thread->state_id = table_id(t, TABLE_THREAD_STATE);
	thread->waker_id = 0;
}

static int add_span(void *arg, const struct sched_span *span)
{
	struct table_span h = { .span = *span };
	struct table_thread *thread;
	struct tables *t = arg;

	look_again(t);
	thread = table_thread_sched(t, span->thread);
	if (!thread)
		return t->error;
	if (span->state == SCHED_RUNNING)
		h.sched_id = table_id(t, TABLE_SCHED);
	if (thread != t->idle)
		next_state(t, &h, thread);
	rows(t, &h);
	t->changed = span->thread;
	t->changed_at = span->to;
	return t->error;
}

static void count_anomaly(void *arg, const struct sched_anomaly *anomaly)
{
	struct tables *t = arg;

	if (anomaly->kind < SCHED_ANOMALY_COUNT)
		t->anomalies[anomaly->kind][anomaly->violation] += anomaly->count;
}

const struct sched_ops table_sched_ops = {
	.span = add_span,
	.anomaly = count_anomaly,
};
