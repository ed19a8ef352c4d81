// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * privilege.c - see privilege.h.
 *
 * In: this process's ids and capabilities.
 * Out: reduced ids and capabilities. Invariant: dropped privileges cannot come back.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/capability.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "privilege.h"

/*
 * Clear all sets but the bounding set, which every program of a user has. The kernel
 * removes capabilities that are not inheritable from the ambient set.
 */
static int give_up_all(void)
{
	cap_t none = cap_init();
	int ret = 0;

	if (!none)
		return -ENOMEM;
	if (cap_set_proc(none))
		ret = -errno;
	cap_free(none);
	return ret;
}

int privilege_become(const struct invoker *who)
{
	int ret = invoker_become(who);

	return ret || !who->known ? ret : give_up_all();
}

/* --- capabilities ----------------------------------------------------------------- */

static bool is_held(cap_t caps, cap_value_t cap, cap_flag_t set)
{
	cap_flag_value_t value;

	return !cap_get_flag(caps, cap, set, &value) && value == CAP_SET;
}

const char *privilege_missing(void)
{
	cap_t caps = cap_get_proc();
	const char *missing = NULL;

	if (!caps)
		return NULL;
	if (is_held(caps, CAP_SYS_ADMIN, CAP_EFFECTIVE))
		;
	else if (!CAP_IS_SUPPORTED(CAP_BPF))
		missing = "CAP_SYS_ADMIN";
	else if (!is_held(caps, CAP_BPF, CAP_EFFECTIVE))
		missing = "CAP_BPF";
	else if (!is_held(caps, CAP_PERFMON, CAP_EFFECTIVE))
		missing = "CAP_PERFMON";
	cap_free(caps);
	return missing;
}

/* Fill in the capabilities to keep; returns their number. */
static int choose(unsigned int keep, cap_value_t *left)
{
	int n = 0;

	if (keep & PRIVILEGE_KEEP_FILES)
		left[n++] = CAP_DAC_OVERRIDE;
	if (keep & PRIVILEGE_KEEP_KILL)
		left[n++] = CAP_KILL;
	if (keep & (PRIVILEGE_KEEP_MODULE | PRIVILEGE_KEEP_PERF))
		left[n++] = CAP_IS_SUPPORTED(CAP_PERFMON) ? CAP_PERFMON : CAP_SYS_ADMIN;
	if (keep & PRIVILEGE_KEEP_BPF)
		left[n++] = CAP_IS_SUPPORTED(CAP_BPF) ? CAP_BPF : CAP_SYS_ADMIN;
	return n;
}

bool privilege_needs_bpf(int (*call)(void *arg), void *arg)
{
	const cap_value_t bpf[] = { CAP_SYS_ADMIN, CAP_BPF };
	cap_t before = cap_get_proc(), without = cap_get_proc();
	int count = CAP_IS_SUPPORTED(CAP_BPF) ? 2 : 1, ret = -EPERM;

	if (before && without && !cap_set_flag(without, CAP_EFFECTIVE, count, bpf, CAP_CLEAR) &&
	    !cap_set_proc(without)) {
		ret = call(arg);
		cap_set_proc(before);
	}
	cap_free(before);
	cap_free(without);
	return ret == -EPERM;
}

/* Keep only the permitted capabilities of @left, none inheritable. */
static int set_left(const cap_value_t *left, int count)
{
	cap_t before = cap_get_proc(), after = cap_init();
	int i, ret = 0;

	for (i = 0; before && after && i < count && !ret; i++)
		if (is_held(before, left[i], CAP_PERMITTED) &&
		    (cap_set_flag(after, CAP_PERMITTED, 1, &left[i], CAP_SET) ||
		     cap_set_flag(after, CAP_EFFECTIVE, 1, &left[i], CAP_SET)))
			ret = -errno;
	if (!before || !after || (!ret && cap_set_proc(after)))
		ret = -errno;
	cap_free(before);
	cap_free(after);
	return ret;
}

/*
 * Reducing the bounding set takes CAP_SETPCAP. Without that, no_new_privs alone keeps
 * executed programs from gaining capabilities.
 */
static void empty_bounding_set(void)
{
	cap_value_t cap;

	for (cap = 0; CAP_IS_SUPPORTED(cap); cap++)
		cap_drop_bound(cap);
}

int privilege_drop(unsigned int keep, struct error *e)
{
	cap_value_t left[5];
	int ret = 0;

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		ret = -errno;
	if (!ret) {
		empty_bounding_set();
		ret = set_left(left, choose(keep, left));
	}
	if (!ret)
		return 0;
	return fail(e, EXIT_FAILED, ret,
		    "cannot drop capabilities: %s; this is a bug, or a security module refuses it; please report it",
		    strerror(-ret));
}
