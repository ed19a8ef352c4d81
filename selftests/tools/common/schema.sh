#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What commands print with --json, validated by python3-jsonschema: schema.py.
#
# In:  the programs as they are built; tests of tools, whose archives have all that a report can say;
#      FXT_PRINTED_JSON, a folder with what some of them have printed and an empty file for each (see
#      run.sh). Others run here. With --list: nothing runs, the names of these tests are printed.
# Out: TAP.
# Must hold: each object is valid by the JSON Schema of its command, which allows no other members.

cd "$(dirname "$0")/../.." || exit 1
fxt=${FXT_TOOL:-../collector/fxt/fxt}
# shellcheck disable=SC2046 # names
set -- "$@" $(grep -lE -- '"--json"|^CASES' tools/answers/*_test.c tools/report/*_test.c tools/dump/*_test.c |
	sed 's,.*/,,; s,\.c$,,')
if [ "$1" = --list ]; then
	shift
	echo "$*"
	exit 0
fi
echo "TAP version 13"
# Debian's, whatever else PATH has.
python=/usr/bin/python3
if ! $python -c "import jsonschema" 2>/dev/null; then
	echo "1..1"
	echo "ok 1 # SKIP no python3-jsonschema here; scripts/deps.sh test brings it"
	exit 0
fi
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
json=${FXT_PRINTED_JSON:-$dir/json}
mkdir -p "$json"

# keep COMMAND ARGUMENT...: keeps what a command prints with --json.
keep() {
	command=$1
	shift
	"$fxt" "$command" --json "$@" >>"$json/$command" 2>/dev/null
}

for program; do
	[ -e "$json/$program" ] || [ ! -x "$program" ] ||
		FXT_KEEP_JSON=$json "./$program" >/dev/null 2>&1
done
./generate all >"$dir/all.fxt"
./generate all no-large >"$dir/plain.fxt"
for kind in events stacks late raised moved trigger commanded requests; do
	./generate page $kind >"$dir/$kind.fxt"
done
for file in "$dir"/*.fxt vectors/*.[a-z]* vectors/fxt/*; do
	for command in report info check dump blame; do
		keep $command "$file"
	done
	keep why --worst 3 "$file"
	keep assert -e "p99(wait) < 1ms" -e "rate(switches) > 1" -e "max(sleep) < 1s" "$file"
done
for file in "$dir"/*.fxt; do
	keep report --all --cpu 0 "$file"
	keep diff "$dir/stacks.fxt" "$file"
done
for runs in 1 2 3 4 5; do
	./generate sched ${runs}000 2 >"$dir/a$runs"
	./generate sched ${runs}1000 2 >"$dir/b$runs"
done
keep diff "$dir"/a? -- "$dir"/b?
$python tools/common/schema.py "$fxt" "$json"
