/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stress.h - what the programs stress_*_test share: how much is done, loads, the
 * module's and the CPUs' coming and going, and a look at the kernel before and after.
 *
 * In:  $FXT_STRESS says how much: all that is worth doing ("full"), so many per cent of
 *      that (a number), or what every run can afford (unset). $FXT_SEED makes what is
 *      random the same again. $FXT_MODULE is the module's file.
 * Out: TAP comments with the numbers, and complaints.
 *
 * All of it needs a machine of our own: modules are unloaded, CPUs are taken away.
 */
#ifndef SELFTESTS_STRESS_H
#define SELFTESTS_STRESS_H

#include <stdint.h>
#include <sys/types.h>

#include "collector.h"

/* Seconds: an emulated debug kernel is slow, and only what hangs ever lasts so long. */
#define STRESS_SECONDS	14400

#define STRESS_FILES	"/sys/kernel/debug/fxt_sched/"
#define STRESS_PARAMS	"/sys/module/fxt_sched/parameters/"

/* At the head of each test; for source_fixture.h. */
#define NEEDS_STRESS() do {							\
	if (self->missing)							\
		SKIP(return, "%s", self->missing);				\
	if (!in_guest())							\
		SKIP(return, "only where nobody else uses the machine (FXT_GUEST=1)"); \
} while (0)

/**
 * stress_rounds() - how often to do something
 * @full: for $FXT_STRESS=full
 * @brief: for none
 */
unsigned int stress_rounds(unsigned int full, unsigned int brief);

/** stress_note() - write a TAP comment, with the time since the first one of the test */
void stress_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** stress_random() - a number below @limit; the seed is told when it is first used */
uint32_t stress_random(uint32_t limit);

/* --- the module -------------------------------------------------------------------- */

/** module_load() - returns 0 or errno */
int module_load(void);

/** module_unload() - without waiting; returns 0 or errno */
int module_unload(void);

/** module_set() - write a parameter; returns 0 or errno */
int module_set(const char *name, const char *value);

/** module_open() - open a file of the module for reading; a descriptor or -1 */
int module_open(const char *name);

/* --- CPUs -------------------------------------------------------------------------- */

/** cpu_set_online() - returns 0 or errno */
int cpu_set_online(int cpu, bool online);

/**
 * cpus_stop() - have all CPUs that are online stopped once, by their stoppers
 *
 * By a change of the kernel's clock source, and back; so nothing is done where there
 * is but one.
 *
 * Return: 0 or errno.
 */
int cpus_stop(void);

/* --- a load ------------------------------------------------------------------------ */

#define LOAD_GROUPS	16

/**
 * struct load - processes that send messages to each other, in groups, and one that forks
 * @pids: each leads a process group; 0 is none
 */
struct load {
	pid_t pids[LOAD_GROUPS + 1];
};

/** load_start() - some work for each CPU that there is; 0 or -1 */
int load_start(struct load *l);

/** load_pause() - let it stand still, or go on */
void load_pause(const struct load *l, bool on);

void load_stop(struct load *l);

/* --- the kernel, before and after -------------------------------------------------- */

/**
 * struct kernel - what there was before
 * @log: the kernel's log, read up to now
 * @bpf: BPF programs, maps, links and type information that are loaded
 */
struct kernel {
	int log;
	unsigned int bpf[4];
};

/** kernel_look() - take a look, and have kmemleak forget what it has found */
void kernel_look(struct kernel *k);

/**
 * kernel_check() - is all as it was?
 * @k: from kernel_look(); closed by this
 * @why: says what is not
 *
 * No buffer of relay's is left, nobody holds the module, all that belongs to BPF
 * is gone, nothing bad was logged, and kmemleak, where the kernel has it, has found
 * nothing that names us. What goes a little later is waited for.
 *
 * Return: 0 or -1.
 */
int kernel_check(struct kernel *k, struct why *why);

/** kernel_settle() - wait until BPF's objects are as many as before; 0 or -1 */
int kernel_settle(const struct kernel *k, struct why *why);

/**
 * rounds_run() - do something often, and see that no memory goes thereby
 * @rounds: how often
 * @load: stands still while memory is looked at; NULL if there is none
 * @round: does it once; 0 or -1
 * @arg: for @round
 * @why: says what failed, or which memory became less
 *
 * Of memory is looked at all there is: objects of each slab cache, areas of vmalloc,
 * memory of each CPU's own, free pages. After some rounds to warm up there are four
 * parts of equal length. What leaks, if only one object a round, does so in each of
 * them, and in each of four more; what grows for another reason does not, or it does
 * once by chance, so only then the other four are run. Few rounds cannot tell, so then
 * nothing is looked at.
 *
 * Return: 0 or -1.
 */
int rounds_run(unsigned int rounds, const struct load *load,
	       int (*round)(void *arg, unsigned int n, struct why *why), void *arg,
	       struct why *why);

#endif /* SELFTESTS_STRESS_H */
