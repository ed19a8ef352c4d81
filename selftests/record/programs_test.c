// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Single BPF programs, run by hand in an order that the kernel rarely has. Their records are in a
 * ring that all CPUs share, because the programs are told of one CPU only.
 */
#include "harness.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

/* The harness has parameters that it does not use. */
#include "bpf/config.h"
#include "bpf/frames.h"
#include "bpf/fxt_sched.skel.h"
#include "bpf/ring.h"
#include "fxt-collect/source/bpf/load.h"
#include "fxt/fxt_sched.h"
#include "linux/fxt_sched.h"
#include "stress.h"

#define SUBBUF_WORDS	8192U

enum { OUTER = 0, INNER = 5 };		/* HI and IRQ_POLL; any would do */

FIXTURE(programs)
{
	struct programs p;
	struct source_config config;
	struct error e;
	struct fxt_ring ring;
	__u64 subbufs[2 * SUBBUF_WORDS];
};

FIXTURE_SETUP(programs)
{
	if (geteuid() || access("/sys/kernel/btf/vmlinux", R_OK))
		SKIP(return, "needs root and the kernel's types");
	self->config = (struct source_config){
		.subbuf_size = SUBBUF_WORDS * FXT_WORD, .subbuf_count = 2,
	};
}

FIXTURE_TEARDOWN(programs)
{
	programs_unload(&self->p);
}

static int load(FIXTURE_DATA(programs) *self, uint64_t events)
{
	self->config.events = events | FXT_SCHED_EVENTS_SCHED;
	self->config.events_optional = true;
	return programs_load(&self->p, &self->config, 1, 1, &self->e);
}

static int run(const struct bpf_program *prog, __u64 argument)
{
	__u64 args[] = { argument, 0, 0 };
	LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = args, .ctx_size_in = sizeof(args));

	return bpf_prog_test_run_opts(bpf_program__fd(prog), &opts);
}

static const __u64 *take_records(FIXTURE_DATA(programs) *self)
{
	const struct fxt_sched_bpf *skel = self->p.skel;
	__u32 zero = 0;

	if (bpf_map_lookup_elem(bpf_map__fd(skel->maps.rings), &zero, &self->ring) ||
	    bpf_map_lookup_elem(bpf_map__fd(skel->maps.subbufs), &zero, self->subbufs))
		return NULL;
	return self->subbufs + FXT_LEDGER_WORDS;
}

/* On PREEMPT_RT, a thread that serves one is preempted by a thread that serves another. */
TEST_F(programs, softirqs_overlap)
{
	__u64 expected[FXT_SCHED_CPU_SLICE_WORDS];
	const __u64 *rec;

	ASSERT_EQ(0, load(self, FXT_SCHED_EVENTS_IRQ)) TH_LOG("%s", self->e.text);
	self->p.skel->bss->since = 1;
	self->p.skel->bss->recording = 1;
	ASSERT_EQ(0, run(self->p.skel->progs.on_softirq_entry, OUTER));
	ASSERT_EQ(0, run(self->p.skel->progs.on_softirq_entry, INNER));
	ASSERT_EQ(0, run(self->p.skel->progs.on_softirq_exit, INNER));
	ASSERT_EQ(0, run(self->p.skel->progs.on_softirq_exit, OUTER));
	rec = take_records(self);
	ASSERT_NE(NULL, rec);
	ASSERT_EQ(2U, self->ring.counts[FXT_RING_EVENTS]);
	EXPECT_EQ(0U, self->ring.counts[FXT_RING_LOST]);
	/* The outer one began first, and ended last. */
	EXPECT_GT(rec[1], rec[FXT_SCHED_CPU_SLICE_WORDS + 1]);
	EXPECT_LE(rec[FXT_SCHED_CPU_SLICE_WORDS - 1], rec[2 * FXT_SCHED_CPU_SLICE_WORDS - 1]);
	for (unsigned int i = 0; i < 2; i++, rec += FXT_SCHED_CPU_SLICE_WORDS) {
		fxt_sched_put_cpu_slice(expected, rec[1], rec[FXT_SCHED_CPU_SLICE_WORDS - 1],
					FXT_SCHED_KOID_SOFTIRQ, 0, FXT_STR_SOFTIRQ,
					FXT_STR_SOFTIRQ_FIRST + (i ? OUTER : INNER));
		EXPECT_EQ(0, memcmp(rec, expected, sizeof(expected)));
	}
}

/* label_test.c shows that names are then looked up again. */
TEST_F(programs, notice_modules)
{
	__u64 before;
	int err;

	if (!getenv("FXT_GUEST"))
		SKIP(return, "needs a machine of its own: a module is loaded");
	ASSERT_EQ(0, load(self, FXT_SCHED_EVENTS_WORK)) TH_LOG("%s", self->e.text);
	if (!(self->config.events & FXT_SCHED_EVENTS_WORK))
		SKIP(return, "%s", self->p.lacking);
	if (module_unload() == EWOULDBLOCK)
		SKIP(return, "the module is in use");
	ASSERT_EQ(0, programs_attach(&self->p));
	before = self->p.skel->bss->module_changes;
	err = module_load();
	if (err == ENOENT)
		SKIP(return, "there is no module to load");
	ASSERT_EQ(0, err);
	EXPECT_EQ(before + 1, self->p.skel->bss->module_changes);
	ASSERT_EQ(0, module_unload());
	EXPECT_EQ(before + 2, self->p.skel->bss->module_changes);
	ASSERT_EQ(0, module_load());
}
