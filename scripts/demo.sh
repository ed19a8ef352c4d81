#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Makes an archive of this machine from a fresh clone of the project.
#
# In:  SECONDS_TO_RECORD (default: 5).
# Out: sched.fxt in the project's root, recorded with the best source of this machine:
#      the module if it can be built and loaded, else BPF; on standard output its
#      contents and how to open it.

set -euo pipefail

here=$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"

seconds=${SECONDS_TO_RECORD:-5}
archive=sched.fxt
loaded=

usage() {
	cat <<'END'
usage: scripts/demo.sh

Installs dependencies, builds, records this machine for SECONDS_TO_RECORD (default: 5)
seconds into sched.fxt while it compiles some files, and prints a report.

exit status: 0 done; 2 wrong usage; 3 a dependency could not be installed or the build
failed; else that of fxt-collect.
END
}

cleanup() {
	[[ -z $loaded ]] || as_root rmmod fxt_sched
}

# The kernel's headers, if Debian has them; it has none for other kernels.
install_headers() {
	local package
	[[ -d /lib/modules/$(uname -r)/build ]] && return
	package=linux-headers-$(uname -r)
	apt-cache show "$package" >/dev/null 2>&1 || return 1
	say "installing $package, for the module"
	as_root apt-get install -y --no-install-recommends "$package" >/dev/null
}

# The module is the cheaper source; BPF is the fallback.
load_module() {
	if [[ -d /sys/module/fxt_sched ]]; then
		say "the module fxt_sched is loaded already"
	elif [[ ! -e /proc/modules ]]; then
		say "this kernel loads no modules: recording with BPF"
	elif ! install_headers; then
		say "no headers for kernel $(uname -r): recording with BPF"
	elif ! make -s -j"$(nproc)" modules KDIR="/lib/modules/$(uname -r)/build" >/dev/null; then
		say "the module does not build here: recording with BPF"
	elif ! as_root insmod kmod/fxt_sched.ko; then
		say "this kernel refuses the module (Secure Boot requires a signature): recording with BPF"
	else
		loaded=1
	fi
}

# Makes a load to look at: compiles every file, on all CPUs, until the recording ends.
work() {
	while :; do
		find collector -name '*.c' -print0 |
			xargs -0 -P "$(nproc)" -n 1 cc -fsyntax-only -D_GNU_SOURCE \
				-DFXT_VERSION='"demo"' -I. -Iinclude -Iinclude/uapi -Icollector \
				-Icollector/fxt -Icollector/fxt-collect -Ibpf || true
	done
}

record() {
	local worker status=0
	work >/dev/null 2>&1 &
	worker=$!
	as_root collector/fxt-collect/fxt-collect -o "$archive" -d "${seconds}s" || status=$?
	kill "$worker" 2>/dev/null || true
	wait "$worker" 2>/dev/null || true
	return "$status"
}

main() {
	case ${1-} in
	'') ;;
	-h | --help) usage; exit 0 ;;
	*) die 2 "$1: unknown argument; see scripts/demo.sh --help" ;;
	esac
	cd "$here/.."
	"$here/deps.sh" build || exit 3
	say "building the collector and the BPF program"
	make -s -j"$(nproc)" collector bpf ||
		die 3 "the build failed: the lines above say where"
	trap cleanup EXIT
	load_module
	say "recording this machine for $seconds s into $archive"
	record
	echo
	collector/fxt/fxt info "$archive"
	echo
	collector/fxt/fxt check "$archive" || say "$archive is invalid: see above"
	echo
	collector/fxt/fxt report "$archive"
	echo
	echo "Next: open https://ui.perfetto.dev and drop $PWD/$archive onto the page."
}

main "$@"
