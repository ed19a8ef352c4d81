// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * trace.c - see trace.h: the loading.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace.h"

/* What is needed on the way from record to record. */
struct loader {
	struct trace *t;
	struct fxt_reader *r;
	struct trace_stream *stream;	/* that records belong to now, or NULL */
	bool after_loss;		/* the stream's next event follows a gap */
	struct why *why;
};

int complain(struct why *why, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(why->text, sizeof(why->text), format, args);
	va_end(args);
	return -1;
}

/* Room for one more: doubles at each power of two. */
static void *grow(void *array, size_t count, size_t size)
{
	if (count & (count - 1))
		return array;
	array = realloc(array, (count ? count * 2 : 1) * size);
	if (!array)
		abort();
	return array;
}

#define ADD(array, count)							\
	((array) = grow(array, count, sizeof(*(array))), &(array)[(count)++])

const struct trace_stream *trace_stream(const struct trace *t, uint32_t id)
{
	size_t i;

	for (i = 0; i < t->stream_count; i++)
		if (t->streams[i].id == id)
			return &t->streams[i];
	return NULL;
}

const struct trace_name *trace_find_name(const struct trace *t, uint8_t type,
					 uint64_t koid)
{
	size_t i;

	for (i = t->name_count; i--; )
		if (t->names[i].type == type && t->names[i].koid == koid)
			return &t->names[i];
	return NULL;
}

uint64_t trace_lost(const struct trace *t)
{
	uint64_t lost = 0;
	size_t i;

	for (i = 0; i < t->stream_count; i++)
		if (t->streams[i].ledger_count)
			lost += t->streams[i].ledgers[t->streams[i].ledger_count - 1].l.lost;
	return lost;
}

static int load_ledger(struct loader *l, const struct fxt_record *rec,
		       const struct fxt_ledger *ledger)
{
	struct trace_stream *s = (void *)trace_stream(l->t, ledger->stream);
	struct trace_ledger *entry;

	if (!s) {
		s = ADD(l->t->streams, l->t->stream_count);
		*s = (struct trace_stream){ .id = ledger->stream };
	}
	if (s->closed)
		return complain(l->why, "byte %" PRIu64 ": ledger of stream %u after its closing one",
				rec->offset, s->id);
	l->after_loss = ledger->kind != FXT_LEDGER_CONTINUED &&
			ledger->lost > (s->ledger_count ?
					s->ledgers[s->ledger_count - 1].l.lost : 0);
	entry = ADD(s->ledgers, s->ledger_count);
	*entry = (struct trace_ledger){ rec->offset, *ledger, s->stored };
	s->closed = ledger->kind == FXT_LEDGER_CLOSING;
	l->stream = s->closed ? NULL : s;
	return 0;
}

static int load_blob(struct loader *l, const struct fxt_record *rec)
{
	uint64_t header = rec->words[0], bytes = fxt_get(FXT_BLOB_SIZE, header);
	uint64_t name = fxt_get(FXT_BLOB_NAME, header);
	struct fxt_ledger ledger;

	if (header & FXT_BLOB_RESERVED)
		return complain(l->why, "byte %" PRIu64 ": reserved bits of a blob",
				rec->offset);
	if (name == FXT_STR_LEDGER) {
		if (rec->size == FXT_LEDGER_WORDS &&
		    fxt_sched_get_ledger((const void *)rec->words, &ledger))
			return load_ledger(l, rec, &ledger);
		return complain(l->why, "byte %" PRIu64 ": a ledger that is none",
				rec->offset);
	}
	if (name == FXT_STR_SESSION && bytes < sizeof(l->t->session))
		memcpy(l->t->session, rec->words + 1, bytes);
	return 0;
}

static int load_scheduling(struct loader *l, const struct fxt_record *rec)
{
	uint64_t header = rec->words[0], reserved = 0;
	struct trace_event e = { .offset = rec->offset };
	int ret = -1;

	if (!l->stream || l->stream->id == FXT_LEDGER_STREAM_NAMES)
		return complain(l->why, "byte %" PRIu64 ": scheduling record outside the streams of CPUs",
				rec->offset);
	switch (fxt_get(FXT_SCHEDULING_TYPE, header)) {
	case FXT_SCHEDULING_CONTEXT_SWITCH:
		reserved = header & FXT_SWITCH_RESERVED;
		ret = fxt_read_switch(l->r, rec, &e.sw);
		e.time = e.sw.time;
		break;
	case FXT_SCHEDULING_THREAD_WAKEUP:
		reserved = header & FXT_WAKEUP_RESERVED;
		ret = fxt_read_wakeup(l->r, rec, &e.wakeup);
		e.time = e.wakeup.time;
		e.is_wakeup = true;
		break;
	}
	if (ret || reserved)
		return complain(l->why, "byte %" PRIu64 ": scheduling record with header %#" PRIx64 ": %s",
				rec->offset, header, fxt_reader_error(l->r));
	e.stream = l->stream->id;
	e.after_loss = l->after_loss;
	l->after_loss = false;
	l->stream->stored++;
	*ADD(l->stream->events, l->stream->event_count) = e;
	return 0;
}

/* Names of the tracks of losses stand between the chunks of other streams. */
static bool is_loss_koid(uint64_t koid)
{
	return koid >= FXT_SCHED_KOID_LOSS &&
	       koid <= fxt_sched_loss_koid(FXT_LEDGER_STREAM_NAMES);
}

static int load_object(struct loader *l, const struct fxt_record *rec)
{
	struct trace_name n = { .offset = rec->offset };
	struct fxt_object o;

	if (rec->words[0] & FXT_KERNEL_OBJECT_RESERVED ||
	    fxt_read_object(l->r, rec, &o))
		return complain(l->why, "byte %" PRIu64 ": kernel object record: %s",
				rec->offset, fxt_reader_error(l->r));
	if (is_loss_koid(o.koid))
		return 0;
	if (l->stream && l->stream->id != FXT_LEDGER_STREAM_NAMES)
		return complain(l->why, "byte %" PRIu64 ": kernel object %" PRIu64 " in the stream of CPU %u",
				rec->offset, o.koid, l->stream->id);
	if (l->stream)
		l->stream->stored++;
	n.koid = o.koid;
	n.process = o.process;
	n.type = o.type;
	snprintf(n.text, sizeof(n.text), "%.*s", (int)o.name.length, o.name.bytes);
	*ADD(l->t->names, l->t->name_count) = n;
	return 0;
}

static int load_event(struct loader *l, const struct fxt_record *rec)
{
	struct fxt_arg args[FXT_MAX_ARGS];
	struct fxt_event_info e;
	unsigned int count;

	if (fxt_read_event(l->r, rec, &e, args, &count))
		return complain(l->why, "byte %" PRIu64 ": event: %s", rec->offset,
				fxt_reader_error(l->r));
	if (e.type != FXT_EVENT_DURATION_COMPLETE || count != 1 ||
	    !fxt_text_is(&e.category, "fxt_sched") || !fxt_text_is(&e.name, "lost") ||
	    !fxt_text_is(&args[0].name, "records") ||
	    e.process != FXT_SCHED_KOID_LOSS || !is_loss_koid(e.thread))
		return complain(l->why, "byte %" PRIu64 ": event that is no loss",
				rec->offset);
	*ADD(l->t->losses, l->t->loss_count) = (struct trace_loss) {
		.stream = e.thread - fxt_sched_loss_koid(0),
		.from = e.time,
		.to = e.last,
		.records = args[0].value,
	};
	return 0;
}

static int load_metadata(struct loader *l, const struct fxt_record *rec)
{
	uint64_t header = rec->words[0], reserved = 0;

	switch (fxt_get(FXT_METADATA_TYPE, header)) {
	case FXT_METADATA_PROVIDER_INFO:
		reserved = header & FXT_PROVIDER_INFO_RESERVED;
		break;
	case FXT_METADATA_PROVIDER_SECTION:
		reserved = header & FXT_PROVIDER_SECTION_RESERVED;
		break;
	case FXT_METADATA_PROVIDER_EVENT:
		reserved = header & FXT_PROVIDER_EVENT_RESERVED;
		l->t->provider_events++;
		break;
	case FXT_METADATA_TRACE_INFO:
		break;
	default:
		reserved = header;
	}
	if (reserved)
		return complain(l->why, "byte %" PRIu64 ": metadata %#" PRIx64,
				rec->offset, header);
	return 0;
}

static int load_record(struct loader *l, const struct fxt_record *rec)
{
	switch (rec->type) {
	case FXT_RECORD_METADATA:
		return load_metadata(l, rec);
	case FXT_RECORD_INITIALIZATION:
		if (rec->words[0] & FXT_INITIALIZATION_RESERVED)
			break;
		return 0;
	case FXT_RECORD_STRING:
		if (rec->words[0] & FXT_STRING_RESERVED)
			break;
		return 0;
	case FXT_RECORD_EVENT:
		return load_event(l, rec);
	case FXT_RECORD_BLOB:
		return load_blob(l, rec);
	case FXT_RECORD_KERNEL_OBJECT:
		return load_object(l, rec);
	case FXT_RECORD_SCHEDULING:
		return load_scheduling(l, rec);
	}
	return complain(l->why, "byte %" PRIu64 ": record of type %u with header %#" PRIx64,
			rec->offset, rec->type, (uint64_t)rec->words[0]);
}

/* Does the file end within the record that begins at this byte? */
static bool ends_within(const char *path, uint64_t offset)
{
	uint64_t header, size;
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool ends;

	if (fd < 0 || fstat(fd, &st))
		abort();
	ends = pread(fd, &header, sizeof(header), offset) < (ssize_t)sizeof(header);
	close(fd);
	size = ends ? 0 : fxt_get(FXT_SIZE, header);
	return ends || (size && offset + size * FXT_WORD > (uint64_t)st.st_size);
}

int trace_load(struct trace *t, const char *path, bool torn_ok, struct why *why)
{
	struct loader l = { .t = t, .why = why };
	struct fxt_record rec;
	int ret;

	memset(t, 0, sizeof(*t));
	ret = fxt_reader_open(&l.r, path);
	if (ret)
		return complain(why, "%s: %s", path, strerror(-ret));
	while ((ret = fxt_reader_next(l.r, &rec)) == 1) {
		t->bytes = rec.offset + (uint64_t)rec.size * FXT_WORD;
		ret = load_record(&l, &rec);
		if (ret)
			break;
	}
	t->ticks_per_second = fxt_reader_ticks_per_second(l.r);
	if (ret == -EBADMSG && torn_ok && ends_within(path, t->bytes)) {
		t->torn = true;
		ret = 0;
	} else if (ret == -EBADMSG) {
		complain(why, "%s: %s", path, fxt_reader_error(l.r));
	}
	fxt_reader_close(l.r);
	return ret ? -1 : 0;
}

void trace_free(struct trace *t)
{
	size_t i;

	for (i = 0; i < t->stream_count; i++) {
		free(t->streams[i].events);
		free(t->streams[i].ledgers);
	}
	free(t->streams);
	free(t->names);
	free(t->losses);
	memset(t, 0, sizeof(*t));
}
