// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Segments of many machines, for questions with known answers; scripts/fleet/compare.js has the
 * answers. An archive is of host "fleet-NNN", segment d + 1 of one boot, which begins d days and n
 * % 12 hours after 2023-11-14 12:00:00 UTC. n is the number of the machine, d the day.
 *
 * Process client (11) is in cgroup /client, as is cron (41); web (21) in /web, batch (31) in
 * /batch. In each cycle of 10 ms, on CPU 0:
 * 0.00 an interrupt wakes client; 0.02 client in; 0.10 client wakes web;
 * 0.10 + L client sleeps, web in; 2.00 web wakes batch; 2.05 web is preempted, batch in;
 * 3.05 batch sleeps, web in; 5.00 web sleeps, idle;
 * 6.00 to 6.10 interrupt eth0; 6.10 to 6.10 + 0.01 n NET_RX
 *
 * L is 100 + n us, on day 1 three times that if n % 5 is 1; in the first cycle 1100 + 10 n us. In
 * the cycles 5, 15, 25, ... web is woken and runs on cpu 1, and nothing preempts it. cron runs on
 * cpu 1 before the first cycle, and again n ms after the last one, when client wakes it. If n % 10
 * is 3, /batch is throttled on cpu 1 for n times 0.1 ms in the cycles 3 and 4. If n % 7 is 0, cpu 1
 * loses n records at the end, and then cron runs once more.
 */
#include <errno.h>
#include <unistd.h>

#include "event_story.h"
#include "generate.h"

#define US		1000ULL
#define SECOND		1000000000ULL
#define EPOCH		(1699963200 * SECOND)
#define CYCLE		(10 * MS)
#define CHUNK_CYCLES	100U	/* cycles whose records follow one another by CPU */
#define BATCH_CGROUP	4711

enum { CLIENT = 11, WEB = 21, BATCH = 31, CRON = 41 };

struct fleet_host {
	unsigned int n;
	unsigned int day;
	unsigned int cycles;
	uint64_t begin;	/* time of its first cycle, in ns after boot */
};

static uint64_t latency(const struct fleet_host *h, unsigned int cycle)
{
	uint64_t usual = (100 + h->n) * US;

	if (!cycle)
		return (1100 + 10 * h->n) * US;
	return h->day && h->n % 5 == 1 ? 3 * usual : usual;
}

static bool is_moved(unsigned int cycle)
{
	return cycle % 10 == 5;
}

static uint64_t cycle_time(const struct fleet_host *h, unsigned int cycle)
{
	return h->begin + cycle * CYCLE;
}

static void tell_machine(struct story *s, const struct fleet_host *h)
{
	char lines[512];

	snprintf(lines, sizeof(lines),
		 "collector generate 0\nsource bpf\nclock boot\nweight weight\n"
		 "kernel Linux 6.1.0 made-up\nhost fleet-%03u\n"
		 "boot %08x-0000-4000-8000-000000000000\nevents irq,throttle\nepoch %llu\n"
		 "segment %u\n", h->n, h->n, EPOCH, h->day + 1);
	story_session(s, lines);
	story_chunk(s, STORY_NAMES, h->begin);
	event_process_in(s, CLIENT, "client", "/client");
	event_process_in(s, WEB, "web", "/web");
	event_process_in(s, BATCH, "batch", "/batch");
	event_process_in(s, CRON, "cron", "/client");
	event_tracks(s, 0);
	event_tracks(s, 1);
	event_cgroup(s, BATCH_CGROUP, 1, "/batch");
}

/* Client wakes web, which waits behind it, and batch preempts web. */
static void tell_queue(struct story *s, uint64_t at, uint64_t wait)
{
	story_wake(s, at + 100 * US, 0, WEB, CLIENT);
	story_switch(s, at + 100 * US + wait, CLIENT, WEB, FXT_THREAD_BLOCKED);
	story_wake(s, at + 2000 * US, 0, BATCH, WEB);
	story_switch(s, at + 2050 * US, WEB, BATCH, FXT_THREAD_NEW);
	story_switch(s, at + 3050 * US, BATCH, WEB, FXT_THREAD_BLOCKED);
	story_switch(s, at + 5000 * US, WEB, 0, FXT_THREAD_BLOCKED);
}

/* Web runs on cpu 1, and wakes batch from there. */
static void tell_moved(struct story *s, uint64_t at)
{
	story_wake(s, at + 100 * US, 1, WEB, CLIENT);
	STORY(s, "% %>0 S; % 0>%; % %>0 S", at + 200 * US, CLIENT, at + 2050 * US, BATCH,
		 at + 3050 * US, BATCH);
}

static void tell_first_cpu(struct story *s, const struct fleet_host *h, unsigned int cycle)
{
	uint64_t at = cycle_time(h, cycle);

	STORY(s, "% wake % by irq on 0; % 0>%", at, CLIENT, at + 20 * US, CLIENT);
	if (is_moved(cycle))
		tell_moved(s, at);
	else
		tell_queue(s, at, latency(h, cycle));
	event_irq(s, at + 6000 * US, at + 6100 * US, 17, "eth0");
	event_softirq(s, at + 6100 * US, at + (6100 + 10 * h->n) * US, EVENT_NET_RX);
}

static void tell_second_cpu(struct story *s, const struct fleet_host *h, unsigned int cycle)
{
	uint64_t at = cycle_time(h, cycle);

	if (is_moved(cycle)) {
		story_switch(s, at + 100 * US + latency(h, cycle), 0, WEB, FXT_THREAD_NEW);
		story_wake(s, at + 2000 * US, 0, BATCH, WEB);
		story_switch(s, at + 5000 * US, WEB, 0, FXT_THREAD_BLOCKED);
	}
	if (h->n % 10 == 3 && (cycle == 3 || cycle == 4))
		event_throttle(s, at + 1000 * US, at + (1000 + 100 * h->n) * US, BATCH_CGROUP, 1);
}

/* The first record of cpu 1 in a chunk: of cron, later of web. */
static uint64_t second_cpu_time(const struct fleet_host *h, unsigned int from)
{
	unsigned int moved = from + 5;

	if (!from)
		return h->begin - 200 * US;
	return cycle_time(h, moved) + 100 * US + latency(h, moved);
}

static void tell_cycles(struct story *s, const struct fleet_host *h)
{
	unsigned int from, to, i;

	for (from = 0; from < h->cycles; from = to) {
		to = from + CHUNK_CYCLES < h->cycles ? from + CHUNK_CYCLES : h->cycles;
		story_chunk(s, 0, cycle_time(h, from));
		for (i = from; i < to; i++)
			tell_first_cpu(s, h, i);
		story_chunk(s, 1, second_cpu_time(h, from));
		if (!from) {
			story_switch(s, h->begin - 200 * US, 0, CRON, FXT_THREAD_NEW);
			story_switch(s, h->begin - 100 * US, CRON, 0, FXT_THREAD_BLOCKED);
		}
		for (i = from; i < to; i++)
			tell_second_cpu(s, h, i);
	}
}

static void tell_end(struct story *s, const struct fleet_host *h)
{
	uint64_t at = cycle_time(h, h->cycles) + h->n * MS;

	story_chunk(s, 0, at);
	story_wake(s, at, 0, CLIENT, fxt_sched_waker(0, FXT_SCHED_IRQ_HARD));
	story_switch(s, at + 20 * US, 0, CLIENT, FXT_THREAD_NEW);
	story_wake(s, at + 100 * US, 1, CRON, CLIENT);
	story_switch(s, at + 200 * US, CLIENT, 0, FXT_THREAD_BLOCKED);
	story_chunk(s, 1, at + 120 * US);
	STORY(s, "% 0>%; % %>0 S", at + 120 * US, CRON, at + 200 * US, CRON);
	if (h->n && h->n % 7 == 0) {
		STORY(s, "lose 1 % @%; % 0>%; % %>0 S", h->n, at + 300 * US, at + 300 * US, CRON,
			 at + 350 * US, CRON);
	}
	story_end(s, at + 400 * US);
}

int generate_fleet(int fd, unsigned int host, unsigned int day, unsigned int cycles)
{
	struct fleet_host h = {
		.n = host, .day = day, .cycles = cycles,
		.begin = day * 86400 * SECOND + host % 12 * 3600 * SECOND + MS,
	};
	struct story s = { 0 };
	size_t bytes, done = 0;
	ssize_t n = 0;

	if (host > 99 || day > 1 || !cycles || cycles % 10)
		return -EINVAL;
	story_begin(&s);
	tell_machine(&s, &h);
	tell_cycles(&s, &h);
	tell_end(&s, &h);
	for (bytes = built_bytes(&s.b); done < bytes && n >= 0; done += n > 0 ? n : 0) {
		n = write(fd, (const char *)s.b.words + done, bytes - done);
		n = n < 0 && errno == EINTR ? 0 : n;
	}
	return done < bytes ? -errno : 0;
}
