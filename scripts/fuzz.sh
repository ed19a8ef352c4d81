#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Fuzzes the reader, the receiver, the commands of fxt, and the code that reads ELF files to unwind
# stacks, with libFuzzer and the address and undefined-behaviour sanitizers.
#
# In:  seconds per target, and targets (default: all). Seeds are archives with every
#      record type from selftests/generate, and the inputs of selftests/fuzz/crashes,
#      which caused crashes in the past.
# Out: TAP, one line a target, with executions, coverage and corpus; the corpora
#      are kept in the cache, crashing inputs in selftests/fuzz/found.

set -euo pipefail

here=$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"

all_targets="reader receive cfi check info dump report why blame diff assert json ftrace perfetto csv parquet sqlite firefox fxt"
all_targets+=" cut merge symbolize from_json from_ftrace from_tracecmd from_perf from_perfetto from_page"
max_input=65536		# bytes
short=10		# seconds per target: the compiler would take longer than the fuzzers
clang=${CLANG:-clang}
linker=()

usage() {
	cat <<END
usage: scripts/fuzz.sh [--jobs N] [SECONDS [TARGET...]]

Builds each target and runs it for SECONDS (default: 10), N targets at a time (default: 1).
Targets: $all_targets

exit status: 0 no fault found; 1 a fault found; 2 wrong usage; 3 a target could not be
built.
END
}

compile=("$clang" -g -std=gnu11 -D_GNU_SOURCE "-DFXT_VERSION=\"fuzz\""
	-fno-sanitize-recover=undefined -I. -Iinclude -Iinclude/uapi -Icollector -Icollector/fxt
	-I/usr/include/traceevent -I/usr/include/tracefs -I/usr/include/trace-cmd
	-DFXT_HAS_TRACEEVENT -DFXT_HAS_TRACECMD -DFXT_HAS_LZMA -DFXT_HAS_BZIP2)

# choose_tools SECONDS: without optimization, all is compiled in a third of the time. If there is a
# compiler cache, it serves all clones; lld links in half the time.
choose_tools() {
	if (($1 < short)); then
		compile+=(-O0)
	else
		compile+=(-O1)
	fi
	if command -v ccache >/dev/null; then
		compile=(ccache "${compile[@]}")
		export CCACHE_NOHASHDIR=1
	fi
	! command -v ld.lld >/dev/null || linker=(-fuse-ld=lld)
}

# Builds all of fxt and fxt-receive except main(), once for all targets.
build_objects() {
	rm -rf -- "$dir/obj" "$dir/bin"
	mkdir -p -- "$dir/obj" "$dir/bin"
	# shellcheck disable=SC2016 # the inner shell's
	find collector/fxt collector/fxt-receive collector/lib* -name '*.c' ! -path '*/main.c' -print0 |
		xargs -0 -P "$(nproc)" -I '{}' sh -c '
			name=$(printf %s "$1" | tr / _)
			shift
			exec "$@" -o "$0/$name.o"
		' "$dir/obj" '{}' "${compile[@]}" -fsanitize=fuzzer-no-link,address,undefined -c '{}' ||
		die 3 "fxt could not be built for the fuzzers (see above)"
}

link() {
	local program=$1
	shift
	"${compile[@]}" -fsanitize=fuzzer,address,undefined "${linker[@]}" "$@" \
		-o "$dir/bin/$program" "selftests/fuzz/fuzz_$program.c" "$dir"/obj/*.o -lz -lisal -lzstd \
		-llzma -lbz2 -ldw -lelf -liberty -lcap -lseccomp -lsqlite3 -ljson-c \
		-lgnutls -lprotobuf-c -ltracecmd -ltracefs -ltraceevent -lm ||
		die 3 "the target $program could not be built (see above)"
}

# All commands are one program, which knows them by its name.
build_targets() {
	local target
	for target; do
		[[ " $all_targets " == *" $target "* ]] || die 2 "$target: unknown target"
		case $target in
		reader | receive | cfi) link "$target" ;;
		*)
			[[ -e $dir/bin/verb ]] || link verb -Wl,--wrap=import_run
			ln -sf verb "$dir/bin/$target"
			;;
		esac
	done
}

# Makes valid archives with every kind of record, which the fuzzer mutates.
make_seeds() {
	local seeds=$dir/seeds vector
	rm -rf -- "$seeds"
	mkdir -p -- "$seeds"
	selftests/generate all small >"$seeds/all"
	selftests/generate all small no-large >"$seeds/small"
	selftests/generate all small swapped >"$seeds/swapped"
	selftests/generate sched 400 3 >"$seeds/sched"
	gzip -nc <"$seeds/small" >"$seeds/gzip"
	zstd -qc <"$seeds/small" >"$seeds/zstd"
	xz -c <"$seeds/small" >"$seeds/xz"
	bzip2 -c <"$seeds/small" >"$seeds/bzip2"
	# Pairs for merge: two machines, and two parts of one recording.
	cat -- "$seeds/sched" "$seeds/small" >"$seeds/machines"
	collector/fxt/fxt cut --to +0.00005 -o "$seeds/part1" "$seeds/sched"
	collector/fxt/fxt cut --from +0.00005 -o "$seeds/part2" "$seeds/sched"
	cat -- "$seeds/part1" "$seeds/part2" >"$seeds/parts"
	cp selftests/vectors/go-writer.fxt "$seeds/"
	gzip -dc selftests/vectors/magic-trace.fxt.gz >"$seeds/magic-trace"
	truncate -s 12000 "$seeds/magic-trace"
	cp selftests/vectors/*.json "$seeds/"
	gzip -dc selftests/vectors/chromium.json.gz >"$seeds/chromium.json"
	# An archive whose events were converted from the Trace Event Format.
	collector/fxt/fxt convert -q --to fxt "$seeds/phases.json" >"$seeds/phases" || true
	cp selftests/vectors/ftrace*.txt "$seeds/"
	for vector in selftests/vectors/{trace,perf}*.gz; do
		gzip -dc "$vector" >"$seeds/$(basename -- "$vector" .gz)"
	done
	strip -o "$seeds/elf" selftests/block
	strip -g -o "$seeds/elf-symbols" selftests/block
	collector/fxt/fxt convert -q --to ftrace "$seeds/sched" >"$seeds/ftrace"
	collector/fxt/fxt convert -q --to perfetto "$seeds/sched" >"$seeds/perfetto"
	cp -- selftests/fuzz/crashes/* "$seeds/" 2>/dev/null || true
}

# Runs a target, and prints a line of TAP from the end of the fuzzer's log.
run_target() {
	local number=$1 target=$2 seconds=$3 log=$dir/$2.log status=0 corpus=$dir/corpus/$2
	local options=()
	mkdir -p -- "$corpus" selftests/fuzz/found
	# In another process, the libraries may try to allocate any size.
	case $target in
	from_tracecmd | from_perf) options=(-malloc_limit_mb=100000000) ;;
	esac
	"$dir/bin/$target" -max_len="$max_input" -max_total_time="$seconds" \
		-timeout=20 -report_slow_units=20 -rss_limit_mb=3000 -close_fd_mask=1 -print_final_stats=1 \
		-artifact_prefix="selftests/fuzz/found/$target-" "${options[@]}" \
		"$corpus" "$dir/seeds" >"$log" 2>&1 || status=$?
	local runs cov
	runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -n 1)
	cov=$(sed -n 's/.* cov: \([0-9]*\) ft: \([0-9]*\) corp: \([0-9]*\).*/cov \1 ft \2 corpus \3/p' "$log" | tail -n 1)
	if ((status == 0)); then
		echo "ok $number fuzz $target"
		echo "# fuzz $target: $seconds s, ${runs:-?} executions, ${cov:-no coverage}"
	else
		echo "not ok $number fuzz $target"
		grep -aE 'ERROR|runtime error|Assertion|#[0-9]+ 0x|Test unit written' "$log" |
			head -n 20 | sed 's/^/# /'
	fi
}

main() {
	local jobs=1 seconds number=0 target running=0
	if [[ ${1-} == --jobs ]]; then
		jobs=${2-}
		shift 2 || { usage >&2; exit 2; }
	fi
	case ${1-} in
	-h | --help) usage; exit 0 ;;
	esac
	seconds=${1-10}
	[[ $seconds =~ ^[0-9]+$ && $jobs =~ ^[1-9][0-9]*$ ]] || { usage >&2; exit 2; }
	shift || true
	# shellcheck disable=SC2086 # a list of names
	(($# > 0)) || set -- $all_targets
	cd "$here/.."
	dir=$(cache_dir)/fuzz
	make_seeds
	choose_tools "$seconds"
	build_objects
	build_targets "$@"
	echo "1..$#"
	for target; do
		number=$((number + 1))
		if ((running >= jobs)); then
			wait -n || true
			running=$((running - 1))
		fi
		run_target "$number" "$target" "$seconds" &
		running=$((running + 1))
	done
	wait
	! find selftests/fuzz/found -type f | grep -q .
}

main "$@"
