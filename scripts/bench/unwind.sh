#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Measures what the BPF programs gain by walking stacks of the kernel themselves (bpf/frames.h)
# instead of by the kernel's unwinder (--stacks unwind).
#
# In:  repetitions, milliseconds of work; as work ping-pongs, hackbench, a build and a web server,
#      if they are installed; root.
# Out: a table of medians, kept by results.sh, and as JSON in a file if one is given.
#
# Three collectors record the same work at the same time: one without stacks, one that walks, and
# one that does not. So other work on this machine affects them equally. The kernel measures their
# programs (kernel.bpf_stats_enabled). The work runs twice: first the programs learn the sizes of
# frames, then it is measured. The programs of the collector that started first run first, and wait
# for memory that the others then find in the caches. So each repetition has both orders.

set -euo pipefail

here=$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$here/../lib.sh"
# shellcheck source-path=SCRIPTDIR source=results.sh
. "$here/results.sh"

stats=/proc/sys/kernel/bpf_stats_enabled
port=18749
clients=8
groups=4
declare -A titles=([pipe]="ping-pongs" [hackbench]="hackbench" [pipes]="hackbench -p"
	[build]="build" [web]="web server")
declare -A trial=([pipe]=10000 [hackbench]=50 [pipes]=50 [build]=1 [web]=2000)
declare -A amount=() pid=()
orders=("walk none unwind" "unwind none walk")
long=100us		# the default of --stacks-min

usage() {
	cat <<END
usage: scripts/bench/unwind.sh [--json FILE] [--ms MS] [--loads NAME,...] [REPETITIONS]

Records MS milliseconds of work (default: 2000), REPETITIONS times (default: 5), with
--stacks offcpu,wake: all of them, and those of sleeps of $long or more. Prints

  none     ns that the BPF programs take for a context switch, with all other programs
           that run meanwhile, if no stacks are recorded
  walk     the same with stacks, of which the programs walk those that they can
  unwind   the same with stacks that the kernel's unwinder finds
  gain     unwind relative to walk
  added    the same without none: what the stacks add

Loads: pipe, pipes, hackbench, build, web. pipe is ping-pongs on every CPU; hackbench uses
sockets, and pipes is hackbench -p; build compiles collector/libfxt; web is nginx and ab on this
machine. Loads whose programs are missing are omitted; scripts/deps.sh bench installs them.
Other work on this machine is recorded, too. Requires root and x86, where programs walk stacks.

exit status: 0 done, 1 a run failed, 2 wrong usage, 3 a program is missing; 130, 143
interrupted.
END
}

# --- work ---------------------------------------------------------------------------------

# A makefile that compiles some of this repository into that folder.
build_rules() {
	local source object rules=''
	for source in collector/libfxt/*.c; do
		object=$1/$(basename -- "$source" .c).o
		printf 'all: %s\n' "$object"
		rules+="$object: $source"$'\n\t@gcc -std=gnu11 -O2 -g -D_GNU_SOURCE'
		rules+=" -DFXT_VERSION='\"0\"' -I. -Iinclude -Iinclude/uapi -Icollector -c -o \$@ \$<"$'\n'
	done
	printf '%s' "$rules"
}

run_build() {
	local i
	for ((i = 0; i < $1; i++)); do
		rm -f -- "$work"/objects/*.o
		make -f "$work/rules" "-j$(nproc)" all
	done
}

web_config() {
	cat <<END
daemon off; master_process off; pid $work/nginx.pid; error_log $work/nginx.log;
events { }
http { access_log off; server { listen 127.0.0.1:$port; root $work/web; } }
END
}

run_web() {
	local server status=0 tries
	nginx -c "$work/nginx.conf" &
	server=$!
	for ((tries = 0; tries < 100; tries++)); do
		! ab -q -n 1 "http://127.0.0.1:$port/page" &>/dev/null || break
		sleep 0.05
	done
	ab -q -c "$clients" -n "$1" "http://127.0.0.1:$port/page" || status=$?
	kill "$server"
	wait "$server" || true
	return "$status"
}

run_load() {
	case $1 in
	pipe) selftests/pingpongs rounds "$2" ;;
	hackbench) hackbench -g "$groups" -l "$2" ;;
	pipes) hackbench -p -g "$groups" -l "$2" ;;
	build | web) "run_$1" "$2" ;;
	esac >/dev/null
}

# programs_of PID: the tag of each BPF program of that process, its ns and its runs.
programs_of() {
	# Files may be closed meanwhile.
	{ cat -- "/proc/$1/fdinfo/"* 2>/dev/null || true; } | awk '
		$1 == "prog_tag:" { tag = $2 }
		$1 == "run_time_ns:" { ns = $2 }
		$1 == "run_cnt:" && !seen[tag]++ { print tag, ns, $2 }'
}

# --- measuring ---------------------------------------------------------------------------

# start KIND MODE: starts a collector, into "pid".
start() {
	local options=() said=$work/said.$2 tries
	if [[ $2 != none ]]; then
		options=(--no-symbols --stacks "offcpu,wake")
		[[ $2 != unwind ]] || options=(--no-symbols --stacks "offcpu,wake,unwind")
		[[ $1 == long ]] || options+=(--stacks-min 0)
	fi
	: >"$said"
	collector/fxt-collect/fxt-collect -s bpf "${options[@]}" -o "$work/$2.fxt" &>"$said" &
	pid[$2]=$!
	for ((tries = 0; tries < 600; tries++)); do
		! grep -q '^fxt-collect: recording' "$said" || return 0
		sleep 0.05
	done
	die 1 "fxt-collect does not record: $(tail -n 1 "$said")"
}

# measure REPETITION LOAD KIND MODE...: prints the first three, the mode, and ns of the programs for
# a switch, for each mode. Of all programs, that of switches runs most often.
measure() {
	local which=$1 load=$2 kind=$3 mode
	shift 3
	for mode; do start "$kind" "$mode"; done
	run_load "$load" "${amount[$load]}"
	for mode; do programs_of "${pid[$mode]}" >"$work/before.$mode"; done
	run_load "$load" "${amount[$load]}"
	for mode; do programs_of "${pid[$mode]}" >"$work/after.$mode"; done
	kill -INT "${pid[@]}"
	wait "${pid[@]}" || true
	pid=()
	for mode; do
		printf '%s\t%s\t%s\t%s\t%s\n' "$which" "$load" "$kind" "$mode" "$(awk '
			NR == FNR { ns[$1] = $2; runs[$1] = $3; next }
			{ sum += $2 - ns[$1] }
			$3 - runs[$1] > most { most = $3 - runs[$1] }
			END { if (!most) exit 1; printf "%.0f", sum / most }
			' "$work/before.$mode" "$work/after.$mode")"
	done
	rm -f -- "$work"/*.fxt
}

# calibrate LOAD: finds the amount that keeps all CPUs busy for the requested time.
calibrate() {
	local cpu
	selftests/measure "$work/load" "$here/unwind.sh" --run "$work" "$1" "${trial[$1]}" ||
		die 1 "${titles[$1]} failed (see above); use --loads to omit it"
	read -r _ cpu _ <"$work/load"
	amount[$1]=$((trial[$1] * ms * 1000000 * $(nproc) / cpu + 1))
}

measure_all() {
	local i load kind order modes
	for load in "${loads[@]}"; do calibrate "$load"; done
	for ((i = 0; i < repetitions; i++)); do
		for load in "${loads[@]}"; do
			for kind in all long; do
				for order in "${orders[@]}"; do
					read -ra modes <<<"$order"
					measure "$i" "$load" "$kind" "${modes[@]}"
				done
			done
		done
	done
}

# Geometric means of both orders, then the ratios in a repetition, then their medians.
summarise() {
	local load list=
	for load in "${loads[@]}"; do list+="${titles[$load]};"; done
	awk -v loads="${loads[*]}" -v list="$list" -v most="$repetitions" \
		-v orders="${#orders[@]}" "$bench_awk"'
		function mean(i, load, kind, mode) {
			return exp(logs[i, load, kind, mode] / orders)
		}
		function compare(load, kind, i,	k, none, walk, unwind) {
			k = load FS kind FS
			none = mean(i, load, kind, "none")
			walk = mean(i, load, kind, "walk")
			unwind = mean(i, load, kind, "unwind")
			note(k "none", none)
			note(k "walk", walk)
			note(k "unwind", unwind)
			note(k "gain", unwind / walk)
			# Noise can exceed what rare stacks add.
			if (walk > none && unwind > none)
				note(k "added", (unwind - none) / (walk - none))
		}
		{ logs[$1, $2, $3, $4] += log($5) }
		END {
			print "load", "stacks", "ns_none", "ns_walk", "ns_unwind", "gain", "gain_added"
			print "ns for a switch", "stacks", "none", "walk", "unwind", "gain", "added"
			n = split(loads, load, " "); split(list, title, ";"); split("all long", kind, " ")
			for (j = 1; j <= n; j++)
				for (m = 1; m <= 2; m++) {
					for (i = 0; i < most; i++)
						compare(load[j], kind[m], i)
					k = load[j] FS kind[m] FS
					print title[j], m == 1 ? "all" : "'"$long"'",
						as("%.0f", median(k "none")), as("%.0f", median(k "walk")),
						as("%.0f", median(k "unwind")), as("%.2f", median(k "gain")),
						as("%.2f", median(k "added"))
				}
		}'
}

# --- command line ------------------------------------------------------------------------

# missing_of LOAD: prints the program that it lacks.
missing_of() {
	local name needs=()
	case $1 in
	hackbench | pipes) needs=(hackbench) ;;
	build) needs=(gcc make) ;;
	web) needs=(nginx ab) ;;
	esac
	for name in "${needs[@]}"; do
		command -v "$name" >/dev/null || echo "$name"
	done
}

find_loads() {
	local name missing
	loads=()
	for name in $wanted; do
		[[ -n ${titles[$name]-} ]] || die 2 "$name: unknown load; see scripts/bench/unwind.sh --help"
		missing=$(missing_of "$name")
		if [[ -n $missing ]]; then
			say "${titles[$name]} is omitted: $missing is not installed; run scripts/deps.sh bench"
		else
			loads+=("$name")
		fi
	done
	((${#loads[@]} > 0)) || die 3 "no load to measure: see above"
}

prepare_loads() {
	mkdir -- "$work/objects" "$work/web"
	build_rules "$work/objects" >"$work/rules"
	web_config >"$work/nginx.conf"
	head -c 4096 /dev/zero >"$work/web/page"
}

# shellcheck disable=SC2317 # the trap calls it
clean_up() {
	((${#pid[@]} == 0)) || kill -INT "${pid[@]}" 2>/dev/null || true
	wait || true
	echo "$stats_before" >"$stats"
	rm -rf -- "$work"
}

parse() {
	json='' ms=2000 repetitions=5 wanted="pipe pipes hackbench build web"
	while (($# > 0)); do
		case $1 in
		-h | --help) usage; exit 0 ;;
		--json) json=${2:?}; shift 2 ;;
		--ms) ms=${2:?}; shift 2 ;;
		--loads) wanted=${2//,/ }; shift 2 ;;
		*) repetitions=$1; shift; break ;;
		esac
	done
	if (($# > 0)) || ! bench_count "$repetitions" || ! bench_count "$ms"; then
		usage >&2
		exit 2
	fi
}

main() {
	case ${1-} in
	--run) work=$2; run_load "$3" "$4"; return ;;
	esac
	parse "$@"
	((EUID == 0)) || die 3 "recording the whole machine requires root; use sudo"
	[[ -z $json ]] || json=$(realpath -- "$json")
	cd "$here/../.."
	bench_needs collector/fxt-collect/fxt-collect selftests/{pingpongs,measure}
	find_loads
	work=$(mktemp -d)
	stats_before=$(<"$stats")
	trap clean_up EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM HUP
	echo 1 >"$stats"
	prepare_loads
	measure_all >"$work/runs"
	summarise <"$work/runs" >"$work/table"
	{
		bench_machine
		echo "$ms ms of work, $repetitions times, medians"
		bench_columns <"$work/table"
	} >"$work/text"
	bench_json machine "$(bench_machine)" ms "$ms" repetitions "$repetitions" \
		<"$work/table" >"$work/json"
	bench_keep unwind "$work" "$json"
}

main "$@"
