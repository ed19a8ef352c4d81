// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Interrupts and other events of the kernel in all exports: none is lost; ftrace's lines are those
 * of the kernel, in the order of time, and those of slices nest.
 */
#include "collector.h"
#include "event_story.h"
#include "report_print_fixture.h"

#define US	1000ULL

REPORT_FIXTURE(events);

#define CONVERT(...)								\
	FXT("convert", "--to", ##__VA_ARGS__, self->path)

static void tell(struct story *s)
{
	story_session(s, "clock boot\n");
	STORY(s, "names@1; name 11 ping; name 12 kworker/0:1");
	event_tracks(s, 0);
	STORY(s, "0@10us 0>11");
	/* A soft interrupt that begins together with the interrupt inside it. */
	STORY(s, "11us-12us irq 17 eth0; 13us-13us timer; 11us-14us softirq %", EVENT_NET_RX);
	event_frequency(s, 15 * US, 0, 2000000, 0);
	event_frequency(s, 16 * US, 0, 800000, 3600000);
	STORY(s, "17us wake 12 by 11 on 0; 18us 12/12 moves 0>1; 19us 12/12 moves 1>0; "
		 "20us 11>12 S; 20us-25us 12/12 works vmstat_update; 30us 12>0 S; "
		 "30us-40us idle 1");
	event_idle_miss(s, 41 * US, 1, true);
	story_end(s, 50 * US);
}

TEST_F(events, ftrace)
{
	static const char expected[] =
"          <idle>-0       (-------) [000] d... 0.000010000: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=ping next_pid=11 next_prio=120\n"
"            ping-11      (     11) [000] d.s. 0.000011000: softirq_entry: vec=3 [action=NET_RX]\n"
"            ping-11      (     11) [000] d.h. 0.000011000: irq_handler_entry: irq=17 name=eth0\n"
"            ping-11      (     11) [000] d.h. 0.000012000: irq_handler_exit: irq=17 ret=handled\n"
"            ping-11      (     11) [000] d.h. 0.000013000: local_timer_entry: vector=236\n"
"            ping-11      (     11) [000] d.h. 0.000013000: local_timer_exit: vector=236\n"
"            ping-11      (     11) [000] d.s. 0.000014000: softirq_exit: vec=3 [action=NET_RX]\n"
"            ping-11      (     11) [000] d... 0.000015000: cpu_frequency: state=2000000 cpu_id=0\n"
"            ping-11      (     11) [000] d... 0.000016000: cpu_frequency_limits: min=800000 max=3600000 cpu_id=0\n"
"            ping-11      (     11) [000] d... 0.000017000: task_newtask: pid=12 comm=kworker/0:1 clone_flags=0 oom_score_adj=0\n"
"            ping-11      (     11) [000] d... 0.000017000: sched_waking: comm=kworker/0:1 pid=12 prio=120 target_cpu=000\n"
"            ping-11      (     11) [000] d... 0.000017000: sched_wakeup: comm=kworker/0:1 pid=12 prio=120 target_cpu=000\n"
"            ping-11      (     11) [000] d... 0.000018000: sched_migrate_task: comm=kworker/0:1 pid=12 prio=120 orig_cpu=0 dest_cpu=1\n"
"            ping-11      (     11) [000] d... 0.000019000: sched_migrate_task: comm=kworker/0:1 pid=12 prio=120 orig_cpu=1 dest_cpu=0\n"
"            ping-11      (     11) [000] d... 0.000020000: sched_switch: prev_comm=ping prev_pid=11 prev_prio=120 prev_state=S ==> next_comm=kworker/0:1 next_pid=12 next_prio=120\n"
"     kworker/0:1-12      (     12) [000] d... 0.000020000: workqueue_execute_start: work struct 0000000000000000: function vmstat_update\n"
"     kworker/0:1-12      (     12) [000] d... 0.000025000: workqueue_execute_end: work struct 0000000000000000: function vmstat_update\n"
"     kworker/0:1-12      (     12) [000] d... 0.000030000: sched_switch: prev_comm=kworker/0:1 prev_pid=12 prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120\n"
"          <idle>-0       (-------) [000] d... 0.000030000: cpu_idle: state=1 cpu_id=0\n"
"          <idle>-0       (-------) [000] d... 0.000040000: cpu_idle: state=4294967295 cpu_id=0\n"
"          <idle>-0       (-------) [000] d... 0.000041000: cpu_idle_miss: cpu_id=0 state=1 type=below\n";
	const char *body;

	tell(&self->s);
	ASSERT_EQ(0, CONVERT("ftrace"));
	body = strchr(strstr(self->t.out, "#              |"), '\n') + 1;
	EXPECT_STREQ(expected, body);
}

TEST_F(events, json)
{
	tell(&self->s);
	ASSERT_EQ(0, CONVERT("json"));
	self->j = json_tokener_parse(self->t.out);
	ASSERT_NE(NULL, self->j);
	EXPECT_HAS("\"ts\":11.000,\"cat\":\"irq\",\"name\":\"eth0\",\"dur\":1.000,\"args\":{\"irq\":17}}");
	EXPECT_HAS("\"ts\":11.000,\"cat\":\"softirq\",\"name\":\"NET_RX\",\"dur\":3.000}");
	EXPECT_HAS("\"name\":\"frequency\",\"id\":\"0x0\",\"args\":{\"kHz\":2000000}}");
	EXPECT_HAS("\"name\":\"migrate\",\"s\":\"t\",\"args\":{\"from\":0,\"to\":1}}");
	EXPECT_HAS("\"ts\":30.000,\"cat\":\"idle\",\"name\":\"state 1\",\"dur\":10.000,\"args\":{\"state\":1}}");
	/* Work items overlap the states of their thread, so they have a track beside it. */
	EXPECT_HAS("{\"ph\":\"M\",\"pid\":12,\"tid\":2147483660,\"name\":\"thread_name\",\"args\":{\"name\":\"kworker/0:1 (work)\"}}");
	EXPECT_HAS("{\"ph\":\"X\",\"pid\":12,\"tid\":2147483660,\"ts\":20.000,\"cat\":\"work\",\"name\":\"vmstat_update\",\"dur\":5.000}");
	EXPECT_NOT_IN(self->t.out, "(states)");
	EXPECT_NOT_IN(self->t.out, "\"pid\":2147352576,\"tid\":2147352577,\"ts\":10.000");
}

static const char *read_table(const char *dir, const char *name, char *text, size_t room)
{
	char path[128];
	size_t n = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "r");
	if (f) {
		n = fread(text, 1, room - 1, f);
		fclose(f);
	}
	text[n] = '\0';
	return text;
}

TEST_F(events, tables)
{
	static const char slices[] =
"id,ts,dur,track_id,category,name,depth,parent_id,arg_set_id\n"
"1,11000,3000,1,softirq,NET_RX,0,,\n"
"2,11000,1000,2,irq,eth0,0,,7\n"
"3,13000,0,2,irq,local timer,0,,\n"
"4,18000,0,6,fxt_sched,migrate,0,,8\n"
"5,19000,0,6,fxt_sched,migrate,0,,9\n"
"6,20000,5000,6,work,vmstat_update,0,,\n"
"7,30000,10000,7,idle,state 1,0,,10\n"
"8,41000,0,7,idle,idle miss,0,,11\n";
	static const char counters[] =
"id,ts,track_id,value,arg_set_id\n"
"1,15000,3,2000000.0,\n"
"2,16000,4,800000.0,\n"
"3,16000,5,3600000.0,\n";
	char dir[] = "/tmp/fxt-selftest.XXXXXX", out[64], text[4096];

	tell(&self->s);
	ASSERT_NE(NULL, mkdtemp(dir));
	snprintf(out, sizeof(out), "%s/x", dir);
	EXPECT_EQ(0, CONVERT("csv", "-o", out)) TH_LOG("%s", self->t.err);
	EXPECT_STREQ(slices, read_table(out, "slice.csv", text, sizeof(text)));
	EXPECT_STREQ(counters, read_table(out, "counter.csv", text, sizeof(text)));
	dir_remove(dir);
}

TEST_F(events, dump_selects_them_by_cpu)
{
	tell(&self->s);
	ASSERT_EQ(0, FXT("dump", "--cpu", "0", self->path));
	EXPECT_HAS("NET_RX");
	EXPECT_HAS("frequency");
	EXPECT_NO("vmstat_update");
	ASSERT_EQ(1, FXT("dump", "--cpu", "1", self->path));
	EXPECT_NO("NET_RX");
	EXPECT_NO("frequency");
}

/* ping makes calls, forks and exits; its cgroup is throttled meanwhile. */
static void tell_acts(struct story *s)
{
	story_session(s, "clock boot\n");
	event_syscall_name(s, EVENT_READ, "read");
	STORY(s, "names@1; name 11 ping; name 12 pong");
	event_cgroup(s, 7, 0, "/seven");
	STORY(s, "0@10us 0>11; 11us-12us 11/11 calls % = %; 12us-13us 11/11 calls 1000 = %; "
		 "14us 11/11 forks 12", EVENT_READ, -2, 0x7fff00000000);
	event_priority(s, 15 * US, 12, 12, 120, -1);
	event_ipi(s, 16 * US, 11, 11, 3, "flush_tlb_func");
	event_ipi(s, 16 * US, 11, 11, 2, NULL);
	event_ipi_mask(s, 17 * US, 11, 11, 2, 0x100000002, "do_sync_core");
	STORY(s, "12us-18us throttle 7 on 0; 18us queue 5 on 0");
	event_pelt_cpu(s, 18 * US, 0, 100);
	event_pelt_thread(s, 18 * US, 11, 11, 200);
	STORY(s, "19us 11/11 exits %; 20us 11>0 Z; end 50us", 0x200);
}

TEST_F(events, ftrace_of_acts)
{
	static const char expected[] =
"            ping-11      (     11) [000] d... 0.000011000: sys_enter: NR 3 (0, 0, 0, 0, 0, 0)\n"
"            ping-11      (     11) [000] d... 0.000012000: sys_exit: NR 3 = -2\n"
"            ping-11      (     11) [000] d... 0.000012000: sys_enter: NR 1000 (0, 0, 0, 0, 0, 0)\n"
"            ping-11      (     11) [000] d... 0.000013000: sys_exit: NR 1000 = 140733193388032\n"
"            ping-11      (     11) [000] d... 0.000014000: sched_process_fork: comm=ping pid=11 child_comm=pong child_pid=12\n"
"            ping-11      (     11) [000] d... 0.000015000: sched_pi_setprio: comm=pong pid=12 oldprio=120 newprio=-1\n"
"            ping-11      (     11) [000] d... 0.000016000: ipi_send_cpu: cpu=3 callsite=0x0 callback=flush_tlb_func\n"
"            ping-11      (     11) [000] d... 0.000016000: ipi_send_cpu: cpu=2 callsite=0x0 callback=0x0\n"
"            ping-11      (     11) [000] d... 0.000017000: ipi_send_cpumask: cpumask=00000001,00000002 callsite=0x0 callback=do_sync_core\n"
"            ping-11      (     11) [000] d... 0.000019000: sched_process_exit: comm=ping pid=11 prio=120\n";
	const char *body;

	tell_acts(&self->s);
	ASSERT_EQ(0, CONVERT("ftrace"));
	body = strstr(self->t.out, "            ping-11      (     11) [000] d... 0.000011000");
	ASSERT_NE(NULL, body);
	EXPECT_EQ(0, strncmp(expected, body, strlen(expected))) TH_LOG("%s", body);
	EXPECT_IN(self->t.err, ": 4 events cannot be written as text of ftrace");
}

TEST_F(events, ftrace_of_a_rewritten_archive)
{
	char dir[] = "/tmp/fxt-selftest.XXXXXX", cut[64];

	tell_acts(&self->s);
	ASSERT_NE(NULL, mkdtemp(dir));
	snprintf(cut, sizeof(cut), "%s/cut.fxt", dir);
	ASSERT_EQ(0, FXT("cut", self->path, "-o", cut)) TH_LOG("%s", self->t.err);
	ASSERT_EQ(0, FXT("convert", "--to", "ftrace", cut));
	EXPECT_HAS("sys_exit: NR 1000 = 140733193388032");
	EXPECT_NO("sys_exit: NR 3");
	EXPECT_IN(self->t.err, ": 5 events cannot be written");
	dir_remove(dir);
}

TEST_F(events, json_of_acts)
{
	tell_acts(&self->s);
	ASSERT_EQ(0, CONVERT("json"));
	self->j = json_tokener_parse(self->t.out);
	ASSERT_NE(NULL, self->j);
	/* Calls overlap the states of their thread, so they have a track beside it. */
	EXPECT_HAS("\"args\":{\"name\":\"ping (system calls)\"}}");
	EXPECT_HAS("{\"ph\":\"X\",\"pid\":11,\"tid\":2147483659,\"ts\":11.000,\"cat\":\"syscall\",\"name\":\"read\",\"dur\":1.000,\"args\":{\"ret\":-2}}");
	EXPECT_HAS("\"name\":\"fork\",\"s\":\"t\",\"args\":{\"thread\":12}}");
	EXPECT_HAS("\"name\":\"flush_tlb_func\",\"s\":\"t\",\"args\":{\"cpu\":3}}");
	EXPECT_HAS("\"name\":\"exit\",\"s\":\"t\",\"args\":{\"code\":2,\"signal\":0}}");
	EXPECT_HAS("\"args\":{\"name\":\"throttled cgroups\"}}");
	EXPECT_HAS("\"args\":{\"name\":\"/seven cpu 0\",");
	EXPECT_HAS("\"name\":\"throttled\",\"dur\":6.000,\"args\":{\"cgroup\":7,\"cpu\":0}}");
	EXPECT_HAS("\"name\":\"run queue\",\"id\":\"0x0\",\"args\":{\"runnable\":5}}");
	EXPECT_HAS("\"name\":\"pelt\",\"id\":\"0x0\",\"args\":{\"util\":100,");
	/* Viewers distinguish a process's counters by name and id. */
	EXPECT_HAS("\"name\":\"pelt\",\"id\":\"0xb\",\"args\":{\"util\":200,");
	EXPECT_NOT_IN(self->t.out, "(states)");
}

TEST_F(events, tables_of_acts)
{
	static const char *const slices[] = {
		"11000,1000,1,syscall,read,0,,", "12000,1000,1,syscall,syscall,0,,",
		",12000,6000,2,fxt_sched,throttled,0,,", ",14000,0,1,fxt_sched,fork,",
		",15000,0,3,fxt_sched,priority,", ",16000,0,1,ipi,flush_tlb_func,",
		",16000,0,1,ipi,ipi,", ",17000,0,1,ipi,do_sync_core,", ",19000,0,1,fxt_sched,exit,",
	};
	char dir[] = "/tmp/fxt-selftest.XXXXXX", out[64], text[8192];

	tell_acts(&self->s);
	ASSERT_NE(NULL, mkdtemp(dir));
	snprintf(out, sizeof(out), "%s/x", dir);
	EXPECT_EQ(0, CONVERT("csv", "-o", out)) TH_LOG("%s", self->t.err);
	read_table(out, "slice.csv", text, sizeof(text));
	for (size_t i = 0; i < sizeof(slices) / sizeof(slices[0]); i++) {
		EXPECT_NE(NULL, strstr(text, slices[i])) TH_LOG("%zu\n%s", i, text);
	}
	read_table(out, "process_counter_track.csv", text, sizeof(text));
	EXPECT_IN(text, "run queue:runnable:0");
	EXPECT_IN(text, "pelt:util:0");
	EXPECT_IN(text, "pelt:load:11");
	dir_remove(dir);
}

TEST_F(events, dump_selects_acts_by_cpu)
{
	tell_acts(&self->s);
	ASSERT_EQ(0, FXT("dump", "--cpu", "0", self->path));
	EXPECT_HAS("throttled");
	EXPECT_HAS("run queue");
	EXPECT_NO("syscall");
	ASSERT_EQ(1, FXT("dump", "--cpu", "1", self->path));
	EXPECT_NO("throttled");
	EXPECT_NO("run queue");
}
