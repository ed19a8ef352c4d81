/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stress.h - shared by the programs stress_*_test: the amount of work, loads, loading and unloading
 * the module, CPUs going offline and online, and the state of the kernel before and after.
 * In:  $FXT_STRESS sets the amount of work: "full" is everything that is worth doing, a number is
 *      that percentage of it, unset is a short test that every run can afford. $FXT_SEED repeats
 *      the random choices of an earlier run. $FXT_MODULE is the module's file.
 * Out: TAP comments with the numbers, and complaints.
 *
 * All of this needs a machine of its own: modules are unloaded, CPUs go offline.
 */
#ifndef SELFTESTS_STRESS_H
#define SELFTESTS_STRESS_H

#include <stdint.h>
#include <sys/types.h>

#include "collector.h"

/* Seconds: long, for an emulated debug kernel; only a test that hangs ever takes that long. */
#define STRESS_SECONDS	14400

/* For the start of each test, with source_fixture.h. */
#define NEEDS_STRESS() do {							\
	if (self->missing)							\
		SKIP(return, "%s", self->missing);				\
	if (!in_guest())							\
		SKIP(return, "only where nobody else uses the machine (FXT_GUEST=1)"); \
} while (0)

/**
 * stress_rounds() - the number of times to do something
 * @full: for $FXT_STRESS=full
 * @brief: for $FXT_STRESS unset
 */
unsigned int stress_rounds(unsigned int full, unsigned int brief);

/** stress_note() - write a TAP comment, with the time since the first one of the test */
void stress_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** stress_random() - a number below @limit; the seed is printed at the first call */
uint32_t stress_random(uint32_t limit);

/* --- the module -------------------------------------------------------------------- */

/** module_load() - load the module; returns 0 or errno */
int module_load(void);

/** module_unload() - unload the module, without waiting; returns 0 or errno */
int module_unload(void);

/* --- CPUs -------------------------------------------------------------------------- */

/** cpu_set_online() - take a CPU online or offline; returns 0 or errno */
int cpu_set_online(int cpu, bool online);

/**
 * cpus_stop() - let the stoppers stop all online CPUs once
 *
 * This changes the kernel's clock source and changes it back; so it does nothing if there is
 * only one clock source.
 *
 * Return: 0 or errno.
 */
int cpus_stop(void);

/* --- a load ------------------------------------------------------------------------ */

#define LOAD_GROUPS	16

/** struct load - processes that send messages to each other, in groups, and one that forks */
struct load {
	pid_t pids[LOAD_GROUPS + 1];	/* leaders of process groups; 0 is none */
};

/** load_start() - start some work for each CPU; 0 or -1 */
int load_start(struct load *l);

/** load_pause() - pause or continue the load */
void load_pause(const struct load *l, bool on);

void load_stop(struct load *l);

/* --- the kernel, before and after -------------------------------------------------- */

/** struct kernel - the state of the kernel before */
struct kernel {
	int log;	/* the kernel's log, read up to now */
	unsigned int bpf[4];	/* BPF programs, maps, links and type information that are loaded */
};

/** kernel_look() - store the state, and let kmemleak forget its findings */
void kernel_look(struct kernel *k);

/**
 * kernel_check() - is the state the same as before?
 * @k: from kernel_look(); closed by this
 * @why: set to the difference
 *
 * No relay buffer is left, nothing holds the module, all BPF objects are gone, no error was
 * logged, and kmemleak, where the kernel has it, has no finding that names the module. The check
 * waits for objects that are freed a little later.
 *
 * Return: 0 or -1.
 */
int kernel_check(struct kernel *k, struct why *why);

/** kernel_settle() - wait until there are as many BPF objects as before; 0 or -1 */
int kernel_settle(const struct kernel *k, struct why *why);

/**
 * rounds_run() - call a function often, and check that no memory leaks
 * @rounds: how often
 * @load: load to pause while memory is measured; NULL if there is none
 * @round: the function; returns 0 or -1
 * @arg: for @round
 * @why: set to the failure, or to the memory that leaked
 *
 * Measures all kinds of memory: objects of each slab cache, areas of vmalloc, per-CPU memory,
 * free pages. Some rounds to warm up are followed by four parts of equal length. A leak, even of
 * one object a round, shows in each part. Memory may also grow in each of four parts by chance, so
 * then four more parts follow, in each of which a leak shows again. With few rounds, leak and
 * chance cannot be distinguished, so memory is not measured.
 *
 * Return: 0 or -1.
 */
int rounds_run(unsigned int rounds, const struct load *load,
	       int (*round)(void *arg, unsigned int n, struct why *why), void *arg,
	       struct why *why);

#endif /* SELFTESTS_STRESS_H */
