// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * write.c - write the result of a merge.
 *
 * In: the archives, in two walks.
 * Out: the description and the names of each recording; then all records, chunk by chunk, each time
 * from the recording with the earliest time, so that a reader of the result needs little memory.
 * Each recording has its own providers, and its records are in their sections.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/fxt_before.h>

#include "libfxt/objects.h"
#include "sched/kernel_event.h"
#include "sched/session_text.h"
#include "terminal/memory.h"
#include "terminal/message.h"
#include "merge.h"

/* --- BLOBs --------------------------------------------------------------------- */

/*
 * BLOBs of what threads did before a part: kept from the first part only, with mapped ids and
 * times.
 */
static bool is_before_other(const struct merge *m, const struct merge_recording *of,
			    const struct fxt_content *c)
{
	return fxt_text_is(&c->name, FXT_SCHED_BEFORE) &&
	       (m->recording_count > 1 || of->input != of->first || of->offset);
}

/*
 * Does the record contain marks for Perfetto (ends of threads with reused ids) or samples of
 * stacks? Their ids and times are those of the recording, and would be wrong in the result.
 */
static bool is_of_other_ids(const struct merge_recording *of, const struct fxt_content *c)
{
	return c->blob_type == FXT_BLOB_PERFETTO &&
	       (c->name.known == FXT_STR_FORK || c->name.known == FXT_STR_SAMPLES) &&
	       (of->koids || of->is_dense || of->offset);
}

/** merge_keeps_blob() - is a BLOB of a recording that is not a ledger in the result? */
static bool merge_keeps_blob(const struct merge *m, const struct merge_recording *of,
			     const struct fxt_content *c)
{
	return c->name.known != FXT_STR_SESSION && !is_of_other_ids(of, c) &&
	       !is_before_other(m, of, c);
}

/* --- providers ----------------------------------------------------------------- */

/* Return: the number in the result of a provider of an archive. */
static uint32_t provider_of(struct merge *m, struct merge_recording *of, uint32_t from)
{
	uint32_t to;
	size_t i;

	for (i = 0; i < of->provider_count; i++)
		if (of->providers[i].from == from)
			return of->providers[i].to;
	array_more(of->providers, of->provider_count);
	/* A single recording keeps its provider numbers. */
	to = m->recording_count > 1 ? ++m->provider_count : from;
	of->providers[of->provider_count++] = (struct merge_provider){ from, to };
	return to;
}

static struct fxt_provider provider_in_result(struct merge *m, struct merge_recording *of,
					      const struct fxt_provider *provider)
{
	struct fxt_provider result = *provider;

	result.id = provider_of(m, of, provider->id);
	result.ticks_per_second = m->rate;
	return result;
}

static void enter(struct merge *m, struct merge_recording *of, const struct fxt_record *rec)
{
	struct fxt_provider provider = provider_in_result(m, of, rec->provider);

	providers_enter(&m->p, &provider);
}

/* --- the descriptions of recordings -------------------------------------------- */

static void copy_lines(FILE *f, const struct merge *m, const struct merge_recording *of,
		       const struct fxt_bytes *old)
{
	const char *at = old->data, *end = at + old->bytes;
	struct session_line l;

	while (session_next(&at, end, &l)) {
		if (session_has_key(&l, "epoch") && !m->as_it_is)
			fprintf(f, "epoch %" PRIu64 "\n", of->first->epoch - of->offset);
		else if (!session_has_key(&l, "segment") || !of->first->next)
			fprintf(f, "%.*s\n", (int)l.bytes, l.key);
	}
}

static void print_place(FILE *f, const struct merge *m, const struct merge_recording *of)
{
	uint64_t ns = of->offset < 0 ? -(uint64_t)of->offset : (uint64_t)of->offset;
	const struct merge_input *in;
	const char *base;

	if (m->recording_count == 1)
		return;
	for (in = of->first; in; in = in->next) {
		base = strrchr(in->io.a.path, '/');
		fprintf(f, "merge of %s\n", base ? base + 1 : in->io.a.path);
	}
	fprintf(f, "merge names of %s\n", of->label);
	if (of->cpus)
		fprintf(f, "merge cpus %u-%u\n", of->cpu_base, of->cpu_base + of->cpus - 1);
	if (of->shares_threads)
		fprintf(f, "merge threads of %s\n", m->recordings->label);
	if (of->is_dense)
		fprintf(f, "merge koids given anew from %" PRIu64 " on\n", of->koids + 1);
	else if (!of->shares_threads)
		fprintf(f, "merge koids +%" PRIu64 "\n", of->koids);
	fprintf(f, "merge clock %c%" PRIu64 ".%09" PRIu64 " (%s)\n", of->offset < 0 ? '-' : '+',
		ns / 1000000000, ns % 1000000000, of->clock);
}

static void write_session(struct merge *m, struct merge_recording *of, const struct fxt_bytes *old)
{
	char *text = NULL;
	size_t size;
	FILE *f = must(open_memstream(&text, &size));

	copy_lines(f, m, of, old);
	print_place(f, m, of);
	must_fit(fclose(f));
	if (size)
		rewrite_session(&m->f, text, size);
	free(text);
	of->has_session = true;
}

/* --- names --------------------------------------------------------------------- */

static uint64_t hash_bytes(uint64_t hash, const void *data, size_t bytes)
{
	const unsigned char *p = data;

	while (bytes--)
		hash = (hash ^ *p++) * 0x100000001b3ULL;
	return hash;
}

static uint64_t hash_object(const struct fxt_content *c)
{
	uint64_t hash = hash_bytes(0xcbf29ce484222325ULL, c->name.bytes, c->name.length);
	unsigned int i;

	for (i = 0; i < c->arg_count; i++) {
		const struct fxt_arg *a = &c->args[i];

		hash = hash_bytes(hash, a->name.bytes, a->name.length);
		if (a->type == FXT_ARG_STRING)
			hash = hash_bytes(hash, a->text.bytes, a->text.length);
		else if (a->type != FXT_ARG_BLOB)
			hash = hash_bytes(hash, &a->u64, sizeof(a->u64));
	}
	return hash;
}

/*
 * Parts repeat the names of threads: first names, and later ones, which have times. A first name
 * that is repeated after later names would be taken for the newest. So write a name with a time
 * only once, and one without a time unless it repeats the thread's last one without a time.
 */
static bool is_said(struct merge_recording *of, const struct fxt_content *c)
{
	bool is_process = c->object_type == FXT_OBJECT_PROCESS;
	struct koids *last = is_process ? &of->processes : &of->named;
	uint64_t hash = hash_object(c), before, ticks;

	if (!fxt_object_time(c, &ticks)) {
		if (koids_get(last, c->object, &before) && before == hash)
			return true;
		koids_set(last, c->object, hash);
		return false;
	}
	/* is_named() searches for any name. */
	if (!koids_get(last, c->object, NULL))
		koids_set(last, c->object, hash);
	hash = hash_bytes(hash, &c->object, sizeof(c->object));
	hash = hash_bytes(hash, &is_process, sizeof(is_process));
	if (koids_get(&of->later, hash, NULL))
		return true;
	koids_set(&of->later, hash, 1);
	return false;
}

/* Return: length of a name without the number of a CPU at its end. */
static size_t before_number(const struct fxt_content *c)
{
	static const char cpu[] = "cpu ";
	size_t length = c->name.length, word = sizeof(cpu) - 1;

	while (length && c->name.bytes[length - 1] >= '0' && c->name.bytes[length - 1] <= '9')
		length--;
	if (length < word || memcmp(c->name.bytes + length - word, cpu, word))
		return c->name.length;
	return length;
}

/* The name of a CPU's track ends with the CPU's number, which is mapped. */
static void name_track(struct merge *m, const struct merge_recording *of, struct fxt_content *c)
{
	size_t length = before_number(c);
	bool has_number = length < c->name.length;

	if (length > FXT_MAX_STRING_FIELD - MERGE_LABEL - 32)
		length = 0;
	memcpy(m->name, c->name.bytes, length);
	if (has_number)
		length += snprintf(m->name + length, sizeof(m->name) - length, "%u",
				   kernel_event_track_cpu(c->object));
	length += snprintf(m->name + length, sizeof(m->name) - length, " [%s]", of->label);
	c->name.bytes = m->name;
	c->name.length = length;
}

/* Is this a thread or process of the first recording? */
static bool is_shared(const struct merge_recording *of, uint64_t koid)
{
	return of->shares_threads && koid < MERGE_KOIDS;
}

/* The first recording has the name that the kernel knows the thread by. */
static bool is_named(struct merge *m, const struct merge_recording *of,
		     const struct fxt_content *c)
{
	struct merge_recording *first = m->recordings;
	uint64_t hash;

	return is_shared(of, c->object) &&
	       koids_get(c->object_type == FXT_OBJECT_PROCESS ? &first->processes : &first->named,
			 c->object, &hash);
}

/* Add the machine of a thread and its id there to a name. */
static void add_label(struct merge *m, const struct merge_recording *of,
		      struct fxt_content *c, uint64_t koid)
{
	char label[MERGE_LABEL + 32];
	size_t room, length;

	if (m->machines == 1 || koid == FXT_SCHED_KOID_LOSS || is_shared(of, koid))
		return;
	if (kernel_event_has_track(koid)) {
		if (kernel_event_track_cpu(koid) != KERNEL_EVENT_NO_CPU)
			name_track(m, of, c);
		return;
	}
	if (koid == c->object)
		snprintf(label, sizeof(label), " [%s]", of->label);
	else
		snprintf(label, sizeof(label), " [%s:%" PRIu64 "]", of->label, koid);
	/* Limit the name to the room that a record has besides its arguments. */
	room = 16000;
	length = c->name.length < room ? c->name.length : 0;
	memcpy(m->name, c->name.bytes, length);
	length += snprintf(m->name + length, sizeof(m->name) - length, "%s", label + !length);
	c->name.bytes = m->name;
	c->name.length = length;
}

/* Each machine has cgroups of its own, even if their paths are equal. */
static void name_cgroup(struct merge *m, const struct merge_recording *of, struct fxt_text *path)
{
	size_t length = path->length;

	/* Leave room for other arguments of the record. */
	if (m->machines == 1 || !length || length > 8000)
		return;
	memcpy(m->path, path->bytes, length);
	length += snprintf(m->path + length, sizeof(m->path) - length, " [%s]", of->label);
	path->bytes = m->path;
	path->length = length;
}

static void name_cgroups(struct merge *m, const struct merge_recording *of, struct fxt_content *c)
{
	unsigned int i;

	for (i = 0; i < c->arg_count; i++)
		if (c->args[i].type == FXT_ARG_STRING && c->args[i].name.known == FXT_STR_CGROUP)
			name_cgroup(m, of, &c->args[i].text);
}

static int write_object(struct merge *m, struct merge_recording *of, struct fxt_reader *r,
			const struct fxt_record *rec)
{
	struct fxt_content *c = &m->f.content;
	uint64_t koid = c->object;

	if ((of->input->has_ledgers && streams_is_loss(c)) || is_named(m, of, c))
		return 0;
	merge_content(m, of, rec->provider->ticks_per_second, c);
	if (of->has_too_many)
		return -E2BIG;
	if (c->object_type == FXT_OBJECT_PROCESS || c->object_type == FXT_OBJECT_THREAD) {
		merge_lists(m, of, c);
		name_cgroups(m, of, c);
		add_label(m, of, c, koid);
		if (is_said(of, c))
			return 0;
	}
	enter(m, of, rec);
	return rewrite_put(&m->f, r, rec);
}

struct walk {
	struct merge *m;
	struct merge_recording *of;
};

static int head_record(void *arg, struct fxt_reader *r, const struct fxt_record *rec)
{
	struct walk *w = arg;
	struct merge *m = w->m;
	const struct fxt_content *c = &m->f.content;
	bool is_first = w->of->input == w->of->first && !w->of->has_session;
	int ret;

	if (rec->kind != FXT_KIND_KERNEL_OBJECT && rec->kind != FXT_KIND_BLOB)
		return 0;
	ret = rewrite_read(&m->f, r, rec);
	if (ret <= 0)
		return ret;
	if (rec->kind == FXT_KIND_KERNEL_OBJECT)
		return write_object(m, w->of, r, rec);
	if (c->name.known != FXT_STR_SESSION)
		return 0;
	/* The description of a later part adds nothing; only records after it matter. */
	if (!is_first && w->of->input->has_session) {
		w->of->input->has_session = false;
		if (w->of->input != w->of->first)
			return 0;
	}
	enter(m, w->of, rec);
	if (!is_first)
		return rewrite_put(&m->f, r, rec);
	write_session(m, w->of, &c->blob);
	return rewrite_error(&m->f);
}

/* Write all records of a recording that have no time. */
static int write_head(struct merge *m, struct merge_recording *of)
{
	struct walk w = { m, of };
	const struct rewrite_walk walk = { head_record, rewrite_skip_hot, &w };
	int status = VERB_DONE, ret = 0;

	for (of->input = of->first; of->input && !status && !ret; of->input = of->input->next) {
		struct io *io = &of->input->io;

		status = io_open(io);
		if (status)
			break;
		ret = rewrite_walk(&io->a, &walk);
		if (ret && ret != -ECANCELED)
			status = archive_close(&io->a, ret);
		else
			archive_drop(&io->a);
	}
	if (!status && ret == -ECANCELED)
		status = VERB_UNWRITABLE;
	return status;
}

/* --- records ------------------------------------------------------------------- */

static int write_ledger(struct merge *m, struct merge_recording *of,
			const struct fxt_record *rec, struct fxt_ledger *l)
{
	static const struct streams_range all = { 0, UINT64_MAX };
	uint64_t rate = rec->provider->ticks_per_second;

	l->time = merge_time(m, of, l->time, rate);
	if (l->last)
		l->last = merge_time(m, of, l->last, rate);
	if (l->stream != FXT_LEDGER_STREAM_NAMES)
		l->stream += of->cpu_base;
	of->now = fxt_ticks_to_ns(l->time, m->rate);
	of->stream = NULL;
	/* A stream that begins in a later part of a complete recording has no earlier records. */
	if (l->kind == FXT_LEDGER_OPENING && !l->written && of->input != of->first && !of->is_part)
		return 0;
	enter(m, of, rec);
	of->stream = streams_ledger(&m->st, l, provider_of(m, of, rec->provider->id), &all);
	return rewrite_error(&m->f);
}

static int put_record(struct merge *m, struct merge_recording *of, struct fxt_reader *r,
		      const struct fxt_record *rec)
{
	struct fxt_content *c = &m->f.content;

	enter(m, of, rec);
	if (c->kind == FXT_KIND_PROVIDER_EVENT)
		c->provider_id = provider_of(m, of, c->provider_id);
	if (streams_is_mark(c)) {
		if (streams_mark(&m->st, c))
			return rewrite_error(&m->f);
	} else if (of->stream && streams_counts(rec->provider, c)) {
		streams_record(&m->st, of->stream, c, true);
	}
	return rewrite_put(&m->f, r, rec);
}

/* The kernels of all machines are process 0, but their modules differ. */
static void map_module(struct merge *m, struct merge_recording *of, struct fxt_content *c)
{
	uint64_t id = m->modules + 1;

	if (m->recording_count == 1 || c->thread.process)
		return;
	if (!koids_get(&of->modules, c->module_id, &id)) {
		koids_set(&of->modules, c->module_id, id);
		m->modules++;
		of->has_too_many |= id > UINT16_MAX;
	}
	c->module_id = id;
}

/* Records that are neither about the archive, nor names, nor BLOBs. */
static int write_event(struct merge *m, struct merge_recording *of, struct fxt_reader *r,
		       const struct fxt_record *rec)
{
	struct fxt_content *c = &m->f.content;

	if (of->input->has_ledgers && streams_is_loss(c))
		return 0;
	merge_content(m, of, rec->provider->ticks_per_second, c);
	if (c->kind == FXT_KIND_MODULE || c->kind == FXT_KIND_MMAP)
		map_module(m, of, c);
	if (kernel_event_counts_cgroup(c))
		name_cgroup(m, of, &c->name);
	if (fxt_kind_has_time(c->kind) && !of->input->has_ledgers)
		of->now = fxt_ticks_to_ns(c->time, m->rate);
	return of->has_too_many ? -E2BIG : put_record(m, of, r, rec);
}

static int body_record(void *arg, struct fxt_reader *r, const struct fxt_record *rec)
{
	struct walk *w = arg;
	struct merge *m = w->m;
	struct merge_recording *of = w->of;
	struct fxt_content *c = &m->f.content;
	struct fxt_ledger l;
	int ret = rewrite_read(&m->f, r, rec);

	if (ret == -ENOTSUP) {
		enter(m, of, rec);
		return rewrite_undefined(&m->f, r, rec);
	}
	if (ret <= 0)
		return ret;
	switch (c->kind) {
	case FXT_KIND_PROVIDER_INFO:
	case FXT_KIND_PROVIDER_SECTION:
		of->stream = NULL;
		return 0;
	case FXT_KIND_INITIALIZATION:
	case FXT_KIND_KERNEL_OBJECT:
		return 0;
	case FXT_KIND_BLOB:
		if (fxt_ledger_of(c, &l))
			return write_ledger(m, of, rec, &l);
		if (!merge_keeps_blob(m, of, c))
			return 0;
		merge_symbols(m, of, c);
		return of->has_too_many ? -E2BIG : put_record(m, of, r, rec);
	default:
		return write_event(m, of, r, rec);
	}
}

#define HOT_MOST	128	/* records that are mapped at once */

static size_t body_hot(void *arg, const struct fxt_provider *provider,
		       const struct fxt_hot_run *run)
{
	uint64_t mapped[HOT_MOST * FXT_HOT_WORDS];
	struct walk *w = arg;
	struct merge_recording *of = w->of;
	struct fxt_hot_run some = *run;
	struct fxt_provider to = provider_in_result(w->m, of, provider);
	size_t n;

	if (!of->stream || !providers_is_now(&w->m->p, &to) ||
	    !streams_accept_hot(&w->m->st, of->stream, 0, true))
		return 0;
	some.count = run->count < HOT_MOST ? run->count : HOT_MOST;
	merge_hot(w->m, of, &some, mapped);
	n = of->has_too_many ? 0 : fxt_writer_hot(w->m->f.w, mapped, some.count);
	if (n)
		streams_hot(of->stream, mapped, n, true);
	return n;
}

/* At the end of an archive, go on with the next part, if there is one. */
static int next_input(struct merge_recording *of, int ret)
{
	int status = archive_close(&of->input->io.a, ret), opened;

	of->stream = NULL;
	of->input = of->input->next;
	if (ret || !of->input)
		return status;
	of->provider = NULL;
	opened = io_open(&of->input->io);
	if (opened)
		of->input = NULL;
	return opened > status ? opened : status;
}

/*
 * Read one recording up to its next ledger, where a chunk ends, or, without ledgers, until it has
 * caught up with the others. @status: set to the exit status of its archives.
 */
static int read_on(struct merge *m, struct merge_recording *of, uint64_t until, int *status)
{
	struct walk w = { m, of };
	const struct rewrite_walk walk = {
		body_record, of->input->has_ledgers ? body_hot : NULL, &w,
	};
	uint64_t before;
	int ret, ended;

	do {
		before = of->now;
		ret = rewrite_step(&of->input->io.a, &walk, &of->provider);
		if (ret > 0)
			continue;
		if (ret == -E2BIG || ret == -ECANCELED)
			return ret;
		ended = next_input(of, ret);
		*status = ended > *status ? ended : *status;
		/* Flush, so that readers of the result need not wait for more of it. */
		if (!ret && !of->input)
			streams_end(&m->st, of->cpu_base, of->cpus);
		return ret ? ret : rewrite_error(&m->f);
	} while (of->input->has_ledgers ? of->now == before : of->now <= until);
	return 0;
}

static struct merge_recording *least_far(struct merge *m, uint64_t *second)
{
	struct merge_recording *of, *least = NULL;
	size_t i;

	*second = UINT64_MAX;
	for (i = 0; i < m->recording_count; i++) {
		of = &m->recordings[i];
		if (!of->input)
			continue;
		if (!least || of->now < least->now) {
			*second = least ? least->now : UINT64_MAX;
			least = of;
		} else if (of->now < *second) {
			*second = of->now;
		}
	}
	return least;
}

static int report_failure(struct merge_recording *of, int ret)
{
	int status = VERB_UNREADABLE;

	if (ret == -E2BIG)
		message("fxt: cannot merge %s: it has more than 4194303 koids that are not Linux ids\n",
			of->first->io.input);
	else if (ret == -ECANCELED)
		status = VERB_UNWRITABLE;
	else
		status = archive_close(&of->input->io.a, ret);
	return status;
}

static int write_body(struct merge *m)
{
	struct merge_recording *of;
	int status = VERB_DONE, ret = 0, opened;
	uint64_t second;
	size_t i;

	for (i = 0; i < m->recording_count; i++) {
		of = &m->recordings[i];
		of->input = of->first;
		opened = io_open(&of->input->io);
		if (opened)
			return opened;
	}
	while (!ret && (of = least_far(m, &second))) {
		ret = read_on(m, of, second, &status);
		/* An error of reading an archive was reported already. */
		if (ret && of->input && of->input->io.a.r)
			return report_failure(of, ret);
	}
	if (!ret)
		streams_finish(&m->st);
	return status;
}

static int write_all(struct merge *m)
{
	int status = VERB_DONE;
	size_t i;

	for (i = 0; i < m->recording_count && !status; i++)
		status = write_head(m, &m->recordings[i]);
	return status ? status : write_body(m);
}

int merge_write_to(struct merge *m, struct pack *pack, bool *is_complete)
{
	int status;

	m->p.f = &m->f;
	m->st.p = &m->p;
	rewrite_open(&m->f, pack);
	status = write_all(m);
	rewrite_close(&m->f);
	streams_free(&m->st);
	providers_free(&m->p);
	free(m->symbols);
	*is_complete = !m->f.write_error && archive_is_read(&m->how, status);
	return rewrite_status(&m->f, m->inputs->io.a.path, m->output,
			      m->f.write_error ? VERB_DONE : status);
}

int merge_write(struct merge *m)
{
	bool is_complete;
	int status = merge_write_to(m, pack_open(m->output, m->result.fd), &is_complete);

	return result_end(&m->result, status, is_complete);
}
