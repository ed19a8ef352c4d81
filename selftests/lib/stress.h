/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by the programs stress_*_test, which need a machine of their own: modules are unloaded,
 * CPUs go offline. $FXT_STRESS sets the amount of work: "full" is everything that is worth doing, a
 * number is that percentage of it, unset is a short test that every run can afford. $FXT_SEED
 * repeats the random choices of an earlier run. $FXT_MODULE is the module's file.
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

/* The number of times to do something: @full for $FXT_STRESS=full, @brief if it is unset. */
unsigned int stress_rounds(unsigned int full, unsigned int brief);

/* Write a TAP comment, with the time since the first one of the test. */
void stress_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A number below @limit; the seed is printed at the first call. */
uint32_t stress_random(uint32_t limit);

/* Return: 0 or errno */
int module_load(void);

/* Does not wait. Return: 0 or errno */
int module_unload(void);

/* Return: 0 or errno */
int cpu_set_online(int cpu, bool online);

/*
 * Let the stoppers stop all online CPUs once, by changing the kernel's clock source and changing it
 * back; nothing if there is only one clock source. Return: 0 or errno.
 */
int cpus_stop(void);

#define LOAD_GROUPS	16

/* processes that send messages to each other, in groups, and one that forks */
struct load {
	pid_t pids[LOAD_GROUPS + 1];	/* leaders of process groups; 0 is none */
};

/* some work for each CPU */
int load_start(struct load *l);

void load_pause(const struct load *l, bool on);

void load_stop(struct load *l);

struct kernel {
	int log;	/* the kernel's log, read up to now */
	unsigned int bpf[4];	/* BPF programs, maps, links and type information that are loaded */
};

/* Store the state, and let kmemleak forget its findings. */
void kernel_look(struct kernel *k);

/*
 * Is the state the same as before? No relay buffer is left, nothing holds the module, all BPF
 * objects are gone, no error was logged, and kmemleak, where the kernel has it, has no finding that
 * names the module. The check waits for objects that are freed a little later, and closes @k.
 */
int kernel_check(struct kernel *k, struct why *why);

/* Wait until there are as many BPF objects as before. */
int kernel_settle(const struct kernel *k, struct why *why);

/*
 * Call a function often, and check that no memory leaks. @load is paused while memory is measured;
 * NULL if there is none.
 *
 * Measures all kinds of memory: objects of each slab cache, areas of vmalloc, per-CPU memory, free
 * pages. Some rounds to warm up are followed by four parts of equal length. A leak, even of one
 * object a round, shows in each part. Memory may also grow in each of four parts by chance, so then
 * four more parts follow, in each of which a leak shows again. With few rounds, leak and chance
 * cannot be distinguished, so memory is not measured.
 */
int rounds_run(unsigned int rounds, const struct load *load,
	       int (*round)(void *arg, unsigned int n, struct why *why), void *arg,
	       struct why *why);

#endif /* SELFTESTS_STRESS_H */
