#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The files of fxt convert --to parquet, as other programs read them: tools/convert/parquet_check.js.
#
# In:  the programs as they are built; FXT_CACHE, where scripts/deps.sh parquet has put
#      DuckDB, hyparquet and Arrow.
# Out: TAP.
# Must hold: the files have the rows of the CSV files, which tables_test compares with
#      SQLite.

cd "$(dirname "$0")/../.." || exit 1
fxt=${FXT_TOOL:-../collector/fxt/fxt}
cache=${FXT_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/fxt-sched}
modules=$cache/parquet/node_modules
echo "TAP version 13"

skip_all() {
	echo "1..1"
	echo "ok 1 # SKIP parquet: $1; scripts/deps.sh parquet brings it"
	exit 0
}

command -v node >/dev/null || skip_all "no node here"
[ -d "$modules/@duckdb/node-api" ] || skip_all "no DuckDB in $cache"
[ -d "$modules/hyparquet" ] || skip_all "no hyparquet in $cache"
[ -d "$modules/parquet-wasm" ] || skip_all "no parquet-wasm in $cache"
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

# tables NAME: converts the archive of that name to tables of both kinds.
tables() {
	"$fxt" convert -q --to csv --raw-text -o "$dir/$1.csv" "$dir/$1.fxt" &&
		"$fxt" convert -q --to parquet -o "$dir/$1.parquet" "$dir/$1.fxt"
}

# all: every kind of record. sched: several row groups. odd: names, numbers and nulls.
# random: row groups that end because of their bytes. empty: tables without rows.
if ! ./generate all >"$dir/all.fxt" || ! ./generate sched 130000 4 >"$dir/sched.fxt" ||
   ! ./generate sched 0 1 >"$dir/empty.fxt" ||
   ! node tools/convert/parquet_trace.js >"$dir/odd.json" ||
   ! "$fxt" convert -q -o "$dir/odd.fxt" "$dir/odd.json" ||
   ! node tools/convert/parquet_trace.js random >"$dir/random.json" ||
   ! "$fxt" convert -q -o "$dir/random.fxt" "$dir/random.json" ||
   ! tables all || ! tables sched || ! tables odd || ! tables random || ! tables empty; then
	echo "1..1"
	echo "not ok 1 the files cannot be made"
	exit 1
fi
node tools/convert/parquet_check.js "$modules" "$dir" "$fxt"
