#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Builds everything for arm64 and runs all tests there: archives, the module and BPF, in
# a guest with Debian's arm64 6.1.
#
# In:  the sources; compilers and libraries are fetched. FXT_STRESS is not passed on: the
#      stress tests run at full length on this architecture only.
# Out: TAP of every test program, as selftests/run.sh prints it.
#
# The emulated machine never reorders memory accesses, so this script cannot detect a
# missing barrier; only the comments at each barrier argue that it is right. But the script does
# verify that the BPF program was built with the instructions on which these arguments rely.

set -euo pipefail

here=$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$here/../lib.sh"

usage() {
	cat <<'END'
usage: scripts/check/arm64.sh [TEST...]

Builds the module, the collector, the BPF program and the tests for arm64 and runs
the tests (default: all).

exit status: 0 all passed; 1 a test failed; 2 wrong usage; 3 something could not be
installed or built; 125 the guest did not finish.
END
}

# check_ordering TREE: programs that write into rings publish with exchanges; those
# that send names enter and leave with additions that return a result. See
# ring_publish() and count_busy().
check_ordering() {
	local bad
	echo "# program bpf_ordering"
	bad=$(llvm-objdump -d "$1/bpf/fxt_sched.bpf.o" | awk '
		/^Disassembly of section/ { section = $4; sub(/:$/, "", section); sub(/.*\//, "", section) }
		/ = xchg_64/ { publish[section]++ }
		/ = atomic_fetch_add/ { count[section]++ }
		END {
			split(".text sched_switch sched_wakeup sched_wakeup_new", rings, " ")
			split("sched_process_fork sched_process_exec task_rename", names, " ")
			for (i in rings) if (publish[rings[i]] < 2) print rings[i]
			for (i in names) if (count[names[i]] < 4) print names[i]
		}') || bad="llvm-objdump failed"
	[[ -z $bad ]] || printf '# without an order: %s\n' "${bad//$'\n'/ }"
	echo "${bad:+not }ok 1 bpf_ordering"
	[[ -z $bad ]]
}

main() {
	local tree status=0
	case ${1-} in
	-h | --help) usage; exit 0 ;;
	-*) die 2 "$1: unknown option; see scripts/check/arm64.sh --help" ;;
	esac
	"$here/../deps.sh" all arm64 || exit 3
	tree=$("$here/../build-arm64.sh") || exit 3
	(($# > 0)) || check_ordering "$tree" || status=1
	# shellcheck disable=SC2016 # the guest's shell expands it
	"$here/../vm.sh" --kernel arm64 --smp 2 --mem 2G --timeout 7200 -- \
		sh -c 'insmod kmod/fxt_sched.ko &&
		       FXT_GUEST=1 FXT_FILES=1 FXT_REQUIRE="kmod bpf" \
		       FXT_MODULE=$PWD/kmod/fxt_sched.ko selftests/run.sh "$@"' \
		sh "$@" || status=$?
	exit "$status"
}

main "$@"
