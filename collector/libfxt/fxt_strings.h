/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fxt_strings.h - the texts of the strings that producers refer to by index.
 *
 * In:  enum fxt_sched_string.
 * Out: FXT_SCHED_STRINGS(X), which expands X(index, text) once for each string.
 *
 * Writers of archives register these strings, readers recognize them.
 */
#ifndef FXT_STRINGS_H
#define FXT_STRINGS_H

#include <fxt/fxt_sched.h>

#define FXT_SCHED_STRINGS(X)						\
	X(FXT_STR_INCOMING_WEIGHT,	"incoming_weight")		\
	X(FXT_STR_OUTGOING_WEIGHT,	"outgoing_weight")		\
	X(FXT_STR_WEIGHT,		"weight")			\
	X(FXT_STR_WAKER,		"waker")			\
	X(FXT_STR_PROCESS,		"process")			\
	X(FXT_STR_STATE,		"state")			\
	X(FXT_STR_STATE_D,		"D")				\
	X(FXT_STR_STATE_I,		"I")				\
	X(FXT_STR_STATE_T,		"t")				\
	X(FXT_STR_STATE_P,		"P")				\
	X(FXT_STR_LEDGER,		"fxt_sched.ledger")		\
	X(FXT_STR_SESSION,		"fxt_sched.session")		\
	X(FXT_STR_CATEGORY,		"fxt_sched")			\
	X(FXT_STR_LOST,			"lost")				\
	X(FXT_STR_RECORDS,		"records")			\
	X(FXT_STR_CGROUP,		"cgroup")			\
	X(FXT_STR_TRIGGER,		"trigger")			\
	X(FXT_STR_COMPLETE,		"complete on all CPUs from here") \
	X(FXT_STR_THREAD,		"thread")			\
	X(FXT_STR_CPU,			"cpu")				\
	X(FXT_STR_LATENCY,		"latency_ns")			\
	X(FXT_STR_EXEC,			"exec")				\
	X(FXT_STR_RENAME,		"rename")			\
	X(FXT_STR_COMM,			"comm")				\
	X(FXT_STR_OLDCOMM,		"oldcomm")			\
	X(FXT_STR_NEWCOMM,		"newcomm")			\
	X(FXT_STR_RUNNABLE,		"runnable")			\
	X(FXT_STR_SWITCHES,		"switches/s")			\
	X(FXT_STR_FORK,			"fork")				\
	X(FXT_STR_UNKNOWN,		"unknown")			\
	X(FXT_STR_FILTERED,		"filtered")			\
	X(FXT_STR_IRQ,			"irq")				\
	X(FXT_STR_INTERRUPTED,		"interrupted")			\
	X(FXT_STR_HARD,			"hard")				\
	X(FXT_STR_SOFT,			"soft")				\
	X(FXT_STR_NMI,			"nmi")				\
	X(FXT_STR_FOLDED,		"folded")			\
	X(FXT_STR_SOFTIRQ,	"softirq") \
	X(FXT_STR_IDLE,		"idle") \
	X(FXT_STR_IDLE_MISS,	"idle miss") \
	X(FXT_STR_BELOW,	"below") \
	X(FXT_STR_MIGRATE,	"migrate") \
	X(FXT_STR_FROM,		"from") \
	X(FXT_STR_TO,		"to") \
	X(FXT_STR_FREQUENCY,	"frequency") \
	X(FXT_STR_FREQUENCY_LIMITS,	"frequency limits") \
	X(FXT_STR_KHZ,		"kHz") \
	X(FXT_STR_MIN_KHZ,	"min_kHz") \
	X(FXT_STR_MAX_KHZ,	"max_kHz") \
	X(FXT_STR_WORK,		"work") \
	X(FXT_STR_SOFTIRQ_FIRST + 0,	"HI") \
	X(FXT_STR_SOFTIRQ_FIRST + 1,	"TIMER") \
	X(FXT_STR_SOFTIRQ_FIRST + 2,	"NET_TX") \
	X(FXT_STR_SOFTIRQ_FIRST + 3,	"NET_RX") \
	X(FXT_STR_SOFTIRQ_FIRST + 4,	"BLOCK") \
	X(FXT_STR_SOFTIRQ_FIRST + 5,	"IRQ_POLL") \
	X(FXT_STR_SOFTIRQ_FIRST + 6,	"TASKLET") \
	X(FXT_STR_SOFTIRQ_FIRST + 7,	"SCHED") \
	X(FXT_STR_SOFTIRQ_FIRST + 8,	"HRTIMER") \
	X(FXT_STR_SOFTIRQ_FIRST + 9,	"RCU") \
	X(FXT_STR_VECTOR_LOCAL_TIMER,	"local timer") \
	X(FXT_STR_VECTOR_RESCHEDULE,	"reschedule") \
	X(FXT_STR_VECTOR_CALL,	"function call") \
	X(FXT_STR_VECTOR_CALL_SINGLE,	"single function call") \
	X(FXT_STR_VECTOR_IRQ_WORK,	"irq work") \
	X(FXT_STR_VECTOR_X86_PLATFORM,	"platform IPI") \
	X(FXT_STR_VECTOR_THERMAL,	"thermal") \
	X(FXT_STR_VECTOR_ERROR,	"APIC error") \
	X(FXT_STR_VECTOR_SPURIOUS,	"spurious") \
	X(FXT_STR_VECTOR_THRESHOLD,	"threshold") \
	X(FXT_STR_VECTOR_DEFERRED,	"deferred error") \
	X(FXT_STR_IDLE_FIRST + 0,	"state 0") \
	X(FXT_STR_IDLE_FIRST + 1,	"state 1") \
	X(FXT_STR_IDLE_FIRST + 2,	"state 2") \
	X(FXT_STR_IDLE_FIRST + 3,	"state 3") \
	X(FXT_STR_IDLE_FIRST + 4,	"state 4") \
	X(FXT_STR_IDLE_FIRST + 5,	"state 5") \
	X(FXT_STR_IDLE_FIRST + 6,	"state 6") \
	X(FXT_STR_IDLE_FIRST + 7,	"state 7") \
	X(FXT_STR_IDLE_FIRST + 8,	"state 8") \
	X(FXT_STR_IDLE_FIRST + 9,	"state 9") \
	X(FXT_STR_EXIT,	"exit") \
	X(FXT_STR_CODE,	"code") \
	X(FXT_STR_SIGNAL,	"signal") \
	X(FXT_STR_PARENT,	"parent") \
	X(FXT_STR_PRIORITY,	"priority") \
	X(FXT_STR_OLDPRIO,	"oldprio") \
	X(FXT_STR_NEWPRIO,	"newprio") \
	X(FXT_STR_CPUS,	"cpus") \
	X(FXT_STR_THROTTLED,	"throttled") \
	X(FXT_STR_IPI,	"ipi") \
	X(FXT_STR_TARGETS,	"targets") \
	X(FXT_STR_MASK,	"mask") \
	X(FXT_STR_SYSCALL,	"syscall") \
	X(FXT_STR_RET,	"ret") \
	X(FXT_STR_NR,	"nr") \
	X(FXT_STR_RUN_QUEUE,	"run queue") \
	X(FXT_STR_PELT,	"pelt") \
	X(FXT_STR_UTIL,	"util") \
	X(FXT_STR_LOAD,	"load") \
	X(FXT_STR_NR_PERIODS,	"nr_periods") \
	X(FXT_STR_NR_THROTTLED,	"nr_throttled") \
	X(FXT_STR_THROTTLED_USEC,	"throttled_usec") \
	X(FXT_STR_SYMBOLS,	"fxt_sched.symbols") \
	X(FXT_STR_SAMPLES,	"fxt_sched.samples") \
	X(FXT_STR_BEGIN,	"begin") \
	X(FXT_STR_END,	"end") \
	X(FXT_STR_ONLINE,	"online") \
	X(FXT_STR_OFFLINE,	"offline") \
	X(FXT_STR_DELIVERED,	"signal delivered") \
	X(FXT_STR_RESULT,	"result") \
	X(FXT_STR_HANDLED,	"handled")

#define FXT_SCHED_STRING_ONE(index, text)	+ 1
_Static_assert(0 FXT_SCHED_STRINGS(FXT_SCHED_STRING_ONE) == FXT_STR_LAST,
	       "each index has a text");
#undef FXT_SCHED_STRING_ONE

#endif /* FXT_STRINGS_H */
