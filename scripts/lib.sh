# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# What every script here shares: messages, the cache's place, root's rights.
#
# In:  FXT_CACHE, XDG_CACHE_HOME, HOME (where the cache is).
# Out: functions; nothing is run or written by sourcing this file.
#
# Messages go to standard error, so that a script's standard output holds only
# what was asked for (a path, a guest's output).

say() {
	printf '%s: %s\n' "${0##*/}" "$*" >&2
}

# die CODE WHAT: one line that names what was tried, on what, why it failed and
# what to do next.
die() {
	local code=$1
	shift
	say "error: $*"
	exit "$code"
}

# Outside the source tree: it outlives `git clean` and serves every checkout.
cache_dir() {
	local dir=${FXT_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/fxt-sched}
	realpath -m -- "$dir"
}

# kernel_dir KERNEL: where the cache keeps that kernel; whole if it is there,
# because deps.sh renames it into place only when it is complete.
kernel_dir() {
	printf '%s/kernels/%s\n' "$(cache_dir)" "$1"
}

kselftest_dir() {
	printf '%s/kselftest/%s/tools/testing/selftests\n' "$(cache_dir)" "$1"
}

# Libraries and headers of arm64, and the root of its guest: see deps-arm64.sh.
arm64_root() {
	printf '%s/arm64/root\n' "$(cache_dir)"
}

# arm64_tree ROOT: where the project whose root that is, is built for arm64.
arm64_tree() {
	printf '%s/build/arm64/%s\n' "$(cache_dir)" "$(sha256sum <<<"$1" | cut -c 1-12)"
}

can_be_root() {
	((EUID == 0)) || command -v sudo >/dev/null
}

as_root() {
	if ((EUID == 0)); then
		"$@"
	else
		sudo "$@"
	fi
}
