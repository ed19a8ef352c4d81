#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Installs, builds and tests everything: on this machine, in guests, by fuzzers, on ClickHouse.
#
# In:  CI (if it is set, a test that ran nowhere counts as failed, because CI can run all).
# Out: TAP of every test program; then the failed, unstable and skipped tests with the
#      reason; the last line is "N passed, N failed, N skipped".
#      <cache>/results/PLACE.tsv, the input of scripts/check/matrix.sh.
#
# A test that is skipped in one place and passes in another counts as passed: this
# machine may load no modules, and a guest's clock is too coarse for some tests.
#
# A test that fails, and passes when its program runs again with nothing beside it, is UNSTABLE. It
# counts as passed, and is printed with what it said, because its cause is still to be found.

set -euo pipefail

here=$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"

kernels=(7.2 5.10 6.12 6.1)
# Without --all, each guest runs a part of the tests. If the host has run them with BPF, the newest
# kernel has only the module, except for BPF tests of what differs between kernels.
session_kernel=7.2	# also tests of starting and ending recordings, and the longest tests
stress_kernel=5.10	# stress tests; those of CPUs that come and go also in the session kernel;
			# triggers and comparisons only with BPF, whose programs differ before
			# Linux 5.12, as the newest kernel has the module
cpus_kernel=6.12	# likewise only the module, except for BPF tests that need three CPUs; locks,
			# as only its CPU forbids the kernel to use memory of programs (SMAP); else
			# the main job, as Linux 5.10 or 7.2 has each of its answers to kmod/compat.h
nodes_kernel=6.1	# the same, with stacks, and with BPF CPUs that a real-time thread owns,
			# because a host has none, and the newest kernel has the module; it has two
			# NUMA nodes, and CPU 2 is isolated
guest_memory=2G
guest_timeout=1800
fuzz_seconds=1		# per target; make fuzz takes longer
retries=4		# programs of a place; if more of them fail, they do not fail by chance
again=			# run only these programs of a place
all=
host=			# sources that were tested on this machine
places=()
work=

usage() {
	cat <<'END'
usage: scripts/check.sh [--all] [PLACE...]

Installs dependencies, builds everything, runs the tests of selftests/ on this machine
(archives, BPF) and in guests with Debian's kernels 5.10, 6.1, 6.12 and 7.2 (module and
BPF; if the host has BPF, only few BPF tests except in 5.10), the fuzzers for a short time,
and a fleet of 50 hosts on ClickHouse and DuckDB; it builds and lints the Debian packages; also
a few tests in a debug kernel if one is cached. With --all it takes hours,
and also tests: all in the debug kernel, with the stress tests at full length; a kernel that
detects data races; PREEMPT_RT; arm64; a guest with 16 CPUs; the module as a part of a kernel
tree; and the packages as they are released, which it installs, uses and removes in a fresh
Debian (root only).

PLACE selects where to run (default: as above): host, files, a kernel of scripts/deps.sh
(5.10, 6.1, 6.12, 7.2, rt), debug, stress_sessions, stress_system, kcsan, arm64, smp16,
intree, packages, fleet (ClickHouse and DuckDB), structure (circles between source files,
long functions), fuzz. --all then selects the full set of tests in a kernel and in debug.

exit status: 0 all passed; 1 a test failed or, with CI set, ran nowhere; 2 wrong
usage; 3 a dependency could not be installed or the build failed.
END
}

# Without BTF, this machine has no BPF source; guests always have both sources.
host_sources() {
	[[ ! -e /sys/kernel/btf/vmlinux ]] || printf 'bpf'
}

run_on_host() {
	# shellcheck disable=SC2086 # names of programs
	as_root env FXT_REQUIRE="$(host_sources)" selftests/run.sh ${again:-$1} || true
}

# run_in_guest KERNEL CPUS [NODES [ISOLATED]]
run_in_guest() {
	local module groups only="" bpf="" bpf_tests="" bpf_parts
	local last=confidentiality_test	# it locks the guest down
	case ${all:+all}$1 in
	all*) groups="recordings stress" ;;
	"$session_kernel")
		groups="recordings hotplug_test" only=${host:+kmod}
		bpf="events_test groups_test block_test locks_test throttle_test"
		# Other tests of stacks are about options, which do not depend on the kernel.
		bpf_tests="stacks.long_sleeps_have_one_stack stacks.functions_that_block"
		bpf_tests+=" stacks.preempted_threads_have_stacks"
		# A host skips these.
		bpf+=" program_stacks_cpus_test timers_test"
		bpf_tests+=" errors.too_much_memory reuse.pid_max_wraps stream.vsock" ;;
	"$stress_kernel")
		groups="brief stress"
		# The host has run filters with BPF, which do not depend on the kernel.
		[[ -z $host ]] || groups="short stress"
		bpf="from_ftrace_test ftrace_test ftrace_order_test trigger_test"
		bpf+=" trigger_sleep_test waits_test waking_test" ;;
	"$cpus_kernel")
		groups="main class_limits_test locks_test" only=${host:+kmod}
		bpf_tests=groups_cpus.masks ;;
	"$nodes_kernel")
		groups="main stacks_test nodes_test" only=${host:+kmod}
		[[ -n $host ]] || groups+=" hog_test"
		bpf_tests="hog.all_along hog.is_blamed_alone hog.of_snapshots"
		bpf_tests+=" nodes.give_their_share" ;;
	*) groups="brief hog_test" ;;
	esac
	[[ -n $host ]] || bpf='' bpf_tests=''
	if [[ -n $again ]]; then
		groups="${again/ $last/} kernel_log.sh" only='' bpf='' bpf_tests=''
		[[ $again == *" $last"* ]] || last=
	fi
	# The programs of these tests.
	bpf_parts=$(tr ' ' '\n' <<<"$bpf_tests" | sed 's/[.].*/_test/' | uniq | paste -s -d ' ')
	if ! module=$("$here/build-module.sh" "$1"); then
		echo "not ok 0 the module was not built for kernel $1"
		return
	fi
	"$here/vm.sh" --kernel "$1" --smp "$2" --nodes "${3:-1}" --mem "$guest_memory" \
		${4:+--append "isolcpus=$4"} --timeout "$guest_timeout" -- \
		sh -c "insmod '$module' || exit
		       export FXT_GUEST=1 FXT_REQUIRE='kmod bpf' FXT_MODULE='$module'
		       export FXT_ONLY='$only'
		       selftests/run.sh $groups
		       status=\$?
		       [ -z '$bpf' ] || FXT_ONLY=bpf selftests/run.sh $bpf || status=1
		       [ -z '$bpf_parts' ] ||
		           FXT_ONLY=bpf FXT_TESTS='$bpf_tests' selftests/run.sh $bpf_parts || status=1
		       [ -z '$bpf$bpf_parts' ] || selftests/run.sh kernel_log.sh || status=1
		       [ -z '$last' ] || selftests/run.sh $last || status=1
		       exit \$status" ||
		((PIPESTATUS[0] == 1)) || echo "not ok 0 the guest ended early"
}

run_fuzzers() {
	echo "# program fuzz"
	"$here/fuzz.sh" "$fuzz_seconds" ||
		((PIPESTATUS[0] == 1)) || echo "not ok 0 the fuzzers could not be built"
}

# run_script GROUP OPTION...: scripts/check/GROUP.sh, which prints TAP and fetches its own
# dependencies.
run_script() {
	local group=$1
	shift
	echo "# program $group"
	"$here/check/$group.sh" "$@" || ((PIPESTATUS[0] == 1)) ||
		echo "not ok 0 check/$group.sh could not run"
}

run_fleet() {
	echo "# program fleet"
	"$here/fleet/test.sh" || ((PIPESTATUS[0] == 1)) ||
		echo "not ok 0 fleet/test.sh could not run"
}

run_debug() {
	echo "# program debug"
	"$here/check/debug.sh" "${1:-short}" || ((PIPESTATUS[0] == 1)) ||
		echo "not ok 0 check/debug.sh could not run"
}

# run PLACE: prints its TAP.
run() {
	case $1 in
	host) run_on_host recordings ;;
	files) run_on_host files ;;
	fuzz) run_fuzzers ;;
	fleet) run_fleet ;;
	debug) run_debug "${all:+debug}" ;;
	stress_sessions | stress_system | kcsan) run_debug "$1" ;;
	packages) run_script "$1" ${all:+all} ;;
	structure | arm64 | intree) run_script "$1" ;;
	smp16) guest_memory=6G run_in_guest 6.1 16 2 ;;
	# Interrupts for several CPUs at once need three; older kernels do not record them.
	"$cpus_kernel") run_in_guest "$1" 3 ;;
	"$nodes_kernel") run_in_guest "$1" 4 2 2 ;;
	*) run_in_guest "$1" 2 ;;
	esac
}

# run_lane SLOTS PLACE...: runs the places, SLOTS at a time.
run_lane() {
	local slots=$1 place done
	local -A running=()
	shift
	for place; do
		if ((${#running[@]} == slots)); then
			wait -n -p done "${!running[@]}" || true
			unset "running[$done]"
		fi
		say "testing: $place"
		(
			start=$SECONDS
			run "$place" >"$work/$place" 2>"$work/$place.err"
			keep_results "$place"
			say "tested: $place, $((SECONDS - start)) s"
		) &
		running[$!]=$place
	done
	wait
}

# run_places PLACE...: runs the host and guests, one for each CPU at a time, and beside them as many
# others, which take the time that guests wait, and less of the rest. Prints their output one after
# the other.
run_places() {
	local place
	local heavy=() light=()
	for place; do
		case $place in
		files | packages | fuzz | fleet | structure) light+=("$place") ;;
		*) heavy+=("$place") ;;
		esac
	done
	if ((${#heavy[@]} == 0)); then
		run_lane "$(nproc)" "${light[@]}"
	else
		run_lane "$(nproc)" "${heavy[@]}" &
		(
			renice -n "$(($(nice) + 5))" -p "$BASHPID" >/dev/null || true
			run_lane "$(nproc)" "${light[@]}"
		) &
		wait
	fi
	for place; do
		if [[ ! -e $work/results.$place ]]; then
			echo "not ok 0 $place ended before its results were kept" >>"$work/$place"
			keep_results "$place"
		fi
		echo "# place $place"
		cat -- "$work/$place"
		cat -- "$work/$place.err" >&2
	done
}

# One line a test: place, program, number, result and the rest of its TAP line; for a
# failed one also its last lines of output, with "said" as their result.
# "# program NAME" names the program of the following lines.
results_of() {
	awk -v place="$1" '
		/^# program / { program = $3; lines = 0; next }
		/^(not )?ok / {
			result = $1 == "not" ? "failed" : /# SKIP/ ? "skipped" : "passed"
			number = $1 == "not" ? $3 : $2
			test = place "\t" program "\t" number "\t"
			print test result "\t" $0
			for (i = lines > 8 ? lines - 8 : 0; result == "failed" && i < lines; i++)
				print test "said\t" said[i]
			lines = 0
			next
		}
		{ said[lines++] = substr($0, 1, 400) }'
}

# keep_results PLACE: for the verdict, and for scripts/check/matrix.sh, so that the results are
# kept even if a long run is interrupted.
keep_results() {
	local release dir
	release=$(sed -n 's/^# kernel //p' "$work/$1" | head -n 1)
	dir=$(cache_dir)/results
	results_of "$1" <"$work/$1" >"$work/results.$1"
	mkdir -p -- "$dir"
	{
		printf '# %s\t%s\n' "${release:-$(uname -r)}" \
			"$(git describe --always --dirty 2>/dev/null || echo unknown)"
		awk -F '\t' -v OFS='\t' '$4 != "said" { print $2, $3, $4 }' "$work/results.$1"
	} >"$dir/$1.tsv"
}

# unsettled PLACE: prints its programs that are worth another run, because a test failed, or with CI
# set because a test ran nowhere, for want of time, say. None after a program or a guest that did not
# end (number 0), or a warning of the kernel.
unsettled() {
	awk -F '\t' -v most="$retries" -v place="$1" -v ci="${CI:-}" '
		$4 == "passed" { good[$2 "\t" $3] = 1 }
		$1 != place { next }
		$4 == "failed" { programs[$2] = 1; grave += $3 == 0 || $2 == "kernel_log.sh" }
		$4 == "skipped" && ci != "" && !/FXT_(ONLY|TESTS)/ { skipped[$2 "\t" $3] = $2 }
		END {
			for (test in skipped)
				if (!(test in good))
					programs[skipped[test]] = 1
			for (program in programs)
				list = list " " program
			if (split(list, name, " ") <= most && !grave)
				print list
		}' "$work"/results.*
}

# try_again PLACE...: of each, the programs that are not settled, with nothing beside them.
try_again() {
	local place
	for place; do
		again=
		[[ $place != @(fuzz|fleet|packages|structure|arm64|intree|debug|stress_*|kcsan) ]] ||
			continue
		again=$(unsettled "$place")
		[[ -n $again ]] || continue
		say "testing again: $place:$again"
		echo "# again $place"
		run "$place" | tee "$work/again"
		results_of "$place" <"$work/again" >>"$work/retried"
	done
	again=
}

# judge RETRIED RESULTS...: prints the tests that did not pass, with the reason, and the counts.
# Program and number identify a test.
judge() {
	awk -F '\t' -v ci="${CI:-}" '
		FILENAME == ARGV[1] && $4 == "passed" {
			second[$1 "\t" $2 "\t" $3] = good[$2 "\t" $3] = 1
			next
		}
		# Other failures are those of the first run.
		FILENAME == ARGV[1] && ($4 != "failed" || $3 != 0 && $2 != "kernel_log.sh") { next }
		$4 == "failed" && $1 "\t" $2 "\t" $3 in second {
			passed++
			print "UNSTABLE  " $1 ": " $2 ": " $5 " (it passed alone)"
			next
		}
		$4 == "failed" {
			failed++
			bad[$2 "\t" $3] = 1
			print "FAILED  " $1 ": " $2 ": " $5
			next
		}
		$4 == "said" { print "        " $5; next }
		{ test = $2 "\t" $3 }
		$4 == "passed" { passed++; good[test] = 1; next }
		{ why[test] = $1 ": " $2 ": " $5 }
		END {
			for (test in why)
				if (!(test in good) && !(test in bad)) {
					skipped++
					print "SKIPPED " why[test]
				}
			printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
			exit failed > 0 || passed == 0 || (ci != "" && skipped > 0)
		}' "$@"
}

build() {
	say "building"
	# If there is a compiler cache, it serves all clones.
	if [[ -z ${CC:-} ]] && command -v ccache >/dev/null; then
		export CC="ccache gcc" CCACHE_NOHASHDIR=1
	fi
	{
		make -s -j"$(nproc)" collector bpf &&
			make -s -j"$(nproc)" modules KDIR="$("$here/deps.sh" --kdir)" &&
			make -s -j"$(nproc)" selftests
	} || die 3 "the build failed: the lines above say where"
}

# kernel_of PLACE: the name of its kernel in scripts/deps.sh.
kernel_of() {
	case $1 in
	host | files | structure | arm64 | intree | packages | fleet | fuzz) ;;
	debug | stress_*) echo debug ;;
	smp16) echo 6.1 ;;
	*) echo "$1" ;;
	esac
}

# Long ones first, so that no CPU is idle at the end.
choose_places() {
	(($# == 0)) || { places=("$@"); return; }
	places=("${kernels[@]:0:2}" files "${kernels[@]:2}" packages fuzz fleet structure)
	if [[ -n $all ]]; then
		places=(stress_sessions stress_system kcsan debug arm64 smp16 intree rt
			"${places[@]}")
	elif [[ -d $(kernel_dir debug) ]]; then
		places=(debug "${places[@]}")
	fi
}

# Dependencies that only the tests need.
fetch() {
	local place kernel
	[[ " ${places[*]} " != *" packages "* ]] || "$here/deps.sh" package || return
	"$here/deps.sh" html || return
	"$here/deps.sh" parquet || return
	"$here/deps.sh" firefox || return
	[[ " ${places[*]} " != *" fleet "* ]] || "$here/deps.sh" fleet || return
	for place in "${places[@]}"; do
		kernel=$(kernel_of "$place")
		[[ -z $kernel ]] || "$here/deps.sh" vm "$kernel" || return
	done
}

main() {
	case ${1-} in
	--all)
		all=yes guest_timeout=7200
		shift
		;;
	-h | --help) usage; exit 0 ;;
	-*) die 2 "$1: unknown option; see scripts/check.sh --help" ;;
	esac
	cd "$here/.."
	choose_places "$@"
	"$here/deps.sh" all || exit 3
	# The network is slow, and the compiler does not need it.
	fetch &
	build
	wait "$!" || exit 3

	work=$(mktemp -d)
	trap 'rm -rf -- "$work"' EXIT
	if (($# == 0)); then
		# Alone, because it records this machine.
		run_places host
		host=$(host_sources)
	fi
	run_places "${places[@]}"
	: >"$work/retried"
	if (($# == 0)); then
		try_again host
	fi
	try_again "${places[@]}"
	judge "$work/retried" "$work"/results.*
}

main "$@"
