#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The commands in collector/man/SKILL.md, run on archives.
#
# In:  its indented lines that begin with fxt or sqlite3; the programs as they are built.
# Out: TAP.
# Must hold: each command prints something, or writes its file, and ends with status 0. No member that
# jq prints is always null, as one that does not exist would be, except those of $may_be_null.

cd "$(dirname "$0")/../.." || exit 1
skill=$(realpath ../collector/man/SKILL.md)
tool=${FXT_TOOL:-../collector/fxt/fxt}
PATH=$(realpath "$(dirname "$tool")"):$PATH
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cp vectors/hog_all_along.fxt.zst "$dir/sched.fxt"
./generate sched 20000 2 >"$dir/before.fxt"
./generate sched 40000 2 >"$dir/after.fxt"
cd "$dir" || exit 1

may_be_null='["filtered", "idle_cpu", "by"]'

# Is there any output, and does it have values?
has_values()
{
	case $1 in
	*' -o '*)
		[ -s sched.db ] ;;
	*'jq -r'*)
		[ -s out ] && ! grep -qw null out ;;
	*jq*)
		jq -es --argjson except "$may_be_null" '
			([.. | objects | to_entries[]] | group_by(.key) |
			 map(select(all(.value == null)) | first.key) - $except == []) and
			([.. | arrays[]] | all(. != null)) and length > 0' out >/dev/null ;;
	*)
		[ -s out ] ;;
	esac
}

grep -E '^    (fxt|sqlite3) ' "$skill" >commands
echo "TAP version 13"
echo "1..$(wc -l <commands)"
number=0
while IFS= read -r command; do
	number=$((number + 1))
	name=$(echo "$command" | sed 's/^ *//; s/[#\\]/\\&/g')
	program=$(echo "$command" | sed -n 's/^ *sqlite3 .*/sqlite3/p; s/.*| \(jq\) .*/\1/p')
	if [ -n "$program" ] && ! command -v "$program" >/dev/null; then
		echo "ok $number # SKIP $program is not installed: $name"
		continue
	fi
	bash -o pipefail -c "$command" >out 2>err </dev/null
	status=$?
	if [ "$status" -eq 0 ] && has_values "$command"; then
		echo "ok $number $name"
	else
		sed 's/^/# /' err
		echo "not ok $number $name: status $status"
	fi
done <commands
