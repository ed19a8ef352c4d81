// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The processes that read the files of programs. A reader has no privileges when it reads; callers
 * wait no longer than requested, and missing answers are reported; a reader ends when its
 * connection is closed.
 */
#include "harness.h"

#include <pthread.h>
#include <sys/mount.h>
#include <sys/sysmacros.h>

#include <fxt/fxt_sched_stack.h>

#include "libfxt/fxt_writer.h"
#include "libsym/confine.h"
#include "libsym/demangle.h"
#include "libsym/elf_server.h"
#include "libsym/resolve.h"
#include "own_program.h"
#include "silent_file.h"

#define PATIENCE_MS	10000

FIXTURE(elf_server)
{
	struct elf_server s;
	struct elf_place place;
	char *bytes;
	size_t size;
	unsigned char packet[ELF_PACKET_BYTES];
};

__attribute__((noinline, noclone)) static int known_function(int n)
{
	asm volatile("" : "+r"(n));
	return n;
}

/* As a compiler of C++ names take() in an anonymous namespace. */
static int taken_function(int n) asm("_ZN12_GLOBAL__N_14takeEi");

__attribute__((noinline, noclone, used)) static int taken_function(int n)
{
	asm volatile("" : "+r"(n));
	return n + 1;
}

FIXTURE_SETUP(elf_server)
{
	ssize_t n;

	memset(self, 0, sizeof(*self));
	self->bytes = own_program_read(&self->size, &self->place.id);
	n = readlink("/proc/self/exe", self->place.path, sizeof(self->place.path) - 1);
	ASSERT_LT(0, n);
	ASSERT_LT(0U, self->place.id.bytes);
	ASSERT_EQ(0, elf_server_start(&self->s));
	ASSERT_EQ(1, known_function(1));
}

FIXTURE_TEARDOWN(elf_server)
{
	elf_server_stop(&self->s);
}

/* The last process that the server has forked; 0: none. */
static int reader_of(FIXTURE_DATA(elf_server) *self)
{
	char path[64];
	int pid = 0, next;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", self->s.pid, self->s.pid);
	f = fopen(path, "re");
	while (f && fscanf(f, "%d", &next) == 1)
		pid = next;
	if (f)
		fclose(f);
	return pid;
}

static const char *status_of(int pid, const char *key, char line[256])
{
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	f = fopen(path, "re");
	while (f && fgets(line, 256, f))
		if (!strncmp(line, key, strlen(key)))
			break;
	if (f)
		fclose(f);
	return line + strlen(key) + strspn(line + strlen(key), ":\t ");
}

static const struct elf_hello *hello_of(FIXTURE_DATA(elf_server) *self, int link)
{
	return elf_link_receive(link, self->packet, PATIENCE_MS) == sizeof(struct elf_hello) ?
	       (const void *)self->packet : NULL;
}

TEST_F(elf_server, functions_and_rules)
{
	uint64_t vaddr = (uintptr_t)known_function - own_bias();
	int link = elf_link_open(&self->s, &self->place, NULL);
	const struct elf_functions *head = (const void *)self->packet;
	struct elf_rule rule;
	struct elf_named f;

	ASSERT_LE(0, link);
	ASSERT_NE(NULL, hello_of(self, link));
	EXPECT_TRUE(((struct elf_hello *)self->packet)->fault == ELF_FINE);
	ASSERT_TRUE(elf_link_ask_functions(link, &vaddr, 1));
	ASSERT_LT((long)(sizeof(*head) + sizeof(f)), elf_link_receive(link, self->packet, PATIENCE_MS));
	EXPECT_EQ(1U, head->count);
	EXPECT_TRUE(head->is_last);
	memcpy(&f, self->packet + sizeof(*head), sizeof(f));
	EXPECT_EQ(vaddr, f.start);
	ASSERT_EQ(strlen("known_function"), f.length);
	EXPECT_EQ(0, memcmp("known_function", self->packet + sizeof(*head) + sizeof(f), f.length));
	ASSERT_TRUE(elf_link_ask_rules(link, &vaddr, 1));
	ASSERT_EQ((long)sizeof(rule), elf_link_receive(link, &self->packet, PATIENCE_MS));
	memcpy(&rule, self->packet, sizeof(rule));
	EXPECT_EQ(vaddr, rule.vaddr);
	EXPECT_TRUE(rule.is_known);
	close(link);
}

/*
 * A process of this user's, in a root directory with a copy of this program. Return: its id, or -1
 */
static pid_t start_inside(const FIXTURE_DATA(elf_server) *self, const char *root, const char *path)
{
	char copy[ELF_PATH_BYTES];
	int fd;
	pid_t pid;

	snprintf(copy, sizeof(copy), "%s%s", root, path);
	fd = open(copy, O_WRONLY | O_CREAT | O_CLOEXEC, 0700);
	if (fd < 0 || write(fd, self->bytes, self->size) != (ssize_t)self->size || close(fd))
		return -1;
	pid = fork();
	if (!pid) {
		if (chroot(root))
			_exit(1);
		pause();
	}
	return pid;
}

/* As the files of a container: outside, there is none with the path, or another one. */
TEST_F(elf_server, file_in_another_root)
{
	char root[] = "/tmp/elf_server_test.XXXXXX", copy[ELF_PATH_BYTES], seen[ELF_PATH_BYTES] = "";
	int link, i;
	pid_t pid;

	if (geteuid())
		SKIP(return, "needs root");
	ASSERT_NE(NULL, mkdtemp(root));
	snprintf(self->place.path, sizeof(self->place.path), "/elf_server_test.%d", getpid());
	pid = start_inside(self, root, self->place.path);
	ASSERT_LT(0, pid);
	snprintf(copy, sizeof(copy), "/proc/%d/root", pid);
	for (i = 0; i < PATIENCE_MS && strcmp(seen, root); i++) {
		usleep(1000);
		if (readlink(copy, seen, sizeof(seen) - 1) < 0)
			break;
	}
	for (i = 0; i < 3; i++) {
		self->place.process = i ? pid : 0;
		if (i == 2)
			ASSERT_EQ(0, symlink("/bin/true", self->place.path));
		link = elf_link_open(&self->s, &self->place, NULL);
		ASSERT_LE(0, link);
		ASSERT_NE(NULL, hello_of(self, link));
		EXPECT_TRUE(((struct elf_hello *)self->packet)->fault == (i ? ELF_FINE : ELF_NO_FILE))
			TH_LOG("file %d: fault %d", i, ((struct elf_hello *)self->packet)->fault);
		close(link);
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	unlink(self->place.path);
	snprintf(copy, sizeof(copy), "%s%s", root, self->place.path);
	unlink(copy);
	rmdir(root);
}

TEST_F(elf_server, readers_have_no_rights)
{
	int link = elf_link_open(&self->s, &self->place, NULL), reader, i;
	char line[256];

	ASSERT_LE(0, link);
	ASSERT_NE(NULL, hello_of(self, link));
	reader = reader_of(self);
	ASSERT_LT(0, reader);
	EXPECT_EQ(0U, strtoull(status_of(reader, "CapEff", line), NULL, 16));
	EXPECT_EQ(0U, strtoull(status_of(reader, "CapPrm", line), NULL, 16));
	EXPECT_EQ('1', *status_of(reader, "NoNewPrivs", line));
	EXPECT_EQ('2', *status_of(reader, "Seccomp", line));
	/* The forking process has a few capabilities, and cannot gain others. */
	EXPECT_EQ('1', *status_of(self->s.pid, "NoNewPrivs", line));
	EXPECT_EQ(0U, strtoull(status_of(self->s.pid, "CapEff", line), NULL, 16) & 1 << 7);
	close(link);
	for (i = 0; i < PATIENCE_MS && *status_of(reader, "State", line) != 'Z' &&
	     !kill(reader, 0); i++)
		usleep(1000);
	EXPECT_GT(PATIENCE_MS, i);
}

static void *do_nothing(void *arg)
{
	return arg;
}

/* A process that converts traces of other programs can only use the archive that it has open. */
TEST_F(elf_server, converters_write_only_what_is_open)
{
	char path[] = "/tmp/elf_server_test.XXXXXX", byte;
	int fd = mkstemp(path), status, bad = 0;
	pthread_t thread;
	pid_t pid;

	ASSERT_LE(0, fd);
	unlink(path);
	pid = fork();
	if (!pid) {
		if (confine_converter())
			_exit(1);
		bad |= write(fd, "a", 1) != 1 ? 2 : 0;
		bad |= pread(fd, &byte, 1, 0) != 1 || byte != 'a' ? 4 : 0;
		bad |= open("/dev/null", O_RDONLY | O_CLOEXEC) >= 0 || errno != EPERM ? 8 : 0;
		bad |= fork() >= 0 || errno != EPERM ? 16 : 0;
		bad |= kill(getppid(), 0) != -1 ? 32 : 0;
		bad |= mmap(NULL, 4096, PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) !=
		       MAP_FAILED ? 64 : 0;
		bad |= pthread_create(&thread, NULL, do_nothing, NULL) ||
		       pthread_join(thread, NULL) ? 128 : 0;
		_exit(bad);
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_TRUE(WIFEXITED(status));
	EXPECT_EQ(0, WEXITSTATUS(status));
	close(fd);
}

/* The build id is read only if the path leads to the file that was mapped, on the same device. */
TEST_F(elf_server, build_ids_are_of_the_right_file)
{
	struct elf_place places[3];
	struct stat st;

	ASSERT_EQ(0, stat(self->place.path, &st));
	for (unsigned int i = 0; i < 3; i++) {
		places[i] = self->place;
		places[i].id.bytes = 0;
		places[i].device = (uint64_t)major(st.st_dev) << 32 | minor(st.st_dev);
		places[i].inode = st.st_ino;
	}
	places[1].inode++;
	places[2].device++;
	elf_server_ids(&self->s, places, 3, PATIENCE_MS);
	EXPECT_EQ(self->place.id.bytes, places[0].id.bytes);
	EXPECT_EQ(0U, places[1].id.bytes);
	EXPECT_EQ(0U, places[2].id.bytes);
}

/* The written archive. */
static struct {
	char bytes[16384];
	size_t used;
} written;

static int take_output(void *arg, const void *data, size_t bytes)
{
	if (bytes > sizeof(written.bytes) - written.used)
		return -ENOSPC;
	memcpy(written.bytes + written.used, data, bytes);
	written.used += bytes;
	return 0;
}

static bool has_written(const char *text)
{
	return memmem(written.bytes, written.used, text, strlen(text));
}

static int resolve_it(FIXTURE_DATA(elf_server) *self, struct resolution *r)
{
	struct mapping m = {
		.time = 1, .start = own_bias(), .end = own_bias() + self->size, .vaddr = 0,
	};
	struct addresses a = { 0 };
	struct images im = { 0 };
	int ret;

	m.module = images_module(&im, self->place.path, strlen(self->place.path), &self->place.id);
	ret = images_add(&im, 1, &m);
	ret = ret ? ret : addresses_add(&a, 1, (uintptr_t)known_function + 1, 2);
	ret = ret ? ret : addresses_add(&a, 1, (uintptr_t)taken_function + 1, 2);
	written.used = 0;
	r->symbols = r->records = true;
	r->server = &self->s;
	ret = ret ? ret : fxt_writer_open_sink(&r->w, take_output, NULL);
	addresses_sort(&a);
	ret = ret ? ret : resolve(r, &im, &a);
	fxt_writer_close(r->w);
	images_free(&im);
	addresses_free(&a);
	return ret;
}

TEST_F(elf_server, names_are_found)
{
	struct resolution r = { 0 };

	ASSERT_EQ(0, resolve_it(self, &r));
	EXPECT_EQ(2U, r.named);
	EXPECT_TRUE(has_written(" known_function [elf_server_test]\n"));
	EXPECT_TRUE(has_written(" (anonymous namespace)::take [elf_server_test]\n"));
}

#define NESTED	60	/* 2^60 parts */

/* A name whose template arguments have the one before them twice each: f<a, b<a, a>, ...> */
static void name_long(char *to)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	unsigned int before = 0;

	to += sprintf(to, "_Z1fI1a");
	for (unsigned int i = 0; i < NESTED; i++, before += 2) {
		char id[3] = { digits[before / 36], digits[before % 36], '\0' };
		const char *short_id = before < 36 ? id + 1 : id;

		to += sprintf(to, "1bIS%s_S%s_E", short_id, short_id);
	}
	sprintf(to, "Evv");
}

TEST(names_are_those_of_the_source)
{
	static const char *const names[][2] = {
		{ "main", "main" },
		{ "_ZN4bank4takeEi", "bank::take" },
		{ "_ZNSt6vectorIiSaIiEE9push_backERKi",
		  "std::vector<int, std::allocator<int> >::push_back" },
		{ "_ZN4bank4take17h0123456789abcdefE", "bank::take" },
		{ "_RNvCs1234_4bank4take", "bank::take" },
		{ "_ZN4bank4takeEi.part.0", "bank::take" },
		/* Invalid, or of no language that is known. */
		{ "_ZN4bank4take", "_ZN4bank4take" },
		{ "_Zebra", "_Zebra" },
		{ "_R", "_R" },
		/* A constant, whose text is empty. */
		{ "_RC0", "_RC0" },
		{ "", "" },
	};
	char to[100], name[1024];
	size_t n;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		n = demangle(names[i][0], to, sizeof(to) - 1);
		to[n] = '\0';
		EXPECT_STREQ(names[i][1], to);
	}
	EXPECT_EQ(7U, demangle("_ZN4bank4takeEi", to, 7));
	EXPECT_EQ(0, memcmp("bank::t", to, 7));
	EXPECT_EQ(3U, demangle("main", to, 3));
	name_long(name);
	EXPECT_EQ(sizeof(to), demangle(name, to, sizeof(to)));
	EXPECT_EQ(0, memcmp("f<a, b<a, a>, b<b", to, strlen("f<a, b<a, a>, b<b")));
}

/* Stop the newest reader each time that the resolution waits. */
static void stop_readers(void *arg)
{
	FIXTURE_DATA(elf_server) *self = arg;
	int reader = reader_of(self);

	if (reader)
		kill(reader, SIGSTOP);
}

/*
 * A stopped reader is like one whose file is on a disk that never answers. If the resolution waited
 * for it, the timeout would end the test.
 */
TEST_F(elf_server, a_reader_that_hangs_is_not_waited_for)
{
	struct resolution r = { .limit = 1000000000ULL, .idle = stop_readers, .arg = self };

	ASSERT_EQ(0, resolve_it(self, &r));
	/* The reader may have finished before the signal. */
	EXPECT_EQ(2U, r.named + r.faults[ELF_TOO_SLOW]);
}

TEST_F(elf_server, a_reader_that_dies_is_reported)
{
	int link = elf_link_open(&self->s, &self->place, NULL);
	char path[64], output[64] = "";

	ASSERT_LE(0, link);
	ASSERT_NE(NULL, hello_of(self, link));
	/* One that cannot end must not hold the recorder's output. */
	snprintf(path, sizeof(path), "/proc/%d/fd/2", reader_of(self));
	ASSERT_LT(0, readlink(path, output, sizeof(output) - 1));
	EXPECT_STREQ("/dev/null", output);
	ASSERT_EQ(0, kill(reader_of(self), SIGKILL));
	EXPECT_EQ(-1, elf_link_receive(link, self->packet, PATIENCE_MS));
	close(link);
	link = elf_link_open(&self->s, &self->place, NULL);
	ASSERT_LE(0, link);
	EXPECT_NE(NULL, hello_of(self, link));
	close(link);
}

#define STUCK		200	/* readers of files that cannot be opened */
#define READERS_MOST	64	/* at a time, and as many that were killed and do not end */

static int children_of(int pid)
{
	char path[64];
	int count = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", pid, pid);
	f = fopen(path, "re");
	while (f && fscanf(f, "%*d") == 0)
		count++;
	if (f)
		fclose(f);
	return count;
}

/* A user's own file system can block readers in open() so that no signal ends them. */
TEST_F_TIMEOUT(elf_server, readers_that_cannot_end_do_not_pile_up, 120)
{
	char dir[] = "/tmp/elf_server_test.XXXXXX";
	struct elf_place place = { .id = { .bytes = 1 } };
	int links[STUCK], ready[2], fd, i, given = 0;
	struct elf_server server;

	if (silent_file_missing())
		SKIP(return, "%s", silent_file_missing());
	ASSERT_NE(NULL, mkdtemp(dir));
	ASSERT_EQ(0, pipe(ready));
	fd = silent_file_open(dir, 0, ready[1]);
	ASSERT_LE(0, fd);
	/* Start the server now, so that it has the same mounts. */
	ASSERT_EQ(0, elf_server_start(&server));
	snprintf(place.path, sizeof(place.path), "%s/%s", dir, SILENT_FILE_CLOSED);
	for (i = 0; i < STUCK; i++) {
		links[i] = elf_link_open(&server, &place, NULL);
		ASSERT_LE(0, links[i]);
	}
	/* The server closes the last link once it has handled all requests. */
	ASSERT_EQ(-1, elf_link_receive(links[STUCK - 1], self->packet, PATIENCE_MS));
	for (i = 0; i < STUCK; i++)
		given += elf_link_receive(links[i], self->packet, 0) == 0;
	EXPECT_EQ(2 * READERS_MOST, given);
	EXPECT_EQ(2 * READERS_MOST, children_of(server.pid));
	for (i = 0; i < STUCK; i++)
		close(links[i]);
	close(fd);
	ASSERT_EQ(0, umount2(dir, MNT_DETACH));
	elf_server_stop(&server);
	rmdir(dir);
}

/* Readers that can be killed make room for others. */
TEST_F(elf_server, the_oldest_reader_makes_room)
{
	int links[STUCK], i;

	for (i = 0; i < STUCK; i++) {
		links[i] = elf_link_open(&self->s, &self->place, NULL);
		ASSERT_LE(0, links[i]);
		ASSERT_NE(NULL, hello_of(self, links[i]));
	}
	EXPECT_GE(2 * READERS_MOST, children_of(self->s.pid));
	for (i = 0; i < STUCK; i++)
		close(links[i]);
}
