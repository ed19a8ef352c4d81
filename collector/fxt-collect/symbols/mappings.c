// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mappings.c - see mappings.h.
 *
 * The links in /proc/PID/map_files lead to what is mapped, even if it was removed or replaced
 * since, or is in another mount namespace. Many processes map the same files, whose build ids are
 * read once, by other processes: if a file keeps one of them waiting, the process that has mapped
 * it gets no names. Another process reads the list itself, too (texts.h).
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
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

#include "libfxt/array.h"
#include "libfxt/clock.h"
#include "libsym/shares.h"
#include "mappings.h"

uint32_t user_of(uint32_t id)
{
	static const char key[] = "\nUid:\t";
	char path[40], text[1024];
	const char *at;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%u/status", id);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return UINT32_MAX;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	/* The kernel escapes newlines in the name, which comes first. */
	at = strstr(text, key);
	return at ? strtoul(at + sizeof(key) - 1, NULL, 10) : UINT32_MAX;
}

/* --- what processes have mapped ------------------------------- */

#define WAIT_MS		200	/* for the build ids of a process's files */
#define WALK_NS		3000000000ULL	/* for all processes */
#define LINES_MOST	16384U	/* executable mappings of a process */
#define BYTES_MOST	(IMAGES_BYTES / 2)	/* the other half is for what is mapped later */

/* A file whose build id is known. */
struct known {
	struct map_node node;
	uint64_t device;
	uint64_t inode;
	struct elf_id id;
};

/* Of /proc/PID/maps. */
struct line {
	uint64_t start;
	uint64_t end;
	uint64_t offset;
	uint64_t device;
	uint64_t inode;
	char *path;
};

/* A process whose list or files did not come. */
struct missed {
	uint32_t pid;
	bool waited;	/* it was asked for; else others had used up the time */
};

struct proc_walk {
	struct images *im;
	struct texts *texts;	/* reads lists of mappings, and its server files */
	struct share *all;	/* the processes */
	struct shares shares;	/* whose turn it is */
	size_t listed;		/* in @all */
	uint64_t left;		/* those of @all that were not read */
	uint32_t pid;		/* of the process that is read */
	struct map known;	/* files */
	struct line *lines;	/* of the process, whose files are not all known */
	size_t count;
	struct elf_place places[ELF_IDS_MOST];	/* files that are asked for at once */
	size_t asked;
	bool ids_late;		/* an answer for files of the process did not come */
	struct missed *late;
	size_t late_count;
	size_t retried;		/* those of @late that were asked again */
	bool retries;		/* all others have been asked */
	uint64_t end;	/* CLOCK_MONOTONIC ns when no more is asked; 0 before the first step */
};

static struct known *find_known(const struct proc_walk *proc, uint64_t device, uint64_t inode)
{
	struct known *k;

	return map_find(&proc->known, map_hash(device, inode), k,
			k->device == device && k->inode == inode);
}

static int note_known(struct proc_walk *proc, const struct elf_place *place)
{
	struct known *k = find_known(proc, place->device, place->inode);

	if (!k && !map_new(&proc->known, map_hash(place->device, place->inode), k))
		return -ENOMEM;
	k->device = place->device;
	k->inode = place->inode;
	k->id = place->id;
	return 0;
}

/*
 * Ask for the files that were gathered. If no answer comes, one of them may be slow: those of other
 * processes are asked for again.
 */
static int ask(struct proc_walk *proc)
{
	size_t count = proc->asked, i;
	int ret = 0;

	proc->asked = 0;
	if (!count || proc->ids_late || !proc->texts->server ||
	    clock_ns(CLOCK_MONOTONIC) >= proc->end)
		return 0;
	proc->ids_late = !elf_server_ids(proc->texts->server, proc->places, count, WAIT_MS);
	for (i = 0; i < count && !proc->ids_late && !ret; i++)
		ret = note_known(proc, &proc->places[i]);
	return ret;
}

/* Without CAP_SYS_ADMIN the link cannot be opened, but the path can, if it is the same file. */
static int gather(struct proc_walk *proc, const struct line *l)
{
	struct elf_place *place;
	size_t i;

	if (!l->inode || strlen(l->path) >= sizeof(place->path) ||
	    find_known(proc, l->device, l->inode))
		return 0;
	for (i = 0; i < proc->asked; i++)
		if (proc->places[i].device == l->device && proc->places[i].inode == l->inode)
			return 0;
	place = &proc->places[proc->asked++];
	snprintf(place->first, sizeof(place->first), "/proc/%u/map_files/%" PRIx64 "-%" PRIx64,
		 proc->pid, l->start, l->end);
	strcpy(place->path, l->path);
	place->device = l->device;
	place->inode = l->inode;
	return proc->asked == ELF_IDS_MOST ? ask(proc) : 0;
}

/* Return: false if the mapping is not executable */
static bool parse_line(char *text, struct line *l)
{
	static const char deleted[] = " (deleted)";
	unsigned int major, minor;
	char flags[5];
	size_t length;
	int at = 0;

	if (sscanf(text, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %x:%x %" SCNu64 " %n", &l->start,
		   &l->end, flags, &l->offset, &major, &minor, &l->inode, &at) < 7 || !at ||
	    flags[2] != 'x')
		return false;
	l->device = (uint64_t)major << 32 | minor;
	l->path = text + at;
	length = strcspn(l->path, "\n");
	if (length > sizeof(deleted) - 1 &&
	    !strncmp(l->path + length - (sizeof(deleted) - 1), deleted, sizeof(deleted) - 1))
		length -= sizeof(deleted) - 1;
	l->path[length] = '\0';
	return true;
}

static int add_line(struct proc_walk *proc, const struct line *l)
{
	struct mapping m = {
		.kind = MAPPING_FILE, .start = l->start, .end = l->end, .offset = l->offset,
		.vaddr = FXT_SCHED_NO_VADDR,
	};
	const char *path = *l->path ? l->path : "//anon";
	const struct known *k = l->inode ? find_known(proc, l->device, l->inode) : NULL;
	const struct elf_id none = { .bytes = 0 };

	m.module = images_module(proc->im, path, strlen(path), k ? &k->id : &none);
	return m.module ? images_add(proc->im, proc->pid, &m) : -ENOMEM;
}

static int keep_line(struct proc_walk *proc, const struct line *l)
{
	if (array_grow(proc->lines, proc->count))
		return -ENOMEM;
	proc->lines[proc->count] = *l;
	proc->lines[proc->count].path = strdup(l->path);
	if (!proc->lines[proc->count].path)
		return -ENOMEM;
	proc->count++;
	return 0;
}

static int note_line(void *arg, char *text)
{
	struct proc_walk *proc = arg;
	struct line l;
	int ret;

	if (!parse_line(text, &l))
		return 0;
	/* 1: do not read the rest. */
	if (proc->count == LINES_MOST || clock_ns(CLOCK_MONOTONIC) > proc->end)
		return 1;
	ret = keep_line(proc, &l);
	return ret ? ret : gather(proc, &l);
}

static void drop_lines(struct proc_walk *proc)
{
	while (proc->count)
		free(proc->lines[--proc->count].path);
}

static int add_lines(struct proc_walk *proc)
{
	size_t i;
	int ret = 0;

	for (i = 0; i < proc->count && !ret; i++)
		ret = add_line(proc, &proc->lines[i]);
	drop_lines(proc);
	return ret;
}

static int note_missed(struct proc_walk *proc, bool waited)
{
	drop_lines(proc);
	proc->asked = 0;
	if (array_grow(proc->late, proc->late_count))
		return -ENOMEM;
	proc->late[proc->late_count++] = (struct missed){ proc->pid, waited };
	return 0;
}

/* All files of a process are asked for before its mappings are added. */
static int read_process(struct proc_walk *proc, uint32_t pid)
{
	unsigned int lost = proc->texts->lost_ms;
	uint64_t late = proc->texts->late;
	char path[64];
	bool is_read;
	int ret;

	proc->pid = pid;
	proc->ids_late = false;
	snprintf(path, sizeof(path), "/proc/%u/maps", pid);
	ret = texts_lines(proc->texts, path, note_line, proc);
	if (ret < 0 && proc->texts->late != late && !proc->retries) {
		proc->texts->late = late;
		return note_missed(proc, proc->texts->lost_ms != lost);
	}
	is_read = ret <= 0;
	/* The process has ended, or delays reading its list. */
	ret = ret == -ENOMEM ? ret : ask(proc);
	if (!ret && proc->ids_late && !proc->retries)
		return note_missed(proc, true);
	proc->left -= is_read;
	if (ret)
		drop_lines(proc);
	return ret ? ret : add_lines(proc);
}

/* Processes that nobody has waited for come first. */
static int by_waiting(const void *a, const void *b)
{
	const struct missed *x = a, *y = b;

	return x->waited != y->waited ? x->waited - y->waited : x->pid < y->pid ? -1 : x->pid > y->pid;
}

/* The machine may be busy, or a process may delay the reader of all lists: ask once more. */
static bool next_missed(struct proc_walk *proc, size_t *pid)
{
	if (!proc->retries) {
		if (proc->late_count)
			qsort(proc->late, proc->late_count, sizeof(*proc->late), by_waiting);
		texts_begin(proc->texts);
		proc->retries = true;
	}
	if (proc->retried == proc->late_count)
		return false;
	*pid = proc->late[proc->retried++].pid;
	return true;
}

static int list_process(struct proc_walk *proc, uint32_t pid)
{
	if (array_grow(proc->all, proc->listed))
		return -ENOMEM;
	proc->all[proc->listed++] = (struct share){
		.user = user_of(pid), .process = pid, .file = pid,
	};
	return 0;
}

static int list_all(struct proc_walk *proc)
{
	DIR *dir = opendir("/proc");
	struct dirent *entry;
	int ret = 0;

	while (dir && !ret && (entry = readdir(dir)))
		if (isdigit((unsigned char)entry->d_name[0]))
			ret = list_process(proc, strtoul(entry->d_name, NULL, 10));
	if (dir)
		closedir(dir);
	return ret;
}

int proc_walk_open(struct proc_walk **walk, struct images *im, const struct source_filter *filter,
		   struct texts *texts)
{
	struct proc_walk *proc = calloc(1, sizeof(*proc));
	unsigned int i;
	int ret = 0;

	*walk = proc;
	if (!proc)
		return -ENOMEM;
	proc->im = im;
	proc->texts = texts;
	if (!filter || !filter->pid_count)
		ret = list_all(proc);
	for (i = 0; filter && i < filter->pid_count && !ret; i++)
		ret = list_process(proc, filter->pids[i]);
	proc->left = proc->listed;
	return ret ? ret : shares_open(&proc->shares, proc->all, proc->listed);
}

int proc_walk_step(struct proc_walk *proc)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC), spent;
	bool is_turn;
	size_t pid;
	int ret = 0;

	if (!proc->end) {
		texts_begin(proc->texts);
		proc->end = now + WALK_NS;
	}
	if (now >= proc->end || proc->im->bytes > BYTES_MOST)
		return 0;
	is_turn = !proc->retries && shares_next(&proc->shares, &pid, &spent);
	if (!is_turn && !next_missed(proc, &pid))
		return 0;
	if (images_began(proc->im, pid))
		proc->left--;
	else
		ret = read_process(proc, pid);
	if (is_turn)
		shares_spend(&proc->shares, clock_ns(CLOCK_MONOTONIC) - now);
	return ret ? ret : 1;
}

uint64_t proc_walk_left(const struct proc_walk *proc)
{
	return proc->left;
}

void proc_walk_close(struct proc_walk *proc)
{
	if (!proc)
		return;
	shares_close(&proc->shares);
	map_free_all(&proc->known, struct known);
	free(proc->lines);
	free(proc->late);
	free(proc->all);
	free(proc);
}

/* --- what they map while recording ------------------------------------------------------ */

/*
 * Events that count nothing report mappings, one event for each CPU. The kernel and this process
 * share the ring of an event: the kernel advances data_head with release, this process data_tail.
 * The event of a CPU ends when the CPU goes offline, and one that comes online has none; so the
 * list of online CPUs is read before the rings.
 */

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

	/* Before Linux 6.0: then only a later event has the number of those lost before it. */
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

	/* The CPU is offline, or does not exist. */
	if (fd < 0)
		return errno == ENODEV || errno == EINVAL ? 0 : -errno;
	ring = map_ring(fd, l->bytes);
	/* Opening the first event shows how much memory the kernel allows. */
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

static int add_mmap(struct images *im, const struct mmap2_event *e, size_t path_room,
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
	/* The kernel gave no build id: code that opens the file later finds it. */
	if (!id.bytes && e->path[0] == '/' && e->path[1] != '/')
		m.module = images_file(im, e->path, length, (uint64_t)e->major << 32 | e->minor,
				       e->inode);
	else
		m.module = images_module(im, e->path, length, &id);
	return m.module ? images_add(im, e->pid, &m) : -ENOMEM;
}

static int add_task(struct images *im, const struct task_event *e, uint64_t time)
{
	struct mapping m = { .time = time, .kind = MAPPING_FORK, .parent = e->parent };

	if (e->header.type == PERF_RECORD_EXIT && e->pid == e->tid)
		images_exit(im, e->pid);
	if (e->header.type == PERF_RECORD_EXIT || e->pid == e->parent)
		return 0;
	return images_add(im, e->pid, &m);
}

static int apply_record(struct live_maps *l, struct images *im, const void *record)
{
	const struct perf_event_header *h = record;
	const struct sample_id *at = (const void *)((const char *)record + h->size - sizeof(*at));
	const struct task_event *task = record;
	struct mapping exec = { .time = at->time, .kind = MAPPING_EXEC };

	switch (h->type) {
	case PERF_RECORD_MMAP2:
		if (h->size < sizeof(struct mmap2_event) + sizeof(*at))
			return 0;
		return add_mmap(im, record,
				h->size - sizeof(struct mmap2_event) - sizeof(*at), at->time);
	case PERF_RECORD_COMM:
		return h->misc & PERF_RECORD_MISC_COMM_EXEC ? images_add(im, task->pid, &exec) : 0;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return add_task(im, task, at->time);
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
		ret = apply_record(l, im, record);
		tail += h.size;
	}
	__atomic_store_n(&page->data_tail, head, __ATOMIC_RELEASE);
	return ret;
}

/* Is the number in the list, like "0-3,8\n"? */
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
