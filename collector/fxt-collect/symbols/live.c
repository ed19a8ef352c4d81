// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * live.c - see live.h.
 *
 * An event that counts nothing carries them, one for each CPU. The ring of an event is shared
 * with the kernel: it advances data_head with release, this process data_tail. The event of a CPU
 * ends when the CPU goes offline, and one that comes online has none; so the list of those that
 * are online is read before the rings.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <time.h>
#include <unistd.h>

#include <fxt/fxt_sched_stack.h>

#include "live.h"

#define RING_BYTES	131072U		/* some thousand events */
#define RING_LEAST	16384U		/* if the kernel allows no more */
#define RECORD_MOST	65536U

#define ONLINE_FILE	"/sys/devices/system/cpu/online"

/* --- open ----------------------------------------------------------------------------------- */

static int open_event(struct live_maps *l, int cpu)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME, .sample_id_all = 1,
		.read_format = l->is_old ? 0 : PERF_FORMAT_LOST,
		.mmap = 1, .mmap2 = 1, .build_id = 1, .comm = 1, .comm_exec = 1, .task = 1,
		.use_clockid = 1,
		.clockid = l->clock == CLOCK_KIND_MONO ? CLOCK_MONOTONIC : CLOCK_BOOTTIME,
		.watermark = 1, .wakeup_watermark = UINT32_MAX,
	};
	int fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	/* Before Linux 6.0: then only a later event tells how many were lost before it. */
	if (fd < 0 && errno == EINVAL && attr.read_format) {
		attr.read_format = 0;
		fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
		l->is_old = fd >= 0;
	}
	/* Before Linux 5.12: then build ids are read from the files. */
	if (fd < 0 && (errno == EINVAL || errno == E2BIG)) {
		attr.build_id = 0;
		fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
		l->is_old |= fd >= 0;
	}
	return fd;
}

static void *map_ring(int fd, size_t bytes)
{
	void *ring = mmap(NULL, sysconf(_SC_PAGESIZE) + bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
			  fd, 0);

	return ring == MAP_FAILED ? NULL : ring;
}

static int open_cpu(struct live_maps *l, unsigned int cpu)
{
	int fd = open_event(l, cpu), err;
	void *ring;

	/* A CPU that is offline, or a number that none has. */
	if (fd < 0)
		return errno == ENODEV || errno == EINVAL ? 0 : -errno;
	ring = map_ring(fd, l->bytes);
	/* The first one finds out how much memory the kernel allows. */
	while (!ring && !l->count && l->bytes > RING_LEAST) {
		l->bytes /= 2;
		ring = map_ring(fd, l->bytes);
	}
	if (!ring) {
		err = -errno;
		close(fd);
		return err;
	}
	l->cpus[cpu] = (struct live_cpu){ .fd = fd, .ring = ring };
	l->count++;
	return 0;
}

/* Events for which the ring of a CPU had no room; 0 if the kernel does not know. */
static uint64_t lost_of(const struct live_maps *l, const struct live_cpu *cpu)
{
	struct {
		uint64_t value;
		uint64_t lost;
	} count;

	if (l->is_old || read(cpu->fd, &count, sizeof(count)) != sizeof(count))
		return 0;
	return count.lost;
}

static void close_cpu(struct live_maps *l, struct live_cpu *cpu)
{
	l->lost += lost_of(l, cpu);
	munmap(cpu->ring, sysconf(_SC_PAGESIZE) + l->bytes);
	close(cpu->fd);
	*cpu = (struct live_cpu){ .fd = -1 };
	l->count--;
}

int live_maps_open(struct live_maps *l, enum clock_kind clock)
{
	int ret = 0;
	unsigned int i;

	*l = (struct live_maps){ .bytes = RING_BYTES, .clock = clock };
	l->online = open(ONLINE_FILE, O_RDONLY | O_CLOEXEC);
	l->cpu_count = get_nprocs_conf();
	l->cpus = calloc(l->cpu_count, sizeof(*l->cpus));
	if (!l->cpus) {
		l->cpu_count = 0;
		ret = -ENOMEM;
	}
	for (i = 0; i < l->cpu_count; i++)
		l->cpus[i].fd = -1;
	for (i = 0; i < l->cpu_count && !ret; i++)
		ret = open_cpu(l, i);
	if (!ret && !l->count)
		ret = -ENODEV;
	if (ret)
		live_maps_close(l);
	return ret;
}

void live_maps_close(struct live_maps *l)
{
	unsigned int i;

	if (!l->cpus)
		return;
	for (i = 0; i < l->cpu_count; i++)
		if (l->cpus[i].fd >= 0)
			close_cpu(l, &l->cpus[i]);
	if (l->online >= 0)
		close(l->online);
	free(l->cpus);
	*l = (struct live_maps){ 0 };
}

/* --- records ---------------------------------------------------------------------------------- */

/* As the kernel writes them, without what follows. */
struct mmap2_event {
	struct perf_event_header header;
	uint32_t pid;
	uint32_t tid;
	uint64_t start;
	uint64_t length;
	uint64_t offset;
	union {
		struct {
			uint32_t major;
			uint32_t minor;
			uint64_t inode;
			uint64_t generation;
		};
		struct {
			uint8_t id_bytes;
			uint8_t reserved[3];
			uint8_t id[20];
		};
	};
	uint32_t prot;
	uint32_t flags;
	char path[];
};

struct task_event {
	struct perf_event_header header;
	uint32_t pid;
	uint32_t parent;
	uint32_t tid;
	uint32_t parent_tid;
};

struct lost_event {
	struct perf_event_header header;
	uint64_t id;
	uint64_t lost;
};

/* At the end of each record. */
struct sample_id {
	uint32_t pid;
	uint32_t tid;
	uint64_t time;
};

static int take_mmap(struct images *im, const struct mmap2_event *e, size_t path_room,
		     uint64_t time)
{
	struct mapping m = {
		.time = time, .kind = MAPPING_FILE, .start = e->start,
		.end = e->start + e->length, .offset = e->offset, .vaddr = FXT_SCHED_NO_VADDR,
	};
	size_t length = strnlen(e->path, path_room);
	struct elf_id id = { .bytes = 0 };

	if (length == path_room || m.end <= m.start)
		return 0;
	if (e->header.misc & PERF_RECORD_MISC_MMAP_BUILD_ID && e->id_bytes <= sizeof(e->id)) {
		memcpy(id.id, e->id, e->id_bytes);
		id.bytes = e->id_bytes;
	}
	/* The kernel gave none: whoever opens the file later finds it. */
	if (!id.bytes && e->path[0] == '/' && e->path[1] != '/')
		m.module = images_file(im, e->path, length, (uint64_t)e->major << 32 | e->minor,
				       e->inode);
	else
		m.module = images_module(im, e->path, length, &id);
	return m.module ? images_add(im, e->pid, &m) : -ENOMEM;
}

static int take_task(struct images *im, const struct task_event *e, uint64_t time)
{
	struct mapping m = { .time = time, .kind = MAPPING_FORK, .parent = e->parent };

	if (e->header.type == PERF_RECORD_EXIT && e->pid == e->tid)
		images_exit(im, e->pid);
	if (e->header.type == PERF_RECORD_EXIT || e->pid == e->parent)
		return 0;
	return images_add(im, e->pid, &m);
}

static int take_record(struct live_maps *l, struct images *im, const void *record)
{
	const struct perf_event_header *h = record;
	const struct sample_id *at = (const void *)((const char *)record + h->size - sizeof(*at));
	const struct task_event *task = record;
	struct mapping exec = { .time = at->time, .kind = MAPPING_EXEC };

	switch (h->type) {
	case PERF_RECORD_MMAP2:
		if (h->size < sizeof(struct mmap2_event) + sizeof(*at))
			return 0;
		return take_mmap(im, record,
				 h->size - sizeof(struct mmap2_event) - sizeof(*at), at->time);
	case PERF_RECORD_COMM:
		return h->misc & PERF_RECORD_MISC_COMM_EXEC ? images_add(im, task->pid, &exec) : 0;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return take_task(im, task, at->time);
	case PERF_RECORD_LOST:
		l->lost += l->is_old ? ((const struct lost_event *)record)->lost : 0;
	}
	return 0;
}

/* --- rings ------------------------------------------------------------------------------------- */

/* A record may be in two pieces, at the end and at the beginning of the ring. */
static void copy_out(const char *data, size_t room, uint64_t at, void *to, size_t bytes)
{
	size_t from = at & (room - 1), first = room - from < bytes ? room - from : bytes;

	memcpy(to, data + from, first);
	memcpy((char *)to + first, data, bytes - first);
}

static int read_ring(struct live_maps *l, struct images *im, void *ring, void *record)
{
	struct perf_event_mmap_page *page = ring;
	const char *data = (const char *)ring + sysconf(_SC_PAGESIZE);
	uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = page->data_tail;
	struct perf_event_header h;
	int ret = 0;

	while (tail < head && !ret) {
		copy_out(data, l->bytes, tail, &h, sizeof(h));
		if (h.size < sizeof(h) + sizeof(struct sample_id) || h.size > head - tail)
			break;
		copy_out(data, l->bytes, tail, record, h.size);
		ret = take_record(l, im, record);
		tail += h.size;
	}
	__atomic_store_n(&page->data_tail, head, __ATOMIC_RELEASE);
	return ret;
}

/* The end of a list like "0-3,8\n" from here on: is the number in it? */
static bool is_listed(const char *list, unsigned int number)
{
	unsigned int from, to;
	int used;

	for (; sscanf(list, "%u%n", &from, &used) == 1; list += *list == ',') {
		list += used;
		to = from;
		if (sscanf(list, "-%u%n", &to, &used) == 1)
			list += used;
		if (number >= from && number <= to)
			return true;
	}
	return false;
}

/* Follow CPUs that have come online or gone offline. */
static int follow_cpus(struct live_maps *l, struct images *im, void *record)
{
	char list[sizeof(l->list)] = "";
	ssize_t n = pread(l->online, list, sizeof(list) - 1, 0);
	unsigned int i;
	int ret = 0;

	if (n <= 0 || !strcmp(list, l->list))
		return 0;
	strcpy(l->list, list);
	for (i = 0; i < l->cpu_count && !ret; i++) {
		struct live_cpu *cpu = &l->cpus[i];
		bool is_on = is_listed(list, i);

		if (!is_on && cpu->fd >= 0) {
			ret = read_ring(l, im, cpu->ring, record);
			close_cpu(l, cpu);
		} else if (is_on && cpu->fd < 0 && !l->error) {
			l->error = open_cpu(l, i);
		}
	}
	return ret;
}

int live_maps_read(struct live_maps *l, struct images *im)
{
	static uint64_t record[RECORD_MOST / sizeof(uint64_t)];
	unsigned int i;
	int ret = l->cpus ? follow_cpus(l, im, record) : 0;

	for (i = 0; i < l->cpu_count && !ret; i++)
		if (l->cpus[i].fd >= 0)
			ret = read_ring(l, im, l->cpus[i].ring, record);
	return ret;
}

uint64_t live_maps_lost(const struct live_maps *l)
{
	uint64_t lost = l->lost;
	unsigned int i;

	for (i = 0; i < l->cpu_count; i++)
		if (l->cpus[i].fd >= 0)
			lost += lost_of(l, &l->cpus[i]);
	return lost;
}
