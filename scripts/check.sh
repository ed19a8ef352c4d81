#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Installs, builds and tests everything: on this machine, in a guest, by fuzzers.
#
# In:  CI (if it is set, a test that ran nowhere is a failure: CI can run all).
# Out: TAP of every test program; then what failed and what was skipped, and
#      why; the last line is "N passed, N failed, N skipped".
#
# A test that is skipped in one place and passes in the other counts as passed:
# this machine may take no modules, and a guest's clock is not for everything.

set -euo pipefail

here=$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"

kernel=6.1
guest_cpus=2
guest_memory=2G
guest_timeout=1500
fuzz_seconds=5		# per target; make fuzz runs long
work=

usage() {
	cat <<'END'
usage: scripts/check.sh [--all]

Installs what is needed, builds all, runs the tests of selftests/ on this machine
(archives, BPF) and in a guest of Debian's kernel 6.1 (module and BPF), and the
fuzzers for a short time. With --all also what takes long: packages, built,
installed, used and removed in a fresh Debian (root only).

exit status: 0 all passed; 1 a test failed or, with CI set, ran nowhere; 2 wrong
usage; 3 something could not be installed or built.
END
}

# Without BTF there is no BPF source here; the guest has both in any case.
host_sources() {
	[[ ! -e /sys/kernel/btf/vmlinux ]] || printf 'bpf'
}

run_on_host() {
	say "testing on this machine, kernel $(uname -r)"
	as_root env FXT_REQUIRE="$(host_sources)" selftests/run.sh || true
}

run_in_guest() {
	say "testing in a guest, kernel $kernel"
	"$here/vm.sh" --kernel "$kernel" --smp "$guest_cpus" --mem "$guest_memory" \
		--timeout "$guest_timeout" -- \
		sh -c 'insmod kmod/fxt_sched.ko &&
		       FXT_GUEST=1 FXT_REQUIRE="kmod bpf" selftests/run.sh' ||
		((PIPESTATUS[0] == 1)) || echo "not ok 0 the guest ended early"
}

run_fuzzers() {
	say "fuzzing, $fuzz_seconds s per target"
	echo "# program fuzz"
	"$here/fuzz.sh" --jobs "$(nproc)" "$fuzz_seconds" ||
		((PIPESTATUS[0] == 1)) || echo "not ok 0 the fuzzers could not be built"
}

# One line a test: place, program, number, result and the rest of its TAP line.
# "# program NAME" tells whose the lines after it are.
results_of() {
	awk -v place="$1" '
		/^# program / { program = $3; next }
		/^(not )?ok / {
			result = $1 == "not" ? "failed" : /# SKIP/ ? "skipped" : "passed"
			number = $1 == "not" ? $3 : $2
			print place "\t" program "\t" number "\t" result "\t" $0
		}'
}

# Counts, and says what did not pass. A test is known by program and number.
judge() {
	awk -F '\t' -v ci="${CI:-}" '
		$4 == "failed" { failed++; print "FAILED  " $1 ": " $2 ": " $5; next }
		{ test = $2 "\t" $3 }
		$4 == "passed" { passed++; good[test] = 1; next }
		{ why[test] = $1 ": " $2 ": " $5 }
		END {
			for (test in why)
				if (!(test in good)) {
					skipped++
					print "SKIPPED " why[test]
				}
			printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
			exit failed > 0 || passed == 0 || (ci != "" && skipped > 0)
		}'
}

run_packages() {
	say "testing packages"
	echo "# program packages"
	"$here/deps.sh" package || { echo "not ok 0 what makes packages could not be installed"; return; }
	"$here/check-packages.sh" || true
}

main() {
	local all=
	case ${1-} in
	'') ;;
	--all) all=yes ;;
	-h | --help) usage; exit 0 ;;
	*) die 2 "$1: unknown argument; see scripts/check.sh --help" ;;
	esac
	cd "$here/.."
	"$here/deps.sh" all || exit 3
	say "building"
	{
		make -s -j"$(nproc)" collector bpf &&
			make -s -j"$(nproc)" modules KDIR="$("$here/deps.sh" --kdir "$kernel")" &&
			make -s -j"$(nproc)" selftests
	} || die 3 "the build failed: the lines above say where"

	work=$(mktemp -d)
	trap 'rm -rf -- "$work"' EXIT
	run_on_host | tee "$work/host"
	run_in_guest | tee "$work/guest"
	run_fuzzers | tee "$work/fuzz"
	[[ -z $all ]] || run_packages | tee "$work/packages"
	{
		results_of host <"$work/host"
		results_of host <"$work/fuzz"
		[[ -z $all ]] || results_of host <"$work/packages"
		results_of guest <"$work/guest"
	} >"$work/results"
	judge <"$work/results"
}

main "$@"
