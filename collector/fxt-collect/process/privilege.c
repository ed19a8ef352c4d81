// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * privilege.c - see privilege.h.
 *
 * In: this process's ids and capabilities, and the environment set by sudo and the like.
 * Out: reduced ids and capabilities. Invariants: the environment is trusted only if root
 * itself started this process, and dropped privileges cannot come back.
 */
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/capability.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "privilege.h"

/* Group of a user without a passwd entry, if no group is given. */
#define NO_GROUP	65534

/* --- who asked ------------------------------------------------------------------ */

/* Parse an id. */
static bool parse_id(const char *text, unsigned int *id)
{
	unsigned long n;
	char *end;

	if (!text || *text < '0' || *text > '9')
		return false;
	errno = 0;
	n = strtoul(text, &end, 10);
	if (errno || *end || n >= (uid_t)-1)
		return false;
	*id = n;
	return true;
}

static void set_text(char *to, size_t room, const char *text)
{
	/* A truncated name could be another user's. */
	if (strlen(text) < room)
		strcpy(to, text);
}

static void describe(struct invoker *who, const struct passwd *pw)
{
	set_text(who->name, sizeof(who->name), pw->pw_name);
	set_text(who->home, sizeof(who->home), pw->pw_dir);
}

/*
 * The kernel knows who runs a set-id program; its environment is under that user's
 * control.
 */
static void find_real(struct invoker *who)
{
	const struct passwd *pw = getpwuid(getuid());

	who->known = true;
	who->uid = getuid();
	who->gid = getgid();
	who->has_groups = true;
	if (pw)
		describe(who, pw);
}

void invoker_find(struct invoker *who)
{
	const char *doas = getenv("DOAS_USER");
	const struct passwd *pw = NULL;

	*who = (struct invoker){ .gid = NO_GROUP };
	if (getuid() != geteuid() || getgid() != getegid()) {
		find_real(who);
		return;
	}
	if (getuid())
		return;
	if (!parse_id(getenv("SUDO_UID"), &who->uid) &&
	    !parse_id(getenv("PKEXEC_UID"), &who->uid) && doas && (pw = getpwnam(doas)))
		who->uid = pw->pw_uid;
	if (!who->uid)
		return;
	who->known = true;
	pw = getpwuid(who->uid);
	if (pw) {
		who->gid = pw->pw_gid;
		describe(who, pw);
	} else {
		parse_id(getenv("SUDO_GID"), &who->gid);
	}
}

static void set_or_unset(const char *name, const char *value)
{
	if (*value)
		setenv(name, value, 1);
	else
		unsetenv(name);
}

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

static int set_groups(const struct invoker *who)
{
	return who->name[0] ? initgroups(who->name, who->gid) : setgroups(1, &who->gid);
}

int invoker_become(const struct invoker *who)
{
	if (!who->known)
		return 0;
	if (!who->has_groups && set_groups(who))
		return -errno;
	if (setresgid(who->gid, who->gid, who->gid) ||
	    setresuid(who->uid, who->uid, who->uid))
		return -errno;
	set_or_unset("HOME", who->home);
	set_or_unset("USER", who->name);
	set_or_unset("LOGNAME", who->name);
	return give_up_all();
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
	if (keep & PRIVILEGE_KEEP_READ)
		left[n++] = CAP_DAC_READ_SEARCH;
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
