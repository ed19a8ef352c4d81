#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs the tests that were built, one program after the other, and counts.
#
# In:  names of test programs and of groups: files (archives), recordings (of them,
#      record is what depends on the kernel), and stress, which needs a guest of its
#      own (in two halves: stress_sessions, in which module, collectors and sessions
#      come and go, and stress_system, in which CPUs, processes and memory do); without
#      any, all that this machine is for; what they read from the environment:
#      FXT_REQUIRE, FXT_GUEST, FXT_FILES, FXT_COLLECT, FXT_MODULE, FXT_STRESS.
# Out: their TAP, with "# program NAME" before each; last of all the line
#      "# totals passed N failed N skipped N". Exit status 1 if any failed.

cd "$(dirname "$0")" || exit 1
# Programs are built from NAME_test.c and NAME.sh in these folders.
programs_in() {
	for folder; do
		for source in "$folder"/*_test.c; do
			source=${source##*/}
			echo "${source%.c}"
		done
		ls "$folder"/*.sh 2>/dev/null
	done
}
# What reads and writes archives is the same on every kernel, if not on every
# machine: FXT_FILES has it tested in a guest, too.
groups="recordings"
[ -n "$FXT_GUEST" ] && [ -z "$FXT_FILES" ] || groups="files $groups"
[ -z "$FXT_GUEST" ] || groups="$groups stress"

# kernel_log.sh looks afterwards at what a group left in the kernel's log.
programs() {
	log=
	for name; do
		case $name in
		files) programs_in format tools collect ;;
		recordings) programs_in record session; log=kernel_log.sh ;;
		stress) programs_in stress/sessions stress/system; log=kernel_log.sh ;;
		record) programs_in record; log=kernel_log.sh ;;
		stress_sessions) programs_in stress/sessions; log=kernel_log.sh ;;
		stress_system) programs_in stress/system; log=kernel_log.sh ;;
		*) echo "$name" ;;
		esac
	done
	echo "$log"
}

# What a host's kernel said of others before is not ours; a guest's log is.
if [ -z "$FXT_GUEST" ]; then
	read -r FXT_LOG_SINCE _ </proc/uptime
	export FXT_LOG_SINCE
fi
output=$(mktemp) || exit 1
trap 'rm -f "$output"' EXIT
passed=0 failed=0 skipped=0

# A program that ends before its plan has failed, whatever it said till then.
count() {
	plan=$(sed -n 's/^1\.\.\([0-9]*\).*/\1/p' "$output" | head -n 1)
	skips=$(grep -c '^ok .*# SKIP' "$output")
	oks=$(($(grep -c '^ok ' "$output") - skips))
	fails=$(grep -c '^not ok ' "$output")
	if [ $((oks + fails + skips)) -lt "${plan:-1}" ]; then
		echo "not ok 0 $1 ended early, with status $2"
		fails=$((fails + 1))
	fi
	passed=$((passed + oks)) failed=$((failed + fails)) skipped=$((skipped + skips))
}

# shellcheck disable=SC2046,SC2086 # lists of names
if [ $# -gt 0 ]; then
	set -- $(programs "$@")
else
	set -- $(programs $groups)
fi
echo "# kernel $(uname -r)"
for program; do
	echo "# program $program"
	begun=$(date +%s)
	{
		"./$program" 2>&1
		echo "# status $?"
	} | tee "$output"
	echo "# seconds $(($(date +%s) - begun))"
	count "$program" "$(sed -n 's/^# status //p' "$output" | tail -n 1)"
done

echo "# totals passed $passed failed $failed skipped $skipped"
[ "$failed" -eq 0 ]
