// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * generate_page.c - a short recording with everything that a page of fxt report shows.
 * "init" is the parent of 11, 11 of 21, and 21 of 31; 22 may only run on CPUs 1 and 3. The
 * recording has names that would be harmful as HTML, all states of an outgoing thread, and a loss.
 * Times are ms; 11 and 12 are threads of process 11, 31 and 32 of process 31. "in" means that the
 * thread is switched in.
 *
 *  cpu 0   1 11 in                 2 it wakes 12         5 it is preempted, 12 in
 *          6 12 sleeps, 11 in                            9 it wakes 21 onto cpu 1
 *         10 11 sleeps, idle      39 idle wakes 31      40 31 in
 *         41 it wakes 32          44 it blocks (D), 32 in
 *         46 32 stops, idle       50 idle wakes 31      51 31 in
 *         60 31 dies, idle        60 to 70 seven records are lost
 *         70 idle, 11 in          71 11 sleeps, idle
 *  cpu 1   2 22 in                 3 it sleeps, idle    12 21 in
 *         25 it sleeps, idle
 *
 * With events, cpu 1 also has interrupts, an idle state and the like (tell_events()).
 */
#include <errno.h>
#include <unistd.h>

#include "event_story.h"
#include "generate.h"

#define MS	1000000ULL

/* 22 is a thread of 21. */
static void tell_bound_thread(struct story *s)
{
	BUILD(&s->b, fxt_kernel_object(7, FXT_OBJECT_THREAD, fxt_string_ref_inline(5), 2), 22);
	BUILD_TEXT(&s->b, "short");
	BUILD(&s->b, fxt_arg_koid(2, FXT_STR_PROCESS), 21);
	BUILD(&s->b, fxt_arg_string(2, FXT_STR_CPUS, fxt_string_ref_inline(3)));
	BUILD_TEXT(&s->b, "1,3");
	s->now->written++;
}

static void tell_names(struct story *s)
{
	STORY(s, "names@1ms; name 5 init");
	s->parent = 5;
	STORY(s, "name 11 eleven; name 12/11 twelve");
	s->parent = 11;
	story_name(s, 21, 21, "other");
	tell_bound_thread(s);
	s->parent = 21;
	story_name(s, 31, 31, "</script><script>window.harmed=1</script>");
	story_name(s, 32, 31, "<img src=x onerror=harmed=1>&amp;\"'");
}

static void tell_first_cpu(struct story *s)
{
	STORY(s, "0@1ms 0>11; 2ms wake 12 by 11; 5ms 11>12; 6ms 12>11 S; 9ms wake 21 by 11 on 1; "
		 "10ms 11>0 S; 39ms wake 31 by irq; 40ms 0>31; 41ms wake 32 by 31");
	story_state(s, 44 * MS, 0, 31, 32,
		    (struct fxt_sched_state){ FXT_THREAD_BLOCKED, FXT_STR_STATE_D });
	STORY(s, "46ms 32>0 T; 50ms wake 31 on 0; 51ms 0>31; 60ms 31>0 Z; lose 0 7 @70ms; "
		 "70ms 0>11; 71ms 11>0 S");
}

/*
 * The idle cpu 1 serves interrupts from 26 to 29 ms, and data arrive for a socket. 22 waits for
 * it from 30 to 34 ms; another thread runs for half of that. Then 22 reads, interrupts cpu 0, and
 * waits for a lock of 21. Then cpu 1 is in an idle state until 60 ms, and a cgroup is throttled
 * from 40 to 50 ms. Finally 22 migrates away and back, executes a work item, forks, sends a
 * signal, takes one, and exits.
 */
static void tell_idle_cpu(struct story *s)
{
	const struct fxt_sched_socket data = {
		.family = FXT_LINUX_AF_INET, .type = FXT_LINUX_SOCK_STREAM, .protocol = FXT_LINUX_TCP,
		.state = 1, .local_port = 443, .remote_port = 50000, .bytes = 100,
	};

	STORY(s, "1@27ms; 26ms-27ms irq 17 <b>eth0</b>; 27ms-29ms softirq %", EVENT_NET_RX);
	event_data(s, 29 * MS + MS / 2, &data);
	STORY(s, "30ms wake 22 by irq on 1; 30ms queue 1 on 1");
	event_pelt_cpu(s, 30 * MS, 1, 256);
	STORY(s, "30ms-32ms softirq %; 34ms 0>22; %-% 22/21 calls % = 5", EVENT_NET_RX,
		 34 * MS + MS / 4, 34 * MS + MS / 2, EVENT_READ);
	event_ipi(s, 34 * MS + MS / 2, 22, 21, 0, "flush");
	STORY(s, "35ms queue 0 on 1; 35ms 22>0 S; 40ms-50ms throttle 4711 on 1; 36ms-60ms idle 1");
}

static void tell_end_of_thread(struct story *s)
{
	event_frequency(s, 60 * MS, 1, 2000000, 0);
	STORY(s, "% 22/21 moves 1>0; % 22/21 moves 0>1; % wake 22 on 1; 61ms 0>22",
		 60 * MS + MS / 4, 60 * MS + MS / 2, 60 * MS + MS / 2);
	event_lock(s, 34 * MS + 3 * MS / 4, 61 * MS, 22, 21, FXT_LOCK_MUTEX, 1, 21);
	event_memory(s, 61 * MS + MS / 8, 61 * MS + MS / 4, 22, 21, FXT_STR_CGROUP_RECLAIM, 32);
	event_priority(s, 61 * MS + MS / 2, 22, 21, 120, -1);
	event_quota(s, 61 * MS + MS / 2, 4711, "<b>/build</b>", 10, 0, 0);
	event_work(s, 61 * MS, 62 * MS, 22, 21, "vmstat_update");
	event_quota(s, 62 * MS, 4711, "<b>/build</b>", 18, 2, 4000);
	event_fork(s, 62 * MS, 22, 21, 23);
	event_signal(s, 62 * MS + MS / 4, 22, 21, 15, 21, 1, false);
	event_delivery(s, 62 * MS + MS / 2, 22, 21, 10, true);
	STORY(s, "63ms 22/21 exits %; 63ms 22>0 Z", 3 << 8);
}

static void tell_events(struct story *s)
{
	event_tracks(s, 1);
	event_syscall_name(s, EVENT_READ, "read");
	event_cgroup(s, 4711, 1, "<b>/build</b>");
	tell_idle_cpu(s);
	tell_end_of_thread(s);
}

static int write_all(int fd, const struct story *s)
{
	size_t bytes = built_bytes(&s->b), done = 0;
	ssize_t n;

	while (done < bytes) {
		n = write(fd, (const char *)s->b.words + done, bytes - done);
		if (n < 0 && errno != EINTR)
			return -errno;
		done += n > 0 ? n : 0;
	}
	return 0;
}

int generate_page(int fd, bool is_triggered, bool has_events)
{
	struct story s = { 0 };

	story_begin(&s);
	tell_names(&s);
	tell_first_cpu(&s);
	STORY(&s, "1@2ms 0>22; 3ms 22>0 S; 12ms 0>21; 25ms 21>0 S");
	if (has_events)
		tell_events(&s);
	story_end(&s, 72 * MS);
	if (is_triggered)
		story_trigger(&s, 5 * MS, 12, 0, 3 * MS);
	return write_all(fd, &s);
}

/*
 * The CPU of the woken thread records the wakeup, after the waker has left its own (ms):
 *
 *  cpu 0   1 11 in                10 it sleeps, idle     21 11 in, which an interrupt woke
 *         23 it sleeps, idle      24 it wakes 13, which is impossible
 *  cpu 1   1 12 in                 3 it sleeps, idle     11 11 has woken it        12 12 in
 *         14 it sleeps, idle
 *
 * At the end, thread 14 serves the timer of a sleep of 12, and is not why it slept.
 */
int generate_late(int fd)
{
	struct story s = { 0 };

	story_begin(&s);
	story_chunk(&s, STORY_NAMES, MS);
	for (uint32_t tid = 11; tid <= 14; tid++)
		story_name(&s, tid, tid, "worker");
	STORY(&s, "1@1ms 0>12; 3ms 12>0 S; 11ms wake 12 by 11; 12ms 0>12; 14ms 12>0 S; "
		  "0@1ms 0>11; 10ms 11>0 S; 20ms wake 11 by irq; 21ms 0>11; 23ms 11>0 S; "
		  "24ms wake 13 by 11; 25ms 0>13; 26ms 13>14 S");
	event_timer(&s, 27 * MS, FXT_LINUX_SLEEPER, 12);
	STORY(&s, "27ms wake 12 by 14; 28ms 14>12 S; 29ms 12>0 S; end 30ms");
	return write_all(fd, &s);
}

#define US		1000ULL
#define ROUND		(200 * US)
#define ROUNDS		512

/* What may differ in a round, besides the CPU. */
enum {
	ROUND_HIT_BEFORE	= 1 << 0,	/* an interrupt hits the CPU before 11 gets it */
	ROUND_HIT		= 1 << 1,	/* afterwards */
	ROUND_SERVED		= 1 << 2,	/* ksoftirqd is woken, too */
	ROUND_UNWOKEN		= 1 << 3,	/* nobody wakes 11 */
	ROUND_OTHER		= 1 << 4,	/* another soft interrupt precedes it */
	ROUND_UNKNOWN		= 1 << 5,	/* it is not recorded which thread was hit */
	ROUND_LATE		= 1 << 6,	/* the other CPU runs 12, and records it late */
	ROUND_LOSS		= 1 << 7,	/* the other CPU loses records */
};

/* 11 had the CPU from 40 us on; 12 gets this or the other CPU, and sleeps from 100 us on. */
static void tell_end_of_round(struct story *s, uint64_t at, unsigned int cpu, unsigned int what)
{
	uint32_t hit = fxt_sched_waker(what & ROUND_UNKNOWN ? 0 : 11, FXT_SCHED_IRQ_SOFT);
	bool is_served = what & ROUND_SERVED;

	if (!(what & ROUND_LATE))
		story_wake(s, at + 72 * US, cpu, 12, hit);
	event_softirq(s, at + 70 * US, at + 74 * US, EVENT_NET_RX);
	if (what & ROUND_LATE) {
		story_switch(s, at + 80 * US, 11, is_served ? 20 + cpu : 0, FXT_THREAD_BLOCKED);
		if (is_served)
			story_switch(s, at + 90 * US, 20 + cpu, 0, FXT_THREAD_BLOCKED);
		STORY(s, "%@%; % wake 12 by %; % 0>12", !cpu, at + 82 * US, at + 82 * US, hit,
			 at + 85 * US);
	} else if (is_served) {
		STORY(s, "% 11>% S; % %>12 S", at + 80 * US, 20 + cpu, at + 90 * US, 20 + cpu);
	} else {
		story_switch(s, at + 80 * US, 11, 12, FXT_THREAD_BLOCKED);
	}
	story_switch(s, at + 100 * US, 12, 0, FXT_THREAD_BLOCKED);
}

/* An interrupt wakes 12, which wakes 11 and sleeps, until a soft interrupt wakes it. */
static void tell_round(struct story *s, uint64_t at, unsigned int cpu, unsigned int what)
{
	if (what & ROUND_LOSS) {
		STORY(s, "%@% wake 13", !cpu, at + 5 * US);
		story_lose(s, !cpu, 3, at + (what & ROUND_HIT_BEFORE ? 30 : 60) * US);
		STORY(s, "% 0>13; % 13>0 S", at + 61 * US, at + 62 * US);
	}
	STORY(s, "%@% wake 12 by irq; % 0>12", cpu, at, at + 2 * US);
	if (what & ROUND_HIT_BEFORE)
		event_irq(s, at + 10 * US, at + 12 * US, 24, "eth0");
	if (what & ROUND_SERVED)
		story_wake(s, at + 20 * US, cpu, 20 + cpu, 12);
	if (!(what & ROUND_UNWOKEN))
		story_wake(s, at + 30 * US, cpu, 11, 12);
	story_switch(s, at + 40 * US, 12, 11, FXT_THREAD_BLOCKED);
	if (what & ROUND_HIT)
		event_vector(s, at + 50 * US, at + 52 * US, FXT_STR_VECTOR_LOCAL_TIMER);
	if (what & ROUND_OTHER)
		event_softirq(s, at + 60 * US, at + 61 * US, EVENT_TIMER);
	tell_end_of_round(s, at, cpu, what);
}

/* 11 and 12 are threads of process 11; 20 and 21 are ksoftirqd of the CPUs. */
int generate_raised(int fd)
{
	struct story s = { 0 };

	story_begin(&s);
	STORY(&s, "names@1us; name 11 sender; name 12/11 receiver; name 13 other; "
		  "name 20 ksoftirqd/0; name 21 ksoftirqd/1");
	for (unsigned int i = 0; i < ROUNDS; i++)
		tell_round(&s, (i + 1) * ROUND, i % 2, i / 2);
	story_end(&s, (ROUNDS + 1) * ROUND);
	return write_all(fd, &s);
}

static const char functions[] =
	"k ffffffff81000000 ffffffff81000100 bpf_trace_run1\n"
	"k ffffffff81000100 ffffffff81000200 try_to_wake_up\n"
	"k ffffffff81000200 ffffffff81000300 mutex_unlock\n"
	"k ffffffff81000300 ffffffff81000400 futex_wait\n"
	"k ffffffff81000400 ffffffff81000500 do_syscall_64\n"
	"k ffffffff81000500 ffffffff81000600 <b>io_schedule</b> [fuse]\n"
	"k ffffffff81000600 ffffffff81000700 preempt_schedule\n"
	"k ffffffff81000700 ffffffff81000800 asm_sysvec_timer\n"
	"k ffffffff81000800 ffffffff81000900 clear_page\n";

#define IN(function)	(0xffffffff81000010 + ((function) << 8))

static const uint64_t in_unlock[] = { IN(0), IN(1), IN(2) };
static const uint64_t in_futex[] = { IN(3), IN(4), 0x401010 };
static const uint64_t also_in_futex[] = { IN(3) + 5, IN(4), 0x401010 };
static const uint64_t in_io[] = { IN(5), IN(4) };
static const uint64_t in_preempt[] = { IN(6) };
static const uint64_t in_interrupt[] = { IN(1), IN(7), IN(5), IN(4) };
static const uint64_t in_clear[] = { IN(8), IN(4), 0x401010 };

/*
 * 11 and 12 are threads of process 11, 21 is in a cgroup. On cpu 0 (ms):
 *
 *  1 11 in      2 it waits for a futex, 12 in      4 12 waits for I/O, 21 in
 *  8 21 unlocks for 11          9 21 is preempted, 11 in          10 11 unlocks for 12
 * 11 11 waits for a futex, 12 in       14 12 waits, without a stack, 21 in
 * 20 an interrupt of other code wakes 11, 11 in; 21 waits without a stack
 * 22 31, an idle worker of the kernel, in      23 it waits for work        27 31 in
 *
 * Samples: 12 in clear_page at 3 and in a program at 13, 21 in clear_page at 6 and 7
 */
int generate_stacks(int fd)
{
	static const struct fxt_sched_state idle = { FXT_THREAD_BLOCKED, FXT_STR_STATE_I };
	struct story s = { 0 };

	story_begin(&s);
	STORY(&s, "names@1ms; name 11 worker; name 12/11 worker");
	event_process_in(&s, 21, "flusher", "/<b>bank</b>");
	STORY(&s, "name 31 kworker; 0@1ms 0>11; 2ms 11>12 S");
	event_sample(&s, 3 * MS, 12, 11, in_clear, 3);
	STORY(&s, "4ms 12>21 S");
	event_sample(&s, 6 * MS, 21, 21, in_clear, 1);
	event_sample(&s, 7 * MS, 21, 21, in_clear, 1);
	event_stack(&s, 8 * MS, 11, 11, in_unlock, 3);
	STORY(&s, "8ms wake 11 by 21 on 0; 9ms 21>11");
	event_stack(&s, 9 * MS, 11, 11, in_futex, 3);
	event_stack(&s, 10 * MS, 12, 11, in_unlock + 1, 2);
	STORY(&s, "10ms wake 12 by 11 on 0; 11ms 11>12 S");
	event_stack(&s, 11 * MS, 12, 11, in_io, 2);
	event_sample(&s, 13 * MS, 12, 11, in_clear + 2, 1);
	story_switch(&s, 14 * MS, 12, 21, FXT_THREAD_BLOCKED);
	event_stack(&s, 14 * MS, 21, 21, in_preempt, 1);
	event_stack(&s, 20 * MS, 11, 11, in_interrupt, 4);
	STORY(&s, "20ms wake 11 by irq on 0; 20ms 21>11 S");
	event_stack(&s, 20 * MS, 11, 11, also_in_futex, 3);
	story_switch(&s, 22 * MS, 11, 31, FXT_THREAD_BLOCKED);
	story_state(&s, 23 * MS, 0, 31, 0, idle);
	event_stack(&s, 27 * MS, 31, 31, in_unlock, 3);
	STORY(&s, "27ms wake 31 on 0; 27ms 0>31");
	event_stack(&s, 27 * MS, 31, 31, in_io, 2);
	story_end(&s, 30 * MS);
	event_symbols(&s, functions);
	return write_all(fd, &s);
}

/*
 * Times are ms. 12 waits for cpu 0 from 2 on, is moved at 4, and runs on cpu 1 from 6 to 8. Then it
 * waits there, is moved back at 9, and runs on cpu 0 at 20; records of cpu 1 are lost from 17 to
 * 19. 21 is throttled from 10 to 14, and runs at 15. 22 is woken for cpu 1 at 19.5, and runs on cpu
 * 0 at 22, without a record of its move. An interrupt takes half of a ms of what 11 has of cpu 0.
 */
static void tell_moved_from(struct story *s)
{
	STORY(s, "0@1ms 0>11; 2ms wake 12 by 11; 3ms-% irq 17 eth0; 9ms 12/11 moves 1>0; "
		 "20ms 11>12 S; 22ms 12>22 S; 23ms 22>0 S", 3 * MS + MS / 2);
}

static void tell_moved_to(struct story *s)
{
	STORY(s, "1@1ms 0>22; 4ms 12/11 moves 0>1; 6ms 22>12 S; 8ms 12>21; 10ms 21>0; "
		 "10ms-14ms throttle 7; 15ms 0>21; 16ms 21>0 S; 17ms 0>23; lose 1 3 @19ms; "
		 "19ms 0>23; % wake 22 by 23; 23ms 23>0 S", 19 * MS + MS / 2);
}

static int write_moved(int fd, const char *session)
{
	struct story s = { 0 };

	story_begin(&s);
	if (*session)
		story_session(&s, session);
	STORY(&s, "names@1ms; name 11 eleven; name 12/11 twelve; name 22 other; name 23/22 third");
	event_process_in(&s, 21, "held", "/build/a");
	event_tracks(&s, 0);
	event_cgroup(&s, 7, 1, "/build");
	tell_moved_from(&s);
	tell_moved_to(&s);
	story_end(&s, 24 * MS);
	return write_all(fd, &s);
}

int generate_moved(int fd)
{
	return write_moved(fd, "");
}

int generate_commanded(int fd)
{
	return write_moved(fd, "command_pid 22\n");
}

/*
 * Times are ms. 11 queues a write of 128 KiB at 11, which 12 gives to vda at 13, and reads at 12. The
 * write ends at 15; the read ends at 18, with an error. 12 writes again from 20 to 21, and reads sda
 * from 25 on, without an end.
 */
int generate_requests(int fd)
{
	enum { WRITE = 0x1000, READ = 0x2000, OPEN = 0x3000 };
	struct story s = { 0 };

	story_begin(&s);
	STORY(&s, "names@1; name 11 writer; name 12 worker; 0@10ms 0>11");
	event_queued(&s, 11 * MS, 11, WRITE);
	event_request(&s, 12 * MS, 11, READ, "vda", FXT_LINUX_OP_READ, 4096);
	event_request(&s, 13 * MS, 12, WRITE, "vda", FXT_LINUX_OP_WRITE, 128 << 10);
	event_completion(&s, 15 * MS, WRITE, "vda", 0);
	event_completion(&s, 18 * MS, READ, "vda", 10);
	event_request(&s, 20 * MS, 12, WRITE, "vda", FXT_LINUX_OP_WRITE, 4096);
	event_completion(&s, 21 * MS, WRITE, "vda", 0);
	event_request(&s, 25 * MS, 12, OPEN, "sda", FXT_LINUX_OP_READ, 512);
	story_end(&s, 30 * MS);
	return write_all(fd, &s);
}
