// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fxt report selects by cgroup exactly the threads that were in it, however they came there: with
 * their process, alone, from before the recording on, by their creator, by clone3(), by execve() of
 * a thread; in version 2, and with the CPU controller of version 1.
 */
#include <linux/sched.h>
#include <pthread.h>
#include <sys/mount.h>
#include <sys/syscall.h>

#include "cgroup.h"
#include "source_fixture.h"
#include "tool.h"

SOURCE_FIXTURE(cgroup_moves);

#define V1_ROOT	"/sys/fs/cgroup/cpu"

struct places {
	struct cgroup v2;	/* of version 2, above both */
	char v1[RECORD_PATH + 8];	/* where version 1 was mounted for the test */
	char top[RECORD_PATH + 80];	/* its directory, or that of version 1 */
	char path[64];		/* the same, below the root of the hierarchy */
	char x[RECORD_PATH + 96];
	char y[RECORD_PATH + 96];
	const char *threads;	/* a file that takes the ids of single threads */
	int go;			/* pipes */
	int ready;
};

static int places_make_v2(struct places *p, const char *scratch)
{
	if (cgroup_make(&p->v2, scratch, false))
		return -1;
	p->threads = "cgroup.threads";
	strcpy(p->top, p->v2.dir);
	snprintf(p->path, sizeof(p->path), "/%s", p->v2.name);
	return 0;
}

/* A machine with version 2 has the CPU controller of version 1 if the former does not use it. */
static int mount_v1(struct places *p, const char *scratch)
{
	snprintf(p->v1, sizeof(p->v1), "%s/v1", scratch);
	if (!in_guest() || mkdir(p->v1, 0755))
		return -1;
	return mount("none", p->v1, "cgroup", 0, "cpu");
}

static int places_make_v1(struct places *p, const char *scratch)
{
	if (access(V1_ROOT, F_OK) && mount_v1(p, scratch))
		return -1;
	p->threads = "tasks";
	snprintf(p->path, sizeof(p->path), "/fxt-test-%d", getpid());
	snprintf(p->top, sizeof(p->top), "%s%s", *p->v1 ? p->v1 : V1_ROOT, p->path);
	return mkdir(p->top, 0755);
}

static int places_make(struct places *p, const char *scratch, bool is_v2)
{
	if (is_v2 ? places_make_v2(p, scratch) : places_make_v1(p, scratch))
		return -1;
	snprintf(p->x, sizeof(p->x), "%s/x", p->top);
	snprintf(p->y, sizeof(p->y), "%s/y", p->top);
	if (mkdir(p->x, 0755) || mkdir(p->y, 0755))
		return -1;
	return is_v2 && (write_in(p->x, "cgroup.type", "threaded") ||
			 write_in(p->y, "cgroup.type", "threaded")) ? -1 : 0;
}

/* How many cgroups of the CPU controller are there, also those that are just being freed? */
static int cpu_cgroups(void)
{
	FILE *f = fopen("/proc/cgroups", "r");
	char line[128];
	int hierarchy, n = 0;

	while (f && fgets(line, sizeof(line), f) && sscanf(line, "cpu %d %d", &hierarchy, &n) != 2)
		;
	if (f)
		fclose(f);
	return n;
}

/* The kernel gives the controller back to version 2 only if no cgroup is left at the unmount. */
static void unmount_v1(const struct places *p)
{
	int i;

	for (i = 0; i < 1000 && cpu_cgroups() > 1; i++)
		usleep(10000);
	umount2(p->v1, MNT_DETACH);
}

static void places_remove(const struct places *p)
{
	rmdir(p->x);
	rmdir(p->y);
	rmdir(p->top);
	if (p->v2.is_v2)
		cgroup_remove(&p->v2);
	if (*p->v1)
		unmount_v1(p);
}

static struct places places;
static pthread_barrier_t barrier;

static void become(const char *name)
{
	prctl(PR_SET_NAME, name);
}

static void stay(void)
{
	for (;;)
		pause();
}

static void must_be(bool is)
{
	if (!is)
		_exit(1);
}

static void make_child(const char *name, const char *moves_to)
{
	int done[2];
	char c = 0;
	pid_t pid;

	must_be(!pipe(done));
	pid = fork();
	must_be(pid >= 0);
	if (!pid) {
		become(name);
		must_be(!moves_to || !write_in(moves_to, "cgroup.procs", "0"));
		must_be(write(done[1], "", 1) == 1);
		stay();
	}
	must_be(read(done[0], &c, 1) == 1);
}

static void make_placed(const char *name, const char *in)
{
	struct clone_args args = {
		.flags = CLONE_INTO_CGROUP, .exit_signal = SIGCHLD,
		.cgroup = open(in, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
	};
	int done[2];
	char c;
	long pid;

	must_be(!pipe(done));
	pid = syscall(SYS_clone3, &args, sizeof(args));
	must_be(pid >= 0);
	if (!pid) {
		become(name);
		must_be(write(done[1], "", 1) == 1);
		stay();
	}
	must_be(read(done[0], &c, 1) == 1);
}

static void *move_early(void *arg)
{
	(void)arg;
	become("cg-early");
	must_be(!write_in(places.y, places.threads, "0"));
	pthread_barrier_wait(&barrier);
	for (;;)
		usleep(10000);
	return NULL;
}

static void *move_alone(void *arg)
{
	(void)arg;
	become("cg-loner");
	must_be(!write_in(places.y, places.threads, "0"));
	make_child("cg-born", NULL);
	pthread_barrier_wait(&barrier);
	stay();
	return NULL;
}

static void *execute(void *arg)
{
	(void)arg;
	become("cg-execs");
	must_be(!write_in(places.y, places.threads, "0"));
	execlp("sleep", "sleep", "1000", NULL);
	_exit(1);
}

static void make_executed(void)
{
	pthread_t thread;
	int open[2];
	char c;
	pid_t pid;

	must_be(!pipe2(open, O_CLOEXEC));
	pid = fork();
	must_be(pid >= 0);
	if (pid) {
		/* execve() closes it. */
		close(open[1]);
		must_be(!read(open[0], &c, 1));
		return;
	}
	must_be(!pthread_create(&thread, NULL, execute, NULL));
	stay();
}

static void run_process(bool is_v2)
{
	pthread_t thread;
	char c;

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	become("cg-main");
	must_be(!write_in(places.x, "cgroup.procs", "0"));
	must_be(!pthread_barrier_init(&barrier, NULL, 2));
	must_be(!pthread_create(&thread, NULL, move_early, NULL));
	pthread_barrier_wait(&barrier);
	must_be(write(places.ready, "", 1) == 1);
	must_be(read(places.go, &c, 1) == 1);
	make_child("cg-stayer", NULL);
	make_child("cg-walker", places.y);
	must_be(!pthread_create(&thread, NULL, move_alone, NULL));
	pthread_barrier_wait(&barrier);
	make_child("cg-child", NULL);
	make_executed();
	if (is_v2)
		make_placed("cg-placed", places.y);
	must_be(write(places.ready, "", 1) == 1);
	stay();
}

static void expect_selected(struct __test_metadata *_metadata, const char *archive,
			    const char *below, const char *const *want)
{
	static const char *const all[] = {
		"cg-main", "cg-early", "cg-stayer", "cg-walker", "cg-loner", "cg-born", "cg-child",
		"sleep", "cg-placed", NULL,
	};
	char path[80], name[40];
	const char *const *w;
	struct tool t;

	snprintf(path, sizeof(path), "%s/%s", places.path, below);
	tool_run(&t, ARGS("report", "--json", "--cgroup", path, archive));
	for (size_t i = 0; all[i]; i++) {
		for (w = want; *w && strcmp(*w, all[i]); w++)
			;
		snprintf(name, sizeof(name), "\"name\":\"%s\",\"cpus\"", all[i]);
		EXPECT_EQ(!!*w, !!strstr(t.out, name)) TH_LOG("%s in %s", all[i], path);
	}
	tool_free(&t);
}

static void check(struct __test_metadata *_metadata, FIXTURE_DATA(cgroup_moves) *self, bool is_v2)
{
	int go[2], ready[2];
	char c;
	pid_t pid;

	ASSERT_EQ(0, pipe(go));
	ASSERT_EQ(0, pipe(ready));
	places.go = go[0];
	places.ready = ready[1];
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid)
		run_process(is_v2);
	close(ready[1]);
	ASSERT_EQ(1, read(ready[0], &c, 1));
	ASSERT_BEGIN(NULL);
	ASSERT_EQ(1, write(go[1], "", 1));
	EXPECT_EQ(1, read(ready[0], &c, 1));
	EXPECT_FINE(record_end(&self->c, &self->why));
	kill(-pid, SIGKILL);
	waitpid(pid, NULL, 0);
	expect_selected(_metadata, self->c.output, "x",
			ARGS("cg-main", "cg-stayer", "cg-walker", "cg-loner", "cg-child", "sleep"));
	expect_selected(_metadata, self->c.output, "y",
			ARGS("cg-early", "cg-walker", "cg-loner", "cg-born", "sleep",
			     is_v2 ? "cg-placed" : NULL));
}

SOURCE_TEST(cgroup_moves, v2)
{
	if (places_make(&places, self->dir, true)) {
		places_remove(&places);
		SKIP(return, "no threaded cgroups of version 2 can be made here: %s",
		     strerror(errno));
	}
	check(_metadata, self, true);
	places_remove(&places);
}

SOURCE_TEST(cgroup_moves, v1)
{
	if (places_make(&places, self->dir, false)) {
		places_remove(&places);
		SKIP(return, "no cgroups of the CPU controller of version 1 can be made here: %s",
		     strerror(errno));
	}
	check(_metadata, self, false);
	places_remove(&places);
}
