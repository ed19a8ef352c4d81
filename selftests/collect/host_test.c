// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The description of the machine in an archive, from an artificial /proc and /sys: text lines; and
 * packets in one record that match Perfetto's field numbers byte by byte.
 */
#include "harness.h"
#include "archive_builder.h"
#include "collector.h"
#include <fxt/fxt_sched.h>

#include "fxt-collect/archive/host.h"

FIXTURE(host)
{
	char root[RECORD_PATH];
	struct host h;
	char *lines;
	uint64_t blobs;
	uint8_t payload[FXT_MAX_STRING];
	size_t bytes;
};

FIXTURE_SETUP(host)
{
	ASSERT_EQ(0, dir_make(self->root, sizeof(self->root)));
}

FIXTURE_TEARDOWN(host)
{
	host_free(&self->h);
	dir_remove(self->root);
}

static bool put(FIXTURE_DATA(host) *self, const char *path, const char *text)
{
	char whole[RECORD_PATH + 128], *slash;
	FILE *f;

	snprintf(whole, sizeof(whole), "%s%s", self->root, path);
	for (slash = whole + strlen(self->root); (slash = strchr(slash + 1, '/')); *slash = '/') {
		*slash = '\0';
		if (mkdir(whole, 0700) && errno != EEXIST)
			return false;
	}
	f = fopen(whole, "w");
	return f && fputs(text, f) >= 0 && !fclose(f);
}

static int look(FIXTURE_DATA(host) *self)
{
	size_t bytes;
	FILE *f;

	host_free(&self->h);
	if (host_read(&self->h, self->root))
		return -1;
	/* Replace the name of this machine. */
	self->h.name = (struct utsname){
		.sysname = "Linux", .nodename = "here", .release = "6.1.0", .version = "#1",
		.machine = "x86_64",
	};
	f = open_memstream(&self->lines, &bytes);
	host_describe(&self->h, f);
	return fclose(f);
}

static void take_blob(struct walk *w, struct fxt_reader *r, const struct fxt_record *rec,
		      const struct fxt_content *c)
{
	FIXTURE_DATA(host) *self = w->arg;

	(void)r;
	(void)rec;
	if (c->kind != FXT_KIND_BLOB || c->blob_type != FXT_BLOB_PERFETTO)
		return;
	self->blobs++;
	self->bytes = c->blob.bytes;
	memcpy(self->payload, c->blob.data, c->blob.bytes);
}

static int tell(FIXTURE_DATA(host) *self)
{
	struct walk walk = { .each = take_blob, .arg = self };
	int fd = memfd_create("host_test", MFD_CLOEXEC), ret;
	struct fxt_writer *w;

	self->blobs = 0;
	ret = fxt_writer_open(&w, fd);
	fxt_writer_magic(w);
	fxt_writer_provider(w, 1, "x");
	fxt_writer_string(w, FXT_STR_CATEGORY, "fxt_sched");
	ret = host_write(&self->h, w);
	if (!ret)
		ret = fxt_writer_close(w);
	if (!ret && lseek(fd, 0, SEEK_SET))
		ret = -errno;
	if (!ret)
		ret = walk_fd(&walk, fd);
	if (walk.told_count)
		ret = -1;
	close(fd);
	return ret;
}

TEST_F(host, tells_of_x86)
{
	static const uint8_t expected[] =
		/* packet 1, 33 bytes: sequence (10) 1, system_info (45) of utsname */
		"\x0a\x21" "\x50\x01" "\xea\x02\x1c" "\x0a\x1a"
		"\x0a\x05" "Linux" "\x12\x02" "#1" "\x1a\x05" "6.1.0" "\x22\x06" "x86_64"
		/* packet 1, 27 bytes: sequence, cpu_info (67) of two processors */
		"\x0a\x1b" "\x50\x01" "\x9a\x04\x16"
		"\x0a\x09" "\x0a\x07" "Fast 3x" "\x0a\x09" "\x0a\x07" "Fast 3x";

	ASSERT_TRUE(put(self, "/proc/cpuinfo", "processor\t: 0\nvendor_id\t: Fast\nmodel\t\t: 1\n"
			"model name\t: Fast 3x \t\nflags\t\t: a b\n\n"
			"processor\t: 1\nmodel name\t: Fast 3x\n\n"));
	ASSERT_TRUE(put(self, "/proc/sys/kernel/random/boot_id",
			"1d7e327d-012d-43e4-9f7e-7cfa7343cfbe\n"));
	ASSERT_EQ(0, look(self));
	EXPECT_STREQ("kernel Linux 6.1.0 x86_64\nhost here\n"
		     "boot 1d7e327d-012d-43e4-9f7e-7cfa7343cfbe\ncpus 2 x Fast 3x\n", self->lines);
	ASSERT_EQ(0, tell(self));
	EXPECT_EQ(1U, self->blobs);
	ASSERT_EQ(sizeof(expected) - 1, self->bytes);
	EXPECT_EQ(0, memcmp(expected, self->payload, self->bytes));
}

/* The file has numbers instead of names, and two kinds of processors; one processor is offline. */
TEST_F(host, tells_of_arm64)
{
	ASSERT_TRUE(put(self, "/proc/cpuinfo",
			"processor\t: 0\nBogoMIPS\t: 100\nCPU implementer\t: 0x41\n"
			"CPU architecture: 8\nCPU variant\t: 0x1\nCPU part\t: 0xd0c\n"
			"CPU revision\t: 1\n\nprocessor\t: 2\nCPU implementer\t: 0x41\n"
			"CPU part\t: 0xd46\n"));
	ASSERT_TRUE(put(self, "/sys/devices/system/cpu/cpu2/cpu_capacity", "446\n"));
	ASSERT_EQ(0, look(self));
	ASSERT_EQ(3U, self->h.cpu_count);
	EXPECT_STREQ("implementer 0x41 part 0xd0c", self->h.cpus[0].model);
	EXPECT_STREQ("", self->h.cpus[1].model);
	EXPECT_STREQ("implementer 0x41 part 0xd46", self->h.cpus[2].model);
	EXPECT_EQ(0U, self->h.cpus[0].capacity);
	EXPECT_EQ(446U, self->h.cpus[2].capacity);
	EXPECT_STREQ("kernel Linux 6.1.0 x86_64\nhost here\n"
		     "cpus 1 x implementer 0x41 part 0xd0c\n"
		     "cpus 1 x implementer 0x41 part 0xd46\n", self->lines);
	ASSERT_EQ(0, tell(self));
	/* cpus[2].capacity (3), 446 */
	EXPECT_EQ(0, memcmp("\x18\xbe\x03", self->payload + self->bytes - 3, 3));
}

/* The CPU whose server runs longest counts; the configuration is that of the running kernel. */
TEST_F(host, tells_the_limits_of_classes)
{
	struct utsname name;
	char config[128];

	uname(&name);
	snprintf(config, sizeof(config), "/boot/config-%s", name.release);
	ASSERT_TRUE(put(self, "/proc/cpuinfo", "processor\t: 0\n\nprocessor\t: 1\n"));
	ASSERT_TRUE(put(self, "/proc/sys/kernel/sched_rt_runtime_us", "950000\n"));
	ASSERT_TRUE(put(self, "/proc/sys/kernel/sched_rt_period_us", "1000000\n"));
	ASSERT_TRUE(put(self, config, "CONFIG_CGROUP_SCHED=y\n# CONFIG_RT_GROUP_SCHED is not set\n"));
	ASSERT_TRUE(put(self, "/sys/kernel/debug/sched/fair_server/cpu0/runtime", "50000000\n"));
	ASSERT_TRUE(put(self, "/sys/kernel/debug/sched/fair_server/cpu0/period", "1000000000\n"));
	ASSERT_TRUE(put(self, "/sys/kernel/debug/sched/fair_server/cpu1/runtime", "90000000\n"));
	ASSERT_TRUE(put(self, "/sys/kernel/debug/sched/fair_server/cpu1/period", "2000000000\n"));
	ASSERT_EQ(0, look(self));
	EXPECT_STREQ("kernel Linux 6.1.0 x86_64\nhost here\n"
		     "rt_runtime_us 950000\nrt_period_us 1000000\nrt_groups no\n"
		     "fair_server_ns 90000000/2000000000\n", self->lines);
	ASSERT_TRUE(put(self, "/sys/fs/cgroup/cpu/cpu.rt_runtime_us", "950000\n"));
	ASSERT_EQ(0, look(self));
	EXPECT_IN(self->lines, "rt_groups yes\n");
}

/* Two cores with two threads each, caches and nodes; one file is what no kernel writes. */
TEST_F(host, tells_what_cpus_share)
{
	static const char *const siblings[] = { "0,2", "1,3", "0,2", "1,3" };
	char path[96];

	ASSERT_TRUE(put(self, "/proc/cpuinfo",
			"processor\t: 0\nprocessor\t: 1\nprocessor\t: 2\nprocessor\t: 3\n"));
	for (unsigned int i = 0; i < 4; i++) {
		snprintf(path, sizeof(path),
			 "/sys/devices/system/cpu/cpu%u/topology/thread_siblings_list", i);
		ASSERT_TRUE(put(self, path, siblings[i]));
		snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/cache/index0/level", i);
		ASSERT_TRUE(put(self, path, "3\n"));
		snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/cache/index1/level", i);
		ASSERT_TRUE(put(self, path, "1\n"));
		snprintf(path, sizeof(path),
			 "/sys/devices/system/cpu/cpu%u/cache/index0/shared_cpu_list", i);
		ASSERT_TRUE(put(self, path, "0-3\n"));
	}
	ASSERT_TRUE(put(self, "/sys/devices/system/node/online", "0-1,3\n"));
	ASSERT_TRUE(put(self, "/sys/devices/system/node/node0/cpulist", "0-1\n"));
	ASSERT_TRUE(put(self, "/sys/devices/system/node/node1/cpulist", "2-\nx"));
	ASSERT_TRUE(put(self, "/sys/devices/system/node/node3/cpulist", "2-3\n"));
	ASSERT_EQ(0, look(self));
	EXPECT_STREQ("kernel Linux 6.1.0 x86_64\nhost here\n"
		     "cores 0,2 1,3\ncaches 0-3\nnodes 0-1 2-3\n", self->lines);
}

TEST_F(host, does_without)
{
	ASSERT_EQ(0, look(self));
	EXPECT_STREQ("kernel Linux 6.1.0 x86_64\nhost here\n", self->lines);
	ASSERT_EQ(0, tell(self));
	EXPECT_EQ(1U, self->blobs);
	/* Input that no kernel produces. */
	ASSERT_TRUE(put(self, "/proc/cpuinfo",
			"model name\t: nobody's\nprocessor\t: 1\nprocessor : 0\nprocessors\t: 7\n"
			"processor\t: 99999\nmodel name\n"));
	ASSERT_EQ(0, look(self));
	EXPECT_EQ(2U, self->h.cpu_count);
}

/* One record holds no more than 32000 bytes. */
TEST_F(host, tells_of_as_many_as_fit)
{
	self->h.cpu_count = 4096;
	self->h.cpus = calloc(4096, sizeof(*self->h.cpus));
	for (unsigned int i = 0; i < 4096; i++)
		snprintf(self->h.cpus[i].model, sizeof(self->h.cpus[i].model), "%078u", i);
	ASSERT_EQ(0, tell(self));
	EXPECT_EQ(1U, self->blobs);
	EXPECT_LT(31000U, self->bytes);
}
