// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Data of sockets as what ends sleeps: the data that a TCP server waits for are recorded with its
 * port, and fxt why names them where they ended its sleeps; those of UDP likewise from Linux 6.3
 * on; nothing is said about data of other threads' sleeps.
 */
#include <json-c/json.h>
#include <netinet/in.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <fxt/fxt_sched_net.h>

#include "groups_fixture.h"
#include "off_cpu.h"
#include "real_time.h"
#include "tool.h"

SOURCE_FIXTURE(net);

#define MESSAGES	20U
#define NAP_NS		10000000L
#define BYTES		32U
#define FIRST_PORT	20000U
#define LAST_PORT	21000U
/* Of wakeups on another CPU, other interrupts may come before they are recorded. */
#define ENDED		1U

/* @server, @receiver: threads that wait for data, of which @served and @received bytes were read */
struct sockets {
	const struct worker *server;
	const struct worker *receiver;
	atomic_uint served;
	atomic_uint received;
	int listener;
	int client;
	int udp_in;
	int udp_out;
	int local[2];		/* of the Unix domain */
	uint16_t port;
	uint16_t udp_port;
};

static struct sockaddr_in address_of(uint16_t port)
{
	return (struct sockaddr_in){
		.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons(port),
	};
}

/* Bind to a free port, of those that the kernel does not give to clients. */
static int bind_any(int fd, uint16_t *port)
{
	struct sockaddr_in at;

	for (*port = FIRST_PORT; *port < LAST_PORT; ++*port) {
		at = address_of(*port);
		if (!bind(fd, (struct sockaddr *)&at, sizeof(at)))
			return 0;
	}
	return -1;
}

static int connect_to(int fd, uint16_t port)
{
	const struct sockaddr_in at = address_of(port);

	return connect(fd, (const struct sockaddr *)&at, sizeof(at));
}

static int open_sockets(struct sockets *s)
{
	s->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	s->client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	s->udp_in = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	s->udp_out = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	return bind_any(s->listener, &s->port) || listen(s->listener, 1) ||
	       bind_any(s->udp_in, &s->udp_port) || connect_to(s->udp_out, s->udp_port) ||
	       socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, s->local);
}

static void close_sockets(const struct sockets *s)
{
	close(s->listener);
	close(s->client);
	close(s->udp_in);
	close(s->udp_out);
	close(s->local[0]);
	close(s->local[1]);
}

static void serve(struct worker *w)
{
	struct sockets *s = w->arg;
	int fd = accept4(s->listener, NULL, NULL, SOCK_CLOEXEC);
	char text[BYTES];
	ssize_t bytes;

	while ((bytes = read(fd, text, sizeof(text))) > 0)
		atomic_fetch_add(&s->served, bytes);
	close(fd);
}

static void receive(struct worker *w)
{
	struct sockets *s = w->arg;
	char text[BYTES];

	for (unsigned int i = 0; i < MESSAGES; i++) {
		w->failed |= read(s->udp_in, text, sizeof(text)) != sizeof(text);
		atomic_fetch_add(&s->received, sizeof(text));
	}
}

static void read_local(struct worker *w)
{
	const struct sockets *s = w->arg;
	char text[BYTES];

	for (unsigned int i = 0; i < MESSAGES; i++)
		w->failed |= read(s->local[0], text, sizeof(text)) != sizeof(text);
}

static void nap(struct worker *w)
{
	for (unsigned int i = 0; i < MESSAGES; i++)
		sleep_off_cpu(NAP_NS);
}

/*
 * Wait until a thread sleeps for more than these bytes. Before it has read them, it may still sleep
 * because ksoftirqd has not delivered the previous data.
 */
static void wait_for_read(const struct worker *reader, const atomic_uint *done, unsigned int bytes)
{
	while (atomic_load(done) < bytes)
		sleep_ms(1);
	wait_until_in(&reader->tid, SYS_read, NULL);
}

static void send_to_all(struct worker *w)
{
	const struct sockets *s = w->arg;
	char text[BYTES] = "";

	w->failed |= connect_to(s->client, s->port) != 0;
	for (unsigned int i = 0; i < MESSAGES; i++) {
		wait_for_read(s->server, &s->served, i * BYTES);
		w->failed |= write(s->client, text, BYTES) != BYTES;
		wait_for_read(s->receiver, &s->received, i * BYTES);
		w->failed |= write(s->udp_out, text, BYTES) != BYTES ||
			     write(s->local[1], text, BYTES) != BYTES;
	}
	w->failed |= shutdown(s->client, SHUT_WR) != 0;
}

/* Before Linux 6.3 there is only tcp_probe. */
static bool knows_all_data(void)
{
	unsigned int major = 0, minor = 0;
	struct utsname host;

	uname(&host);
	sscanf(host.release, "%u.%u", &major, &minor);
	return major > 6 || (major == 6 && minor >= 3);
}

static unsigned int data_for(const struct trace *t, uint16_t name, uint16_t port)
{
	const struct trace_group_event *e;
	unsigned int n = 0;

	for_each_group_event(e, t)
		n += e->category == FXT_STR_NET && e->name == name && e->args[1] == port;
	return n;
}

/*
 * How many sleeps of a thread data ended, as fxt report says; with NULL any data. They ended the
 * sleep, or another thread that served or sent them did.
 */
static unsigned int ended(struct __test_metadata *_metadata, const char *archive, pid_t tid,
			  const char *data)
{
	struct json_object *report, *rows, *row;
	struct tool tool;
	unsigned int n = 0;

	ASSERT_EQ(0, tool_run(&tool, ARGS("report", "--all", "--json", archive)))
		TH_LOG("%s", tool.err);
	report = json_tokener_parse(tool.out);
	rows = json_object_object_get(report, "sockets");
	ASSERT_NE(NULL, rows);
	for (size_t i = 0; i < json_object_array_length(rows); i++) {
		row = json_object_array_get_idx(rows, i);
		if (json_object_get_int(json_object_object_get(row, "tid")) == tid &&
		    (!data || !strcmp(json_object_get_string(json_object_object_get(row, "data")), data)))
			n += json_object_get_int(json_object_object_get(row, "count"));
	}
	json_object_put(report);
	tool_free(&tool);
	return n;
}

static void expect_why(struct __test_metadata *_metadata, const char *archive, pid_t tid,
		       const char *text)
{
	struct tool tool;

	ASSERT_EQ(0, tool_run(&tool, ARGS("why", "--all", "--top", "1000", "--thread",
					  tid_text(tid), archive)))
		TH_LOG("%s", tool.err);
	EXPECT_IN(tool.out, text);
	tool_free(&tool);
}

enum { SERVER, RECEIVER, LOCAL, SLEEPER, CLIENT, WORKERS };

TEST_F(net, what_ended_sleeps)
{
	struct sockets s = { 0 };
	struct worker all[WORKERS] = {
		[SERVER] = { .name = "d-server", .run = serve },
		[RECEIVER] = { .name = "d-receiver", .run = receive },
		[LOCAL] = { .name = "d-local", .run = read_local },
		[SLEEPER] = { .name = "d-sleeper", .run = nap },
		[CLIENT] = { .name = "d-client", .run = send_to_all },
	};
	char tcp[32], udp[32];
	const char *archive;
	int cpus[MAX_CPUS];
	bool has_all;

	ASSERT_EQ(0, open_sockets(&s));
	s.server = &all[SERVER];
	s.receiver = &all[RECEIVER];
	BEGIN("-e", "net,irq");
	/* On one CPU, because another one would record wakeups in an interrupt of its own. */
	ASSERT_LE(1U, allowed_cpus(cpus));
	for (struct worker *w = all; w < all + WORKERS; w++) {
		w->cpu = cpus[0];
		w->arg = &s;
		ASSERT_EQ(0, worker_start(w));
	}
	for (struct worker *w = all; w < all + WORKERS; w++) {
		ASSERT_EQ(0, worker_join(w));
		EXPECT_FALSE(w->failed) TH_LOG("%s", w->name);
	}
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	archive = self->c.output;
	snprintf(tcp, sizeof(tcp), "TCP data to :%u", s.port);
	snprintf(udp, sizeof(udp), "UDP data to :%u", s.udp_port);
	has_all = knows_all_data();
	EXPECT_EQ(MESSAGES, data_for(&self->t, FXT_STR_TCP_DATA, s.port));
	EXPECT_LE(ENDED, ended(_metadata, archive, all[SERVER].tid, tcp));
	expect_why(_metadata, archive, all[SERVER].tid, tcp);
	if (has_all) {
		EXPECT_EQ(MESSAGES, data_for(&self->t, FXT_STR_UDP_DATA, s.udp_port));
		EXPECT_LE(ENDED, ended(_metadata, archive, all[RECEIVER].tid, udp));
	} else {
		EXPECT_EQ(0U, data_for(&self->t, FXT_STR_UDP_DATA, s.udp_port));
		EXPECT_EQ(0U, ended(_metadata, archive, all[RECEIVER].tid, NULL));
	}
	EXPECT_EQ(0U, ended(_metadata, archive, all[LOCAL].tid, NULL));
	EXPECT_EQ(0U, ended(_metadata, archive, all[SLEEPER].tid, NULL));
	close_sockets(&s);
}

#define STEERED		4U		/* threads */
#define STEERING	"/sys/class/net/lo/queues/rx-0/rps_cpus"

/* Make another CPU serve the packets of the loopback device, or with 0 none. Return: 0 or -1. */
static int steer(unsigned int mask)
{
	FILE *f = fopen(STEERING, "we");
	int ret = f ? fprintf(f, "%x\n", mask) : -1;

	if (f && fclose(f))
		ret = -1;
	return ret < 0 ? -1 : 0;
}

/*
 * The sender is on the first CPU, and an interrupt of the second one wakes the server: it is no
 * thread.
 */
TEST_F(net, data_that_another_cpu_serves)
{
	struct sockets s = { 0 };
	struct worker all[STEERED] = {
		{ .name = "d-server", .run = serve }, { .name = "d-receiver", .run = receive },
		{ .name = "d-local", .run = read_local }, { .name = "d-client", .run = send_to_all },
	};
	char tcp[32], text[64];
	int cpus[MAX_CPUS], steered;

	if (!getenv("FXT_GUEST"))
		SKIP(return, "only in a guest: the test steers all packets of the machine to itself");
	if (allowed_cpus(cpus) < 2)
		SKIP(return, "there is one CPU only");
	ASSERT_EQ(0, open_sockets(&s));
	s.server = &all[0];
	s.receiver = &all[1];
	BEGIN("-e", "net,irq");
	steered = steer(1U << cpus[1]);
	for (size_t i = 0; i < STEERED; i++) {
		all[i].cpu = cpus[i < STEERED - 1];
		all[i].arg = &s;
		ASSERT_EQ(0, worker_start(&all[i]));
	}
	for (size_t i = 0; i < STEERED; i++)
		ASSERT_EQ(0, worker_join(&all[i]));
	steer(0);
	ASSERT_EQ(0, steered) TH_LOG("cannot write " STEERING);
	ASSERT_FINE(record_load(&self->c, &self->t, &self->why));
	snprintf(tcp, sizeof(tcp), "TCP data to :%u", s.port);
	for (const struct trace_group_event *e = self->t.group_events;
	     e < self->t.group_events + self->t.group_event_count; e++)
		if (e->category == FXT_STR_NET && e->name == FXT_STR_TCP_DATA && e->args[1] == s.port)
			EXPECT_EQ((uint32_t)cpus[1], e->stream);
	EXPECT_LE(ENDED, ended(_metadata, self->c.output, all[0].tid, tcp));
	snprintf(text, sizeof(text), "asleep until %s", tcp);
	expect_why(_metadata, self->c.output, all[0].tid, text);
	close_sockets(&s);
}
