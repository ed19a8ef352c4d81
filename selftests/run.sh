#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs built test programs one after the other, and counts their results.
#
# In:  names of programs (NAME_test, tools/FOLDER/NAME.sh) and of groups:
#        quick            format, the model of threads and CPUs, reports, except the longest
#        files            archives: format, tools, collect
#        recordings       record and session
#        record           recordings, as far as they depend on the kernel
#        brief            record without its longest tests
#        short            brief without tests that hardly depend on the kernel
#        main             record's main job: switches, wakeups, events, answers
#        stress           both of the following; needs a guest
#        stress_sessions  module, collectors and sessions come and go
#        stress_system    CPUs, processes and memory come and go
#      Default: all groups that suit this machine. README.md explains the environment.
#      --list before them: run nothing, print the programs.
# Out: their TAP, with "# program NAME" before each; last the line
#      "# totals passed N failed N skipped N". Exit status 1 if any failed.

cd "$(dirname "$0")" || exit 1
# Programs are built from NAME_test.c and NAME.sh in these folders.
programs_in() {
	for folder; do
		ls "$folder"/*_test.c 2>/dev/null | sed 's,.*/,,; s,\.c$,,'
		ls "$folder"/*.sh 2>/dev/null
	done
}
# Tests of files do not depend on the kernel, so a guest skips them unless FXT_FILES
# is set: for guests of another architecture.
groups="recordings"
[ -n "$FXT_GUEST" ] && [ -z "$FXT_FILES" ] || groups="files $groups"
[ -z "$FXT_GUEST" ] || groups="$groups stress"

long='(chain|findings|flight|hog|ledger|neighbour|program_stacks|program_stacks_cpus'
long="$long|program_stacks_rare|reuse|verbs)_test|record/manual_example.sh"
# Tests that take long and hardly depend on the kernel: filters, triggers, and comparisons with the
# kernel's own tracer.
compared='(filter|from_ftrace|ftrace|ftrace_order|trigger|trigger_sleep|waits|waking)_test'
main='(answers|events.*|ground_truth|groups.*|irq|module)_test'
# The tools' tests of the model and of reports, without the programs that take seconds.
quick='(sched|report|usual|why|blame|diff|assert)_.*test'
large='(large|malformed_bits|reader_limits|sources)_test'

# Validates what the tests that it lists print, so it comes after them.
schema=tools/common/schema.sh

# Run nothing, print programs.
list=
if [ "$1" = --list ]; then
	list=yes
	shift
fi

# After a group of recordings, kernel_log.sh checks the kernel's log.
programs() {
	log=
	for name; do
		case $name in
		quick) { programs_in format; programs_in tools/* | grep -xE "$quick"; } |
			grep -vxE "$large" ;;
		files) programs_in format tools/* collect | grep -vxF "$schema"; echo "$schema" ;;
		recordings) programs_in record session; log=kernel_log.sh ;;
		stress) programs_in stress/sessions stress/system; log=kernel_log.sh ;;
		record) programs_in record; log=kernel_log.sh ;;
		brief) programs_in record | grep -vxE "$long"; log=kernel_log.sh ;;
		short) programs_in record | grep -vxE "$long" | grep -vxE "$compared"
			log=kernel_log.sh ;;
		main) programs_in record | grep -xE "$main"; log=kernel_log.sh ;;
		stress_sessions) programs_in stress/sessions; log=kernel_log.sh ;;
		stress_system) programs_in stress/system; log=kernel_log.sh ;;
		*) echo "$name" ;;
		esac
	done
	echo "$log"
}

# On a host, ignore older messages of the kernel; a guest's log is all ours.
if [ -z "$FXT_GUEST" ]; then
	read -r FXT_LOG_SINCE _ </proc/uptime
	export FXT_LOG_SINCE
fi
output=$(mktemp) || exit 1
trap 'rm -f "$output"' EXIT
passed=0 failed=0 skipped=0

# A program that ends before its plan is complete has failed. One awk, because a guest takes
# long to start a program.
count() {
	# shellcheck disable=SC2046 # numbers
	set -- "$1" $(awk '
		/^1\.\.[0-9]/ && !plan { plan = substr($1, 4) + 0 }
		/^ok .*# SKIP/ { skips++; next }
		/^ok / { oks++ }
		/^not ok / { fails++ }
		/^# status / { status = $3 }
		END {
			print plan == "" ? 1 : plan, oks + 0, fails + 0, skips + 0, status
		}' "$output")
	plan=$2 oks=$3 fails=$4 skips=$5
	if [ $((oks + fails + skips)) -lt "$plan" ]; then
		echo "not ok 0 $1 ended early, with status $6"
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
if [ -n "$list" ]; then
	printf '%s\n' "$@"
	exit 0
fi
json='' printing=''
case " $* " in
*" $schema "*)
	json=$(mktemp -d) || exit 1
	printing=" $("$schema" --list) " || exit 1 ;;
esac
trap 'rm -rf "$output" "$json"' EXIT
echo "# kernel $(uname -r)"
for program; do
	echo "# program $program"
	read -r begun _ </proc/uptime
	keep=
	case $printing in
	*" $program "*)
		: >"$json/$program"
		keep=FXT_KEEP_JSON=$json ;;
	esac
	{
		env ${keep:+"$keep"} FXT_PRINTED_JSON="$json" "./$program" 2>&1
		echo "# status $?"
	} | tee "$output"
	read -r ended _ </proc/uptime
	echo "# seconds $((${ended%.*} - ${begun%.*}))"
	count "$program"
done

echo "# totals passed $passed failed $failed skipped $skipped"
[ "$failed" -eq 0 ]
