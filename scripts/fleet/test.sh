#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests a fleet: loads the segments of 50 simulated hosts and of this machine into two ClickHouse
# servers, asks the questions of questions/ there and on DuckDB, and tests ship.sh and segments
# over TLS.
#
# In:  the programs as they are built; scripts/deps.sh fleet. As root on a machine with BTF it
#      records this machine.
# Out: TAP; as comments the rate of loading, bytes on disk, and the time of each question.

set -euo pipefail

here=$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$here/../lib.sh"
# shellcheck source-path=SCRIPTDIR source=../check/tap.sh
. "$here/../check/tap.sh"
# shellcheck source-path=SCRIPTDIR source=server.sh
. "$here/server.sh"
# shellcheck source-path=SCRIPTDIR source=test-ship.sh
. "$here/test-ship.sh"
# shellcheck source-path=SCRIPTDIR source=test-tls.sh
. "$here/test-tls.sh"

root=$(realpath -- "$here/../..")
fxt=$root/collector/fxt/fxt
generate=$root/selftests/generate
hosts=50
cycles=200
many=400000	# records in the archive that is used for measurements
work=

usage() {
	cat <<'END_USAGE'
usage: scripts/fleet/test.sh

Loads segments of 50 simulated hosts and of this machine into two ClickHouse servers, asks all
questions of questions/, and compares the answers with known ones, with fxt report of each
segment, and with DuckDB on Parquet files. Prints TAP, and measurements.

exit status: 0 all passed; 1 a test failed; 2 wrong usage; 3 a dependency is missing.
END_USAGE
}

client() {
	clickhouse-client --host 127.0.0.1 --port "${FXT_FLEET_SERVERS##*:}" -d fxt \
		--distributed_product_mode=local -q "$1"
}

# --- archives -------------------------------------------------------------------------------

make_archives() {
	local host day
	for ((host = 0; host < hosts; host++)); do
		for day in 0 1; do
			"$generate" fleet "$host" "$day" "$cycles" \
				>"$work/archives/host-$host-day-$day.fxt" || return
		done
	done
}

can_record() {
	((EUID == 0)) && [[ -e /sys/kernel/btf/vmlinux ]]
}

# A thread has a name that CSV has to quote. In a container, most threads have none.
record() {
	local odd status=0
	unshare --pid --fork --mount-proc "$root/collector/fxt-collect/fxt-collect" -q \
		--source=bpf -e irq,migrate -d 300ms -o "$work/archives/container.fxt" || status=$?
	perl -e '$0 = "odd,\"\nname"; select(undef, undef, undef, 0.05) while 1' &
	odd=$!
	"$root/collector/fxt-collect/fxt-collect" -q --source=bpf -e irq,migrate \
		--rotate time=1s -d 3s -o "$work/archives/here.fxt.zst" || status=$?
	kill "$odd"
	return "$status"
}

# recorded PID: waits for record(), which runs meanwhile.
recorded() {
	local status=0
	wait "$1" || status=$?
	cat -- "$work/recorded"
	return "$status"
}

container_lacks_names() {
	[[ $("$fxt" check --only sched "$work/archives/container.fxt") == *'[sched unnamed]'* ]] &&
		[[ $(client "SELECT count(*) > 0 FROM run WHERE thread = ''") == 1 ]]
}

odd_names_load() {
	[[ $(client "SELECT count(*) > 10 FROM run WHERE thread = 'odd,\"\\nname'") == 1 ]]
}

# Sorted by their checksums, so that neither time nor host is in order.
load_in_any_order() {
	find "$work/archives" -type f -exec cksum -- {} + | sort -n | cut -d ' ' -f 3- >"$work/list"
	xargs -d '\n' -a "$work/list" "$here/load.sh"
}

# --- what must not count ----------------------------------------------------------------------

# counts: prints numbers that would change if a segment counted twice.
counts() {
	local table valid="load IN (SELECT load FROM segment)"
	for table in run state slice; do
		client "SELECT '$table', count(*), sum(ts) FROM $table WHERE $valid"
	done
	client "SELECT 'queued', count(*), sum(ns) FROM queued WHERE $valid"
	client "SELECT 'segment', count(*), sum(start) FROM segment"
}

# stored: prints the number of rows, whether these count or not.
stored() {
	client "SELECT count(*) FROM run"
	client "SELECT count(*) FROM segment_all"
}

loading_again_changes_nothing() {
	{ counts; stored; } >"$work/before"
	cp -- "$work/archives/host-3-day-0.fxt" "$work/copy.fxt"
	"$here/load.sh" "$work/archives"/host-1*.fxt "$work/copy.fxt" "$work/copy.fxt" &&
		{ counts; stored; } >"$work/after" && diff "$work/before" "$work/after"
}

# Both loaders ask before either has loaded. Each switch begins a run, and on each CPU the first one
# may end another.
two_loaders_load_once() {
	local pids=() status=0 pid runs switches
	"$generate" fleet 60 0 100 >"$work/raced.fxt"
	for _ in 1 2; do
		"$here/load.sh" "$work/raced.fxt" &
		pids+=($!)
	done
	for pid in "${pids[@]}"; do wait "$pid" || status=1; done
	runs=$(client "SELECT count(*) FROM run WHERE host = 'fleet-060'
		AND load IN (SELECT load FROM segment)")
	switches=$(client "SELECT switches FROM segment WHERE host = 'fleet-060'")
	((status == 0)) && [[ $(client "SELECT count(*), sum(switches) FROM segment
		WHERE host = 'fleet-060'") == $'1\t'* ]] &&
		((runs >= switches && runs <= switches + 2)) && remove_host fleet-060
}

remove_host() {
	local server table
	for server in $FXT_FLEET_SERVERS; do
		for table in segment run state slice queued; do
			clickhouse-client --host 127.0.0.1 --port "${server##*:}" -d fxt -q \
				"ALTER TABLE ${table}_local DELETE WHERE host = '$1'" || return
		done
	done
	for ((try = 0; try < 100; try++)); do
		[[ $(client "SELECT count(*) FROM run WHERE host = '$1'") != 0 ]] || return 0
		sleep 0.1
	done
	return 1
}

# load.sh is killed before it writes to segment.
interrupted_loads_do_not_count() {
	counts >"$work/before"
	client "INSERT INTO run (load, host, day, hour, ts, dur) SELECT 1, host, day, hour, ts, dur
		FROM run WHERE host = 'fleet-001'" &&
		client "CREATE DATABASE fxt_load_1_2" &&
		counts >"$work/after" && diff "$work/before" "$work/after" &&
		"$here/load.sh" --clean || return
	for ((try = 0; try < 100; try++)); do
		[[ $(client "SELECT count(*) FROM run WHERE load = 1") != 0 ]] || break
		sleep 0.1
	done
	((try < 100)) && counts >"$work/after" && diff "$work/before" "$work/after" &&
		[[ $(client "SELECT count(*) FROM system.databases WHERE name = 'fxt_load_1_2'") == 0 ]]
}

damaged_are_rejected_and_kept() {
	local file status=0 bad=$work/bad
	mkdir -p -- "$bad"
	head -c 30000 "$work/archives/host-2-day-0.fxt" >"$bad/truncated.fxt"
	{
		head -c 30000 "$work/archives/host-2-day-0.fxt"
		head -c 800 /dev/zero | tr '\0' '\252'
		tail -c +30801 "$work/archives/host-2-day-0.fxt"
	} >"$bad/overwritten.fxt"
	echo "not an archive" >"$bad/text.fxt"
	: >"$bad/it's empty.fxt"
	"$generate" page >"$bad/without-host.fxt"
	counts >"$work/before"
	(cd -- "$bad" && md5sum -- * >"$work/sums" && "$here/load.sh" -- * 2>"$work/said") ||
		status=$?
	cat -- "$work/said"
	((status == 1)) || return
	for file in "$bad"/*; do
		grep -q -F "rejected ${file##*/}: " "$work/said" || return
	done
	counts >"$work/after" && diff "$work/before" "$work/after" &&
		(cd -- "$bad" && md5sum --quiet -c "$work/sums") &&
		[[ $(client "SELECT count(*), countIf(reason != '') FROM rejected") == $'5\t5' ]]
}

# The valid archives of a batch are loaded nevertheless.
good_ones_of_a_batch_load() {
	local status=0
	"$generate" fleet 61 0 100 >"$work/good.fxt"
	"$here/load.sh" "$work/bad/text.fxt" "$work/good.fxt" || status=$?
	((status == 1)) &&
		[[ $(client "SELECT count(*) FROM segment WHERE host = 'fleet-061'") == 1 ]] &&
		remove_host fleet-061
}

# --- answers --------------------------------------------------------------------------------

# Without limits, so that whole answers can be compared.
ask_all() {
	local file name
	mkdir -p -- "$work/questions" "$work/clickhouse"
	for file in "$here"/questions/*.sql; do
		name=$(basename -- "$file" .sql)
		sed '/^LIMIT /d' "$file" >"$work/questions/$name.sql"
		FXT_FLEET_QUESTIONS=$work/questions "$here/ask.sh" --tsv "$name" \
			>"$work/clickhouse/$name.tsv" || return
	done
}

# for_each COMMAND...: run it with each file of the list, on all CPUs.
for_each() {
	xargs -d '\n' -a "$work/list" -n 1 -P "$(nproc)" "$@"
}

report_all() {
	mkdir -p -- "$work/reports"
	# shellcheck disable=SC2016 # the inner shell's
	for_each sh -ec '
		"$0" report --json "$2" >"$1/${2##*/}.report.json"
		"$0" info --json "$2" >"$1/${2##*/}.info.json"' "$fxt" "$work/reports"
}

ask_duckdb() {
	for_each "$fxt" convert -q --to parquet --partition -o "$work/parquet" || return
	# There twice.
	"$fxt" convert -q --to parquet --partition -o "$work/parquet" "$work/copy.fxt" || return
	mkdir -p -- "$work/duckdb"
	node "$here/duckdb.js" "$(cache_dir)/parquet/node_modules" "$work/parquet" \
		"$work/duckdb" "$work/questions"/*.sql >"$work/duckdb.times"
}

compare() {
	node "$here/compare.js" "$@"
}

check_answers() {
	local file name
	for file in "$here"/questions/*.sql; do
		name=$(basename -- "$file" .sql)
		ok "$name: the known answer" compare known "$work/clickhouse" "$name" \
			"$hosts" "$cycles"
		# fxt report has no such sum.
		[[ $name == 05-* ]] ||
			ok "$name: the sum of fxt report" compare reports "$work/clickhouse" \
				"$name" "$work/reports"
		ok "$name: the answer of DuckDB" compare same "$work/clickhouse" "$name" \
			"$work/duckdb"
	done
}

# --- measurements -----------------------------------------------------------------------------

# bytes_in_engine: prints the bytes on the disks of all servers.
bytes_in_engine() {
	local server sum=0
	for server in $FXT_FLEET_SERVERS; do
		sum=$((sum + $(clickhouse-client --host 127.0.0.1 --port "${server##*:}" -q \
			"SELECT sum(bytes_on_disk) FROM system.parts
			 WHERE active AND database = 'fxt'")))
	done
	echo "$sum"
}

# server_ticks: prints the CPU time of all servers so far.
server_ticks() {
	local pid
	for pid in "${server_pids[@]}"; do
		sed 's/.*) //' "/proc/$pid/stat"
	done | awk '{ sum += $12 + $13 } END { print sum }'
}

# timed NAME COMMAND...: prints its duration, and the CPU time of the command and of the servers,
# on which other programs have less influence.
timed() {
	local name=$1 before TIMEFORMAT='%R %U %S'
	shift
	before=$(server_ticks)
	{ time "$@" >"$work/said" 2>&1; } 2>"$work/time" || { cat -- "$work/said" >&2; return 1; }
	awk -v name="$name" -v ticks="$(($(server_ticks) - before))" \
		-v hz="$(getconf CLK_TCK)" '{
			printf "# %-24s %.2f s, %.2f s of CPU time\n", name, $1, $2 + $3 + ticks / hz
		}' "$work/time"
}

print_figures() {
	local file name before switches
	"$generate" sched "$many" 4 >"$work/many.fxt"
	before=$(bytes_in_engine)
	timed "loading" "$here/load.sh" "$work/many.fxt"
	sed -n 's/^load.sh: .* rejected: /# /p' "$work/said"
	switches=$(client "SELECT sum(switches) FROM segment WHERE host = 'generator'")
	echo "# $((($(bytes_in_engine) - before) / switches)) bytes a switch with its wakeup," \
		"$(($(stat -c %s "$work/many.fxt") / switches)) in the archive"
	for file in "$here"/questions/*.sql; do
		name=$(basename -- "$file" .sql)
		timed "$name" "$here/ask.sh" --tsv "$name"
	done
	sed 's/^/# DuckDB: /; s/\t/ /; s/$/ s/' "$work/duckdb.times"
}

main() {
	case ${1-} in
	'') ;;
	-h | --help) usage; exit 0 ;;
	*) die 2 "$1: unknown argument; see scripts/fleet/test.sh --help" ;;
	esac
	[[ -x $(cache_dir)/fleet/usr/sbin/clickhouse-server ]] ||
		die 3 "no clickhouse-server in $(cache_dir)/fleet; scripts/deps.sh fleet brings it"
	[[ -x $fxt && -x $generate ]] || die 3 "fxt or selftests/generate is not built; run make selftests"
	work=$(mktemp -d)
	trap 'stop_servers; rm -rf -- "$work"' EXIT
	echo "TAP version 13"
	mkdir -p -- "$work/archives"
	if can_record; then
		record >"$work/recorded" 2>&1 &
		recording=$!
	fi
	ok "two servers start" start_servers 2
	ok "tables are created" "$here/load.sh" --create
	ok "segments of $hosts hosts are made" make_archives
	if can_record; then
		ok "segments of this machine are recorded" recorded "$recording"
	fi
	ok "segments load in any order" load_in_any_order
	if can_record; then
		ok "odd names load" odd_names_load
		ok "what a container recorded loads" container_lacks_names
	fi
	ok "loading again changes nothing" loading_again_changes_nothing
	ok "two loaders load a segment once" two_loaders_load_once
	ok "interrupted loads do not count" interrupted_loads_do_not_count
	ok "damaged archives are rejected and kept" damaged_are_rejected_and_kept
	ok "the good ones of a batch load" good_ones_of_a_batch_load
	ok "ClickHouse answers" ask_all
	ok "fxt report answers" report_all
	ok "DuckDB answers" ask_duckdb
	check_answers
	print_figures
	test_ship
	test_tls
	echo "1..$count"
	((failed == 0))
}

main "$@"
