// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Parents of processes, and the CPUs that threads may run on. This test forks A, which forks B,
 * which forks C; then B ends. Records of forks name the parents at birth, and so does fxt report,
 * even of C, whose parent has ended when it changes its name; a process that the rundown finds has
 * the parent that getppid(2) returns there. The rundown has the CPUs of threads that may not run on
 * all.
 */
#include <json-c/json.h>
#include <pthread.h>

#include "kmod.h"
#include "tool.h"
#include "source_fixture.h"

SOURCE_FIXTURE(families);

struct family {
	pid_t a, b, c;
	pid_t thread;	/* id of a thread of A */
	pid_t adopted;	/* id of C's parent after the end of B */
	int end;	/* closing it ends the family */
};

struct message {
	pid_t b, c, thread, adopted;
};

static void *wait_for_ever(void *arg)
{
	*(volatile pid_t *)arg = gettid();
	for (;;)
		pause();
	return NULL;
}

static void live_as_c(pid_t b, struct message *m, int to, int end)
{
	char byte;

	while (getppid() == b)
		usleep(1000);
	m->b = b;
	m->c = getpid();
	m->adopted = getppid();
	/* C renames itself when its first parent has ended. */
	prctl(PR_SET_NAME, "family C renamed");
	if (write(to, m, sizeof(*m)) != sizeof(*m) || read(end, &byte, 1))
		_exit(1);
	_exit(0);
}

static void live_as_b(struct message *m, int to, int end, int cpu)
{
	pid_t b = getpid(), c;

	prctl(PR_SET_NAME, "family B");
	c = fork();
	if (!c) {
		prctl(PR_SET_NAME, "family C");
		pin(cpu);
		live_as_c(b, m, to, end);
	}
	_exit(c < 0);
}

static void live_as_a(int to, int end, int cpu)
{
	struct message m = { 0 };
	pthread_t thread;
	int status;
	char byte;
	pid_t b;

	prctl(PR_SET_NAME, "family A");
	if (pthread_create(&thread, NULL, wait_for_ever, &m.thread))
		_exit(1);
	while (!*(volatile pid_t *)&m.thread)
		usleep(1000);
	b = fork();
	if (!b)
		live_as_b(&m, to, end, cpu);
	close(to);
	if (b < 0 || waitpid(b, &status, 0) != b || status || read(end, &byte, 1))
		_exit(1);
	_exit(0);
}

/* Close all other descriptors, including the gate of the recording. */
static void keep_only(int to, int end)
{
	for (int fd = 3; fd < 256; fd++)
		if (fd != to && fd != end)
			close(fd);
}

/* @cpu: the only CPU that C may use */
static int family_begin(struct family *f, int cpu)
{
	int told[2], end[2];
	struct message m;
	ssize_t n;

	if (pipe2(told, O_CLOEXEC) || pipe2(end, O_CLOEXEC))
		return -1;
	f->a = fork();
	if (!f->a) {
		keep_only(told[1], end[0]);
		live_as_a(told[1], end[0], cpu);
	}
	close(told[1]);
	close(end[0]);
	n = f->a < 0 ? -1 : read(told[0], &m, sizeof(m));
	close(told[0]);
	f->end = end[1];
	f->b = m.b;
	f->c = m.c;
	f->thread = m.thread;
	f->adopted = m.adopted;
	return n == sizeof(m) ? 0 : -1;
}

static int family_end(struct family *f)
{
	int status;

	close(f->end);
	return waitpid(f->a, &status, 0) == f->a && !status ? 0 : -1;
}

static const struct trace_name *first_of(const struct trace *t, pid_t tid)
{
	for (const struct trace_name *n = t->names; n < t->names + t->name_count; n++)
		if (n->type == FXT_OBJECT_THREAD && n->koid == (uint64_t)tid && n->parent)
			return n;
	return NULL;
}

static uint64_t parent_of(const struct trace *t, pid_t tid)
{
	const struct trace_name *n = first_of(t, tid);

	return n ? n->parent : 0;
}

static const char *cpus_of(const struct trace *t, pid_t tid)
{
	const struct trace_name *n, *found = NULL;

	for (n = t->names; n < t->names + t->name_count && !found; n++)
		if (n->type == FXT_OBJECT_THREAD && n->koid == (uint64_t)tid)
			found = n;
	return found ? found->cpus : "unnamed";
}

/*
 * Return: the parent of a process in the module's own rundown; 0 for none, -1 if it cannot be read.
 * The collector needs it only for processes that it has not found in /proc before.
 */
static int64_t parent_in_rundown(pid_t pid)
{
	struct fxt_sched_config c = kmod_config();
	struct kmod_session d;
	int fd = kmod_open(&d) || kmod_configure(&d, &c) ? -1 :
		 kmod_file(&d, FXT_SCHED_STREAM_RUNDOWN, 0);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
	int64_t parent = file ? 0 : -1;
	uint64_t rec[FXT_SCHED_TASK_WORDS], size, i;

	while (file && fread(rec, FXT_WORD, 1, file) == 1) {
		size = fxt_get(FXT_SIZE, rec[0]);
		if (!size || size > ARRAY_SIZE(rec) ||
		    fread(&rec[1], FXT_WORD, size - 1, file) != size - 1)
			break;
		for (i = 2; i + 1 < size; i++)
			if (rec[1] == (uint64_t)pid && rec[i] == fxt_arg_koid(2, FXT_STR_PARENT))
				parent = rec[i + 1];
	}
	if (file)
		fclose(file);
	kmod_close(&d);
	return parent;
}

static struct json_object *report_of(const char *archive)
{
	struct json_object *report = NULL;
	struct tool t;

	if (!tool_run(&t, ARGS("report", "--all", "--json", archive)))
		report = json_tokener_parse(t.out);
	return report;
}

/* Return: "name/id" of a process's parent; NULL if the report does not have it. */
static const char *reported_parent(struct json_object *report, pid_t pid)
{
	struct json_object *list = json_object_object_get(report, "processes"), *p;
	static char text[64];

	for (size_t i = 0; list && i < json_object_array_length(list); i++) {
		p = json_object_array_get_idx(list, i);
		if (json_object_get_int64(json_object_object_get(p, "pid")) != pid)
			continue;
		snprintf(text, sizeof(text), "%s/%d",
			 json_object_get_string(json_object_object_get(p, "parent_name")),
			 json_object_get_int(json_object_object_get(p, "parent_pid")));
		return text;
	}
	return NULL;
}

static const char *label(const char *name, pid_t pid)
{
	static char text[64];

	snprintf(text, sizeof(text), "%s/%d", name, pid);
	return text;
}

SOURCE_TEST(families, born_during_a_recording)
{
	struct json_object *report;
	const struct trace_name *n;
	struct family f;

	ASSERT_BEGIN(NULL);
	ASSERT_EQ(0, family_begin(&f, ANY_CPU));
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	EXPECT_EQ(0, family_end(&f));
	EXPECT_EQ(0U, trace_lost(&self->t));
	EXPECT_EQ((uint64_t)getpid(), parent_of(&self->t, f.a));
	EXPECT_EQ((uint64_t)f.a, parent_of(&self->t, f.b));
	EXPECT_EQ((uint64_t)f.b, parent_of(&self->t, f.c));
	EXPECT_EQ(0U, parent_of(&self->t, f.thread));
	n = first_of(&self->t, f.c);
	ASSERT_NE(NULL, n);
	EXPECT_EQ(FXT_STR_FORK, n->event);
	/* The rename happens after the end of B, so it names the new parent. */
	EXPECT_NE(f.b, f.adopted);
	for (; n < self->t.names + self->t.name_count; n++)
		if (n->koid == (uint64_t)f.c && n->event == FXT_STR_RENAME &&
		    !strcmp(n->text, "family C renam"))
			EXPECT_EQ((uint64_t)f.adopted, n->parent);
	report = report_of(self->c.output);
	ASSERT_NE(NULL, report);
	EXPECT_STREQ(label("family A", f.a), reported_parent(report, f.b) ?: "");
	EXPECT_STREQ(label("family B", f.b), reported_parent(report, f.c) ?: "");
}

/* The CPUs that a thread may run on unless it chooses; "" if these are all. */
static const char *usual_cpus(unsigned int count)
{
	static char list[256];
	char line[256];
	FILE *f;

	*list = '\0';
	f = count < sysconf(_SC_NPROCESSORS_ONLN) ? fopen("/proc/self/status", "re") : NULL;
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "Cpus_allowed_list: %255s", list) == 1)
			break;
	if (f)
		fclose(f);
	return list;
}

SOURCE_TEST(families, found_by_the_rundown)
{
	const struct trace_name *kthreadd;
	int cpus[MAX_CPUS];
	char expected[16];
	struct family f;
	unsigned int count = allowed_cpus(cpus);

	ASSERT_EQ(0, family_begin(&f, cpus[count - 1]));
	ASSERT_BEGIN(NULL);
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	if (!strcmp(self->source, "kmod")) {
		EXPECT_EQ(getpid(), parent_in_rundown(f.a));
		EXPECT_EQ(f.adopted, parent_in_rundown(f.c));
		EXPECT_EQ(0, parent_in_rundown(f.thread));
	}
	EXPECT_EQ(0, family_end(&f));
	EXPECT_EQ((uint64_t)getpid(), parent_of(&self->t, f.a));
	EXPECT_EQ((uint64_t)f.adopted, parent_of(&self->t, f.c));
	EXPECT_EQ(0U, parent_of(&self->t, f.thread));
	EXPECT_STREQ(usual_cpus(count), cpus_of(&self->t, f.a));
	EXPECT_STREQ(usual_cpus(count), cpus_of(&self->t, f.thread));
	snprintf(expected, sizeof(expected), "%d", cpus[count - 1]);
	EXPECT_STREQ(sysconf(_SC_NPROCESSORS_ONLN) > 1 ? expected : "", cpus_of(&self->t, f.c));
	/* Kernel threads are children of kthreadd, which has no parent. */
	kthreadd = trace_find_name(&self->t, FXT_OBJECT_THREAD, 2);
	ASSERT_NE(NULL, kthreadd);
	EXPECT_STREQ("kthreadd", kthreadd->text);
	EXPECT_EQ(0U, parent_of(&self->t, 2));
	EXPECT_EQ(2U, parent_of(&self->t, 3));
}
