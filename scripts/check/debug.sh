#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs the tests in kernels with detectors: first proves that these kernels detect
# injected faults, then that they find none in the module, and runs the tests of a
# locked-down kernel.
#
# In:  the source tree; the kernels debug and kcsan, which are built if they are not
#      cached.
# Out: TAP of every test program, "# program NAME" before each.
#
# The modules with and without faults are built from copies; the tree is not changed.

set -euo pipefail

here=$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$here/../lib.sh"

root=$(realpath -- "$here/../..")
timeout=14400		# of a guest, seconds: the stress tests at full length take hours
work=
failed=

usage() {
	cat <<'END'
usage: scripts/check/debug.sh PART...

Runs these parts of the tests, each in a guest or guests of its own:
  short            the tests that use each interface of the module
  debug            the proof of the detectors, then all tests of recordings, then
                   those of a locked-down kernel
  stress_sessions  the full-length stress tests in which module, collectors and
                   sessions come and go
  stress_system    the full-length stress tests in which CPUs, processes and memory
                   come and go
  kcsan            in the kernel that detects data races: the proof that it detects
                   them, all tests of recordings, and short stress tests

exit status: 0 all passed; 1 a test failed; 2 wrong usage; 3 a kernel or another
dependency could not be installed or built.
END
}

# in_guest KERNEL OPTION... -- COMMAND: runs it with two CPUs, which races need. If the guest
# ends early, prints the reason, and the output of its tests so far.
in_guest() {
	local kernel=$1 status=0
	shift
	"$here/../vm.sh" --kernel "$kernel" --smp 2 --mem 2G --timeout "$timeout" "$@" || status=$?
	((status == 0)) || failed=yes
	((status <= 1)) || echo "not ok 0 the guest ended early, with status $status"
}

# kernel_make KERNEL DIR: builds the modules in DIR, with UBSAN, which the kernel itself lacks.
kernel_make() {
	make -s -C "$(kernel_dir "$1")/headers" M="$2" CC=gcc-12 UBSAN_SANITIZE=y \
		KCFLAGS=-Werror modules 2>"$work/log" && return
	cat -- "$work/log" >&2
	die 3 "building the modules of $2 for kernel $1 failed (see above)"
}

# build_module KERNEL NAME [FILE SED-SCRIPT]: builds the module as $work/NAME.ko, with FILE
# changed. Fails if the change does not apply, because the proof would then be worthless.
build_module() {
	local kernel=$1 name=$2 file=${3-} script=${4-} dir=$work/build
	rm -rf -- "$dir"
	mkdir -p -- "$dir/kmod"
	cp -r -- "$root/include" "$dir/"
	cp -- "$root"/kmod/*.[ch] "$root"/kmod/{Kbuild,Makefile} "$dir/kmod/"
	if [[ -n $file ]]; then
		sed -i -E -e "$script" "$dir/kmod/$file"
		! cmp -s "$dir/kmod/$file" "$root/kmod/$file" ||
			die 3 "'$script' changes nothing in kmod/$file; rewrite this fault"
	fi
	kernel_make "$kernel" "$dir/kmod"
	cp -- "$dir/kmod/fxt_sched.ko" "$work/$name.ko"
}

# build_test_modules KERNEL FOLDER: builds the modules of that folder of selftests/.
build_test_modules() {
	local dir=$work/build
	rm -rf -- "$dir"
	cp -r -- "$root/selftests/$2" "$dir"
	kernel_make "$1" "$dir"
	cp -- "$dir"/*.ko "$work/"
}

# Plausible faults: a missing free, a forbidden wakeup, a write beyond the last sub-buffer.
build_faulty_modules() {
	build_module debug ours-leak session.c '/kvfree\(ss\);/d'
	build_module debug ours-wake switch.c \
		's/^(\t)(lockdep_assert_irqs_disabled\(\);)$/\1\2\n\1wake_up(\&s->buf->read_wait);/'
	build_module debug ours-overrun stream.c \
		's/s->end = (.*subbuf_size);/s->end = \1;\n\tif (s->end == buf->start + buf->chan->alloc_size)\n\t\ts->end += 8;/'
}

# With panic_on_warn a detected fault ends the guest.
prove_panic() {
	local status=0
	echo "# program detectors_panic"
	echo "1..1"
	"$here/../vm.sh" --kernel debug --append panic_on_warn=1 --out "$work/out" -- \
		sh -c "insmod $work/ours-overrun.ko && cd /tmp &&
		       $root/collector/fxt-collect/fxt-collect -q -s kmod -b 8K -- \
				sh -c 'for i in \$(seq 500); do /bin/true; done'" \
		>"$work/said" 2>&1 || status=$?
	if ((status == 125)) &&
		grep -q 'KASAN: vmalloc-out-of-bounds in fxt_' "$work/out/console.log" &&
		grep -q 'panic.*panic_on_warn' "$work/out/console.log"; then
		echo "ok 1 a report ends the guest"
	else
		sed 's/^/# /' "$work/said"
		echo "# status $status"
		echo "not ok 1 a report ends the guest"
		failed=yes
	fi
}

prove_debug() {
	say "proving the detectors of kernel debug"
	echo "# program detectors"
	in_guest debug --append kasan_multi_shot -- \
		"$root/selftests/detectors/prove.sh" all "$work"
	echo "# program detectors_ours"
	in_guest debug --append kasan_multi_shot -- \
		"$root/selftests/detectors/prove.sh" ours "$work"
	prove_panic
}

prove_kcsan() {
	say "proving the detector of kernel kcsan"
	echo "# program detectors_races"
	in_guest kcsan -- "$root/selftests/detectors/prove.sh" races "$work"
}

# run_tests KERNEL PARAMETERS STRESS TEST...: loads the module, tests it and unloads it;
# then checks the log once more, and for leaks. STRESS: full, or empty for shortened.
run_tests() {
	local kernel=$1 parameters=$2 stress=$3
	shift 3
	say "testing in kernel $kernel"
	in_guest "$kernel" --append "$parameters" -- \
		sh -c "insmod $work/fxt_sched.ko || exit
		       export FXT_GUEST=1 FXT_REQUIRE='kmod bpf' FXT_STRESS=$stress
		       export FXT_MODULE=$work/fxt_sched.ko
		       selftests/run.sh $*
		       status=\$?
		       rmmod fxt_sched && selftests/run.sh kernel_log.sh || status=1
		       exit \$status"
}

# The kernel refuses a module without a signature. All functions of a signed module work, until
# the last test locks the kernel down for confidentiality, and unloads it.
run_lockdown() {
	local headers
	headers=$(kernel_dir debug)/headers
	say "testing in kernel debug, locked down"
	"$headers/scripts/sign-file" sha256 "$headers/certs/signing_key.pem" \
		"$headers/certs/signing_key.x509" "$work/fxt_sched.ko" "$work/signed.ko"
	in_guest debug --append "panic_on_warn=1 lockdown=integrity" -- \
		sh -c "export FXT_GUEST=1 FXT_UNSIGNED=$work/fxt_sched.ko
		       FXT_REQUIRE=bpf selftests/run.sh lockdown_test
		       status=\$?
		       insmod $work/signed.ko || exit
		       FXT_REQUIRE='kmod bpf' selftests/run.sh lockdown_test chain_test \
				ledger_test both_test death_test module_test device_test \
				device_owner_test sessions_test filter_test flight_test \
				rotate_test verbs_test kernel_log.sh || status=1
		       FXT_REQUIRE=kmod selftests/run.sh confidentiality_test || status=1
		       exit \$status"
}

prepare() {
	"$here/../deps.sh" vm "$1" || exit 3
	build_module "$1" fxt_sched
	build_test_modules "$1" modules
}

run_part() {
	case $1 in
	short)
		prepare debug
		# Tests of each interface of the module, and of leaks.
		run_tests debug panic_on_warn=1 "" \
			module_test device_test device_owner_test ledger_test both_test kernel_log.sh
		;;
	debug)
		prepare debug
		build_test_modules debug detectors
		build_faulty_modules
		prove_debug
		run_tests debug panic_on_warn=1 "" recordings
		run_lockdown
		;;
	stress_sessions | stress_system)
		prepare debug
		run_tests debug panic_on_warn=1 full "$1"
		;;
	kcsan)
		prepare kcsan
		build_test_modules kcsan detectors
		prove_kcsan
		# Without panic_on_warn, because the kernel's own races would end the guest.
		run_tests kcsan "" "" recordings stress
		;;
	esac
}

main() {
	local part
	for part; do
		case $part in
		short | debug | stress_sessions | stress_system | kcsan) ;;
		-h | --help) usage; exit 0 ;;
		*) die 2 "$part: unknown part; see scripts/check/debug.sh --help" ;;
		esac
	done
	(($# > 0)) || die 2 "no part given; see scripts/check/debug.sh --help"
	cd -- "$root"
	# Not below /tmp, because guests mount their own /tmp.
	work=$(mktemp -d -p /var/tmp)
	trap 'rm -rf -- "$work"' EXIT
	{ make -s -j"$(nproc)" collector bpf && make -s -j"$(nproc)" selftests; } ||
		die 3 "the build failed: the lines above say where"
	for part; do
		run_part "$part"
	done
	[[ -z $failed ]]
}

main "$@"
