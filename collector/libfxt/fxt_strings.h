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
	X(FXT_STR_FOLDED,		"folded")

#define FXT_SCHED_STRING_ONE(index, text)	+ 1
_Static_assert(0 FXT_SCHED_STRINGS(FXT_SCHED_STRING_ONE) == FXT_STR_LAST,
	       "each index has a text");
#undef FXT_SCHED_STRING_ONE

#endif /* FXT_STRINGS_H */
