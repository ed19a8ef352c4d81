# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Shared by all scripts: messages, the path of the cache, commands as root.
#
# In:  FXT_CACHE, XDG_CACHE_HOME, HOME (the path of the cache).
# Out: functions; sourcing this file runs and writes nothing.
#
# Messages go to standard error, so that a script's standard output has only its
# result (a path, a guest's output).

say() {
	printf '%s: %s\n' "${0##*/}" "$*" >&2
}

# die CODE TEXT: one line with what was tried, what is wrong, and what to do.
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

# kernel_dir KERNEL: the path of that kernel in the cache. If it exists it is complete,
# because deps.sh renames only a complete one to this path.
kernel_dir() {
	printf '%s/kernels/%s\n' "$(cache_dir)" "$1"
}

kselftest_dir() {
	printf '%s/kselftest/%s/tools/testing/selftests\n' "$(cache_dir)" "$1"
}

# Libraries and headers for arm64, and the root of its guest: see deps/arm64.sh.
arm64_root() {
	printf '%s/arm64/root\n' "$(cache_dir)"
}

# arm64_tree ROOT: the folder in which the project at ROOT is built for arm64.
arm64_tree() {
	printf '%s/build/arm64/%s\n' "$(cache_dir)" "$(sha256sum <<<"$1" | cut -c 1-12)"
}

# find_browser: the path of a Chromium: of FXT_BROWSER, or what a user has, or what deps.sh html
# installs.
find_browser() {
	command -v "${FXT_BROWSER:-chromium}" ||
		command -v "${FXT_BROWSER:-chromium-headless-shell}"
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
