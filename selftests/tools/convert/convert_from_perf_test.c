// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * trace.dat of trace-cmd and perf.data: file and text become the same switches and wakeups; a
 * damaged file is an error, never a crash.
 */
#include <sys/resource.h>

#include <zstd.h>

#include "convert_run.h"

#define MAX_FILE	(1U << 20)

static int run_on(struct tool *t, const char *verb, const char *option, const char *vector)
{
	return tool_run(t, ARGS(verb, option, vector));
}

/*
 * Strip the offsets of records and the names from the lines of a dump. The text lacks some of the
 * events that name threads.
 */
static char *plain(const char *dump)
{
	char *all = malloc(strlen(dump) + 1), *to = all;
	const char *at = dump;

	while (all && *at) {
		if (at == dump || at[-1] == '\n')
			at += strcspn(at, " ");
		if (!strncmp(at, "_name=\"", 7))
			at = strchr(at + 7, '"') + 1;
		if (!strncmp(at, ":\"", 2))
			at = strchr(at + 2, '"') + 1;
		*to++ = *at++;
	}
	if (all)
		*to = '\0';
	return all;
}

static void expect_same(struct __test_metadata *_metadata, const char *kinds, const char *file,
			const char *text)
{
	char path[4096];
	struct tool of_file, of_text;
	char *a, *b;

	EXPECT_EQ(0, run_on(&of_file, "dump", kinds, built_path(path, sizeof(path), file)))
		TH_LOG("%s", of_file.err);
	EXPECT_EQ(0, run_on(&of_text, "dump", kinds, built_path(path, sizeof(path), text)))
		TH_LOG("%s", of_text.err);
	EXPECT_LT(1000UL, of_file.out_bytes);
	a = plain(of_file.out);
	b = plain(of_text.out);
	ASSERT_NE(NULL, a);
	ASSERT_NE(NULL, b);
	EXPECT_STREQ(a, b);
}

TEST(trace_dat_as_trace_cmd_shows_it)
{
	NEEDS("trace.dat");
	expect_same(_metadata, "--type=context_switch,thread_wakeup,duration_complete",
		    "vectors/trace.dat.gz", "vectors/trace-cmd.txt");
}

/*
 * With -C x86-tsc, the file does not say how many ticks a second has; with -C tsc2nsec it does, and
 * trace-cmd report -t shows the times expected here.
 */
TEST(ticks_of_trace_dat)
{
	char path[4096];
	struct tool t;

	NEEDS("trace.dat");
	built_path(path, sizeof(path), "vectors/trace-x86-tsc.dat.gz");
	EXPECT_EQ(EXIT_UNREADABLE, run_on(&t, "report", "-q", path));
	EXPECT_IN(t.err, "its times are ticks of the clock x86-tsc, and the trace does not state how many a second has; give it with --ticks-per-second=N");
	EXPECT_EQ(0UL, t.out_bytes);
	/* 40159447335 and 40475114685 ticks */
	EXPECT_EQ(0, run_on(&t, "dump", "--ticks-per-second=2300000000", path));
	EXPECT_IN(t.out, " 17.460629276 cpu=0 waking_thread=18");
	EXPECT_IN(t.out, " 17.597875950 cpu=0 outgoing_state=preempted outgoing_thread=0");
	built_path(path, sizeof(path), "vectors/trace-tsc2nsec.dat.gz");
	EXPECT_EQ(0, run_on(&t, "dump", "--ticks-per-second=1", path));
	EXPECT_IN(t.out, " 24.147002640 cpu=0 waking_thread=39");
	EXPECT_IN(t.out, " 24.293854896 cpu=1 outgoing_state=preempted outgoing_thread=0");
}

static unsigned int lines_with(const char *text, const char *word)
{
	unsigned int count = 0;

	for (; (text = strstr(text, word)); text++)
		count++;
	return count;
}

/*
 * Each kind of event is read from one buffer. trace-cmd report shows as many events. In the first
 * file, the top buffer and instance one have switches and wakeups; in the second one, only the
 * instances have events, and instance two has the interrupts.
 */
TEST(instances_of_trace_dat)
{
	static const struct {
		const char *vector;
		unsigned int switches, wakeups, interrupts;
		int status;
		const char *message;
	} files[] = {
		{ "vectors/trace-instances-6.dat.gz", 290, 151, 109 + 129, EXIT_DEVIATES,
		  "438 events of the top buffer are left out: another buffer has more of these kinds" },
		{ "vectors/trace-instances-7.dat.gz", 244, 126, 98 + 109, 0, "" },
	};
	char path[4096];
	struct tool t;

	NEEDS("trace.dat");
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		built_path(path, sizeof(path), files[i].vector);
		EXPECT_EQ(files[i].status, run_on(&t, "dump", "-q", path));
		EXPECT_EQ(files[i].switches, lines_with(t.out, " context_switch "));
		EXPECT_EQ(files[i].wakeups, lines_with(t.out, " thread_wakeup "));
		EXPECT_EQ(files[i].interrupts, lines_with(t.out, " duration_complete "));
		EXPECT_IN(t.err, files[i].message);
		EXPECT_NOT_IN(t.err, "of instance");
		EXPECT_EQ(files[i].status, run_on(&t, "check", "--only=format,sched", path));
		EXPECT_IN(t.out, ": clean: ");
	}
}

/* The library needs an unpacked copy of the file. */
TEST(no_room_to_unpack_trace_dat)
{
	const struct rlimit little = { 8192, 8192 };
	char path[4096];
	struct tool t;

	NEEDS("trace.dat");
	signal(SIGXFSZ, SIG_IGN);
	ASSERT_EQ(0, setrlimit(RLIMIT_FSIZE, &little));
	EXPECT_EQ(EXIT_UNWRITABLE, run_on(&t, "report", "--json",
			    built_path(path, sizeof(path), "vectors/trace.dat.gz")));
	EXPECT_IN(t.err, "trace.dat.gz to a temporary file: File too large; check the free space in /tmp\n");
}

/* The text does not show which wakeups interrupts caused. */
TEST(perf_data_as_perf_shows_it)
{
	NEEDS("perf.data");
	expect_same(_metadata, "--type=context_switch", "vectors/perf.data.gz",
		    "vectors/perf-script.txt");
}

TEST(wakers_and_processes_of_perf)
{
	char path[4096];
	struct tool t;

	NEEDS("perf.data");
	ASSERT_EQ(0, run_on(&t, "dump", "--strict", built_path(path, sizeof(path),
							      "vectors/perf.data.gz")));
	EXPECT_IN(t.out, "irq=\"hard\"");
	EXPECT_IN(t.out, "irq=\"soft\"");
	EXPECT_IN(t.out, "waker=");
	EXPECT_IN(t.out, "name=\"sh\" { process=");
	EXPECT_IN(t.out, " exec=");
	EXPECT_IN(t.out, " fork=");
}

TEST(every_command)
{
	static const char * const verbs[] = { "info", "dump", "report" };
	static const char * const files[] = {
		"vectors/trace.dat.gz", "vectors/perf.data.gz", "vectors/perf-pipe.data.gz",
	};
	char path[4096];
	struct tool t;

	NEEDS("trace.dat");
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		for (size_t k = 0; k < sizeof(files) / sizeof(files[0]); k++) {
			EXPECT_EQ(0, run_on(&t, verbs[i], "--strict",
					    built_path(path, sizeof(path), files[k])))
				TH_LOG("%s %s: %s", verbs[i], files[k], t.err);
			EXPECT_LT(100UL, t.out_bytes);
		}
	}
}

static size_t unpack(const char *vector, char *to)
{
	char path[4096], command[5000];
	size_t bytes;
	FILE *f;

	snprintf(command, sizeof(command), "gzip -dc %s", built_path(path, sizeof(path), vector));
	f = popen(command, "r");
	bytes = f ? fread(to, 1, MAX_FILE, f) : 0;
	return f && !pclose(f) ? bytes : 0;
}

static int status_of(const char *data, size_t bytes, struct tool *t)
{
	struct memory m;

	if (memory_open(&m) || write(m.fd, data, bytes) != (ssize_t)bytes || memory_map(&m))
		return -1;
	return convert(t, "fxt", "-q", &m);
}

/* The file itself defines the letters of states. This one has a letter of another kernel. */
TEST(states_of_trace_dat)
{
	static const char today[] = "{ 0x00000020, \"Z\" }", other[] = "{ 0x00000020, \"X\" }";
	char *data = malloc(MAX_FILE), *at;
	struct tool plain, changed;
	size_t bytes;
	struct memory m;

	NEEDS("trace.dat");
	ASSERT_NE(NULL, data);
	bytes = unpack("vectors/trace.dat.gz", data);
	for (at = data; (at = memmem(at, data + bytes - at, today, sizeof(today) - 1)); )
		memcpy(at, other, sizeof(other) - 1);
	ASSERT_EQ(0, memory_open(&m));
	ASSERT_EQ((ssize_t)bytes, write(m.fd, data, bytes));
	ASSERT_EQ(0, memory_map(&m));
	ASSERT_EQ(0, lseek(m.fd, 0, SEEK_SET));
	EXPECT_EQ(0, tool_run_from(&changed, ARGS("dump", "-"), m.fd));
	EXPECT_EQ(0, run_on(&plain, "dump", "-q", built_path(data, MAX_FILE, "vectors/trace.dat.gz")));
	EXPECT_EQ(10U, lines_with(plain.out, "outgoing_state=dying"));
	EXPECT_EQ(0U, lines_with(plain.out, "outgoing_state=dead"));
	EXPECT_EQ(10U, lines_with(changed.out, "outgoing_state=dead")) TH_LOG("%s", changed.err);
}

/* Cut the file anywhere: either the rest is read, or an error gives the reason. */
static void cut_everywhere(struct __test_metadata *_metadata, const char *vector)
{
	char *data = malloc(MAX_FILE);
	size_t bytes = data ? unpack(vector, data) : 0, at;
	struct tool t;
	int status;

	ASSERT_LT(1000UL, bytes);
	for (at = 24; at < bytes; at += bytes / 40 + 1) {
		status = status_of(data, at, &t);
		EXPECT_LE(0, status);
		EXPECT_GE(EXIT_UNREADABLE, status) TH_LOG("%zu bytes: %s", at, t.err);
		EXPECT_TRUE(!status || t.err[0]) TH_LOG("%zu bytes", at);
	}
	EXPECT_NE(0, status_of(data, 64, &t));
}

TEST(cut_files)
{
	NEEDS("trace.dat");
	cut_everywhere(_metadata, "vectors/trace.dat.gz");
	cut_everywhere(_metadata, "vectors/trace-instances-7.dat.gz");
	cut_everywhere(_metadata, "vectors/perf.data.gz");
	cut_everywhere(_metadata, "vectors/perf-pipe.data.gz");
	cut_everywhere(_metadata, "vectors/perf-z.data.gz");
	cut_everywhere(_metadata, "vectors/perf-z2.data.gz");
}

#define PAGE		4096
#define PAGE_HEAD	16		/* time, then bytes of events */
#define SWITCH_ID	372		/* id of sched_switch in the vector */

/* Make the file's last page look full, with a switch that exceeds the file. */
static void overflow_last_page(char *data, size_t bytes)
{
	char *page = data + bytes - PAGE;
	uint64_t used, all = PAGE - PAGE_HEAD;
	uint32_t padding[2], event[2] = { 16, SWITCH_ID };
	const size_t at = PAGE - 24;

	memcpy(&used, page + 8, sizeof(used));
	memcpy(page + 8, &all, sizeof(all));
	padding[0] = 29 | 1 << 5;
	padding[1] = at - (PAGE_HEAD + used) - sizeof(uint32_t);
	memcpy(page + PAGE_HEAD + used, padding, sizeof(padding));
	memcpy(page + at, event, sizeof(event));
}

/* The library does not check that a record ends within its page. */
TEST(records_end_with_their_page)
{
	char *data = malloc(MAX_FILE);
	size_t bytes = data ? unpack("vectors/trace.dat.gz", data) : 0;
	struct tool t;

	NEEDS("trace.dat");
	ASSERT_LT(2UL * PAGE, bytes);
	overflow_last_page(data, bytes);
	EXPECT_EQ(EXIT_DEVIATES, status_of(data, bytes, &t)) TH_LOG("%s", t.err);
	EXPECT_IN(t.err, ": 1 damaged records are left out");
}

TEST(bad_files)
{
	static const struct {
		const char *data;
		size_t bytes;
		const char *message;
	} bad[] = {
#define FILE_OF(bytes, message)	{ bytes, sizeof(bytes) - 1, message }
		FILE_OF("PERFILE2\x68\0\0\0\0\0\0\0", "byte 0: the header is truncated"),
		FILE_OF("2ELIFREP\0\0\0\0\0\0\0\x68", "another byte order"),
		FILE_OF("PERFILE2\x10\0\0\0\0\0\0\0\x51\0\0\0\0\0\x10\0damaged!", "byte 16: zstd cannot unpack the record"),
		FILE_OF("PERFILE2\x10\0\0\0\0\0\0\0\x53\0\0\0\0\0\x10\0\1\0\0\0\0\0\0\0", "byte 16: a compressed record is truncated"),
		FILE_OF("PERFILE2\x10\0\0\0\0\0\0\0\x09\0\0\0\0\0\x07\0", "byte 16: a record is truncated"),
		FILE_OF("\x17\x08\x44tracing6\0", "libtracecmd cannot open it"),
	};
	struct tool t;
	size_t i;

	NEEDS("trace.dat");
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		EXPECT_EQ(EXIT_UNREADABLE, status_of(bad[i].data, bad[i].bytes, &t));
		EXPECT_NE(NULL, strstr(t.err, bad[i].message)) TH_LOG("%zu: %s", i, t.err);
	}
}

/* --- records that perf compresses ------------------------------------------------------- */

#define PERF_COMM		3
#define PERF_USER		64	/* the first type of perf's own */
#define PERF_COMPRESSED		81
#define PERF_COMPRESSED2	83
#define MAX_CHUNK		(2U << 20)
#define DATA_SECTION		40	/* offset of its place and size */
#define COMMS			20000

/** struct packer - writes perf.data again, with the kernel's records compressed */
struct packer {
	uint32_t type;	/* type of the compressed records */
	/* bytes that become one compressed record, which may split a record of the kernel */
	size_t chunk;
	size_t last;	/* offset of the last compressed record */
	ZSTD_CCtx *zstd;
	char out[MAX_FILE];
	size_t bytes;
};

static void pack_bytes(struct packer *p, const void *data, size_t bytes)
{
	memcpy(p->out + p->bytes, data, bytes);
	p->bytes += bytes;
}

static void pack_record(struct packer *p, const char *data, size_t bytes)
{
	const uint64_t length = bytes, zeros = 0;
	size_t padding = p->type == PERF_COMPRESSED2 ? -bytes & 7 : 0;
	size_t whole = 8 + (p->type == PERF_COMPRESSED2 ? 8 : 0) + bytes + padding;
	const uint32_t header[2] = { p->type, (uint32_t)whole << 16 };

	p->last = p->bytes;
	pack_bytes(p, header, sizeof(header));
	if (p->type == PERF_COMPRESSED2)
		pack_bytes(p, &length, sizeof(length));
	pack_bytes(p, data, bytes);
	pack_bytes(p, &zeros, padding);
}

/* Compress like perf: one stream, flushed after each record, but never ended. */
static bool pack_run(struct packer *p, const char *data, size_t bytes)
{
	static char packed[MAX_FILE];

	for (size_t at = 0; at < bytes; at += p->chunk) {
		ZSTD_inBuffer in = { data + at, bytes - at < p->chunk ? bytes - at : p->chunk, 0 };
		ZSTD_outBuffer out = { packed, sizeof(packed), 0 };

		if (ZSTD_compressStream2(p->zstd, &out, &in, ZSTD_e_flush) || out.pos > 60000)
			return false;
		pack_record(p, packed, out.pos);
	}
	return true;
}

static size_t record_bytes(const char *record, uint32_t *type)
{
	uint16_t size;

	memcpy(type, record, sizeof(*type));
	memcpy(&size, record + 6, sizeof(size));
	return size;
}

/* @comms: number of copies of the first COMM record to add, all in one run; 0: change nothing */
static bool pack_records(struct packer *p, const char *data, size_t bytes, unsigned int comms)
{
	char *run = malloc(MAX_FILE * 2);
	bool good = run, is_one_run = comms;
	size_t at, size, in_run = 0;
	uint32_t type;

	for (at = 0; good && at < bytes; at += size) {
		size = record_bytes(data + at, &type);
		if (type >= PERF_USER && is_one_run)
			continue;
		if (type >= PERF_USER) {
			good = pack_run(p, run, in_run);
			in_run = 0;
			pack_bytes(p, data + at, size);
			continue;
		}
		for (; type == PERF_COMM && comms; comms--, in_run += size)
			memcpy(run + in_run, data + at, size);
		memcpy(run + in_run, data + at, size);
		in_run += size;
	}
	return good && pack_run(p, run, in_run);
}

/* The sections of features follow the data. */
static bool pack(struct packer *p, const char *file, size_t bytes, unsigned int comms)
{
	uint64_t at, size, packed, moved;
	size_t entries;

	p->zstd = ZSTD_createCCtx();
	memcpy(&at, file + DATA_SECTION, sizeof(at));
	memcpy(&size, file + DATA_SECTION + 8, sizeof(size));
	p->bytes = 0;
	pack_bytes(p, file, at);
	if (!p->zstd || !pack_records(p, file + at, size, comms))
		return false;
	packed = p->bytes - at;
	memcpy(p->out + DATA_SECTION + 8, &packed, sizeof(packed));
	entries = p->bytes;
	pack_bytes(p, file + at + size, bytes - at - size);
	/* Formats are the only feature of the vector. */
	memcpy(&moved, p->out + entries, sizeof(moved));
	moved += packed - size;
	memcpy(p->out + entries, &moved, sizeof(moved));
	ZSTD_freeCCtx(p->zstd);
	return true;
}

static char *dump_of(const char *data, size_t bytes, int *status)
{
	struct memory m;
	char path[64];
	struct tool t;

	*status = -1;
	if (memory_open(&m) || write(m.fd, data, bytes) != (ssize_t)bytes || memory_map(&m))
		return NULL;
	*status = run_on(&t, "dump", "--strict", memory_path(&m, path));
	return strdup(*status ? t.err : t.out);
}

FIXTURE(packed) {
	char file[MAX_FILE];
	size_t bytes;
	char *plain;	/* its dump */
	struct packer p;
};

FIXTURE_SETUP(packed)
{
	int status;

	NEEDS("perf.data");
	self->bytes = unpack("vectors/perf.data.gz", self->file);
	self->plain = dump_of(self->file, self->bytes, &status);
	ASSERT_EQ(0, status) TH_LOG("%s", self->plain);
	ASSERT_LT(10000UL, strlen(self->plain));
}

FIXTURE_TEARDOWN(packed) { }

static void expect_plain(struct __test_metadata *_metadata, FIXTURE_DATA(packed) *self,
			 unsigned int comms)
{
	char *dump;
	int status;

	ASSERT_TRUE(pack(&self->p, self->file, self->bytes, comms));
	dump = dump_of(self->p.out, self->p.bytes, &status);
	EXPECT_EQ(0, status);
	EXPECT_STREQ(self->plain, dump) TH_LOG("%u: %zu bytes", self->p.type, self->p.chunk);
}

/* The result does not depend on where compressed records end. */
TEST_F(packed, as_not_compressed)
{
	static const size_t chunks[] = { 7, 500, MAX_CHUNK };

	for (size_t i = 0; i < sizeof(chunks) / sizeof(chunks[0]); i++) {
		self->p.chunk = chunks[i];
		self->p.type = PERF_COMPRESSED;
		expect_plain(_metadata, self, 0);
		self->p.type = PERF_COMPRESSED2;
		expect_plain(_metadata, self, 0);
	}
}

/* A compressed record of 1 MB of data is several times as large as the room for it. */
TEST_F(packed, more_than_there_is_room_for)
{
	self->p.type = PERF_COMPRESSED;
	self->p.chunk = MAX_CHUNK;
	expect_plain(_metadata, self, COMMS);
}

TEST_F(packed, damaged)
{
	const uint32_t ignored = 1000;
	struct tool t;

	self->p.type = PERF_COMPRESSED2;
	self->p.chunk = 500;
	ASSERT_TRUE(pack(&self->p, self->file, self->bytes, 0));
	memset(self->p.out + self->p.last + 16, 0xff, 3);
	EXPECT_EQ(EXIT_DEVIATES, status_of(self->p.out, self->p.bytes, &t));
	EXPECT_IN(t.err, "zstd cannot unpack the record; it is damaged");
	/* Without the last compressed record, a record of the kernel is incomplete. */
	ASSERT_TRUE(pack(&self->p, self->file, self->bytes, 0));
	memcpy(self->p.out + self->p.last, &ignored, sizeof(ignored));
	EXPECT_EQ(EXIT_DEVIATES, status_of(self->p.out, self->p.bytes, &t));
	EXPECT_IN(t.err, "the last compressed record is truncated");
}

/* Files of perf 6.1 and of perf 7.2, whose perf script shows as many switches. */
TEST(compressed_by_perf)
{
	static const struct {
		const char *vector, *switches;
	} files[] = {
		{ "vectors/perf-z.data.gz", "\"switches\":645," },
		{ "vectors/perf-z2.data.gz", "\"switches\":451," },
	};
	char path[4096];
	struct tool t;

	NEEDS("perf.data");
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		EXPECT_EQ(0, run_on(&t, "report", "--json",
				    built_path(path, sizeof(path), files[i].vector)))
			TH_LOG("%s", t.err);
		EXPECT_NE(NULL, strstr(t.out, files[i].switches)) TH_LOG("%.200s", t.out);
	}
}
