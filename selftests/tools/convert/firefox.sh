#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Profiles of fxt convert --to firefox, as the viewer's own reader sees them.
#
# In:  the programs as they are built; sqlite3 and jq; FXT_CACHE, where scripts/deps.sh firefox has
#      put profiler-cli, which contains the code that profiler.firefox.com reads profiles with.
# Out: TAP.
# Must hold: the reader has the threads of the archive, all markers, and the time of each CPU, as the
#      tables of --to sqlite have them.

cd "$(dirname "$0")/../.." || exit 1
fxt=${FXT_TOOL:-../collector/fxt/fxt}
cache=${FXT_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/fxt-sched}
cli=$cache/firefox/node_modules/@firefox-devtools/profiler-cli/dist/profiler-cli.js
export PROFILER_CLI_NO_SYMBOLICATE=1
echo "TAP version 13"

skip_all() {
	echo "1..1"
	echo "ok 1 # SKIP firefox: $1; scripts/deps.sh $2 brings it"
	exit 0
}

command -v sqlite3 >/dev/null || skip_all "no sqlite3 here" test
command -v jq >/dev/null || skip_all "no jq here" test
[ -e "$cli" ] || skip_all "no profiler-cli in $cache" firefox
node "$cli" --version >/dev/null 2>&1 || skip_all "this node does not run profiler-cli" firefox
dir=$(mktemp -d) || exit 1
mkdir "$dir/session" && export PROFILER_CLI_SESSION_DIR="$dir/session"
trap 'node "$cli" stop --all >/dev/null 2>&1; rm -rf "$dir"' EXIT
number=0 failed=0

# equal WHAT EXPECTED FOUND
equal() {
	number=$((number + 1))
	if [ -n "$2" ] && [ "$2" = "$3" ]; then
		echo "ok $number $1"
	else
		echo "not ok $number $1: expected $2, found $3"
		failed=1
	fi
}

# The reader is a server, which may begin late on a busy machine.
load() {
	node "$cli" load --session "$1" "$dir/$1.profile.json.gz" >/dev/null 2>&1
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		node "$cli" status --session "$1" >/dev/null 2>&1 && return
		sleep 1
	done
}

ask() {
	sqlite3 "$dir/$1.db" "$2"
}

compare() {
	"$fxt" convert -q -o "$dir/$1.profile.json.gz" "$dir/$1.fxt" 2>/dev/null
	"$fxt" convert -q -o "$dir/$1.db" "$dir/$1.fxt"
	load "$1"
	node "$cli" thread list --session "$1" --json --limit 0 >"$dir/$1.json" 2>&1
	equal "$1: threads" "$(ask "$1" "SELECT (SELECT count(*) FROM thread WHERE NOT is_idle OR utid IN
			(SELECT utid FROM thread_track)) + (SELECT count(DISTINCT cpu) FROM sched)")" \
		"$(jq -r .totalThreadCount "$dir/$1.json")"
	equal "$1: markers" "$(ask "$1" "SELECT (SELECT count(*) FROM thread_state) +
			(SELECT count(*) FROM slice) + (SELECT count(*) FROM counter) +
			(SELECT count(*) FROM log WHERE utid NOTNULL)")" \
		"$(jq '[.threads[].markerCount] | add' "$dir/$1.json")"
	equal "$1: time of CPUs" "$(ask "$1" "SELECT group_concat(ns, ' ') FROM (
			SELECT sum(iif(dur < 0, end_ts - ts, dur)) / 1000000 AS ns
			FROM sched, trace_bounds WHERE utid GROUP BY cpu ORDER BY cpu)")" \
		"$(jq -r '[.threads[] | select(.processName == "CPUs" and .cpuMs > 0)] |
			sort_by(.threadIndex) | map(.cpuMs | floor) | join(" ")' "$dir/$1.json")"
}

echo "1..6"
./generate sched 20000 3 >"$dir/sched.fxt"
./generate all >"$dir/all.fxt"
compare sched
compare all
exit "$failed"
