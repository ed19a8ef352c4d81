#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs the tests that were built, one program after the other, and counts.
#
# In:  names of test programs and of groups: files (archives), recordings, and stress,
#      which needs a guest of its own (in two halves: stress_sessions, in which module,
#      collectors and sessions come and go, and stress_system, in which CPUs, processes
#      and memory do); without any, all that this machine is for; what they read from
#      the environment: FXT_REQUIRE, FXT_GUEST, FXT_FILES, FXT_COLLECT, FXT_MODULE,
#      FXT_STRESS.
# Out: their TAP, with "# program NAME" before each; last of all the line
#      "# totals passed N failed N skipped N". Exit status 1 if any failed.

cd "$(dirname "$0")" || exit 1
# What reads and writes archives is the same on every kernel, if not on every
# machine: FXT_FILES has it tested in a guest, too.
files="format_test records_test glob_test rename_rate_test units_test objects_test reader_test
       reader_limits_test plain_test content_test sources_test quick_test usual_test
       large_test malformed_test
       malformed_bits_test torn_test writer_test writer_words_test
       writer_limits_test sched_model_test sched_ledger_test sched_part_test
       sched_marks_test sched_known_test sched_unknown_test sched_waker_test
       sched_lives_test usual_model_test
       convert_lives_test
       out_test check_test check_perfetto_test check_match_test info_test dump_test dump_json_test dump_blob_test
       dump_names_test convert_test convert_objects_test
       convert_ftrace_test convert_fxt_test tables_test tables_records_test
       report_hist_test report_test
       report_names_test report_loss_test report_lives_test report_filter_test report_print_test
       report_json_test report_html_test cut_verb_test cut_others_test merge_test
       merge_others_test open_test command_line_test terminal_test result_test
       names_test names_proc_test relay_names_test
       host_test cut_test stitch_test counters_test counters_model_test instants_test lives_test
       output_test
       output_match_test output_room_test output_place_test output_old_test privilege_test
       library.sh
       package.sh html.sh unknown_kernel.sh"
recordings="types_test chunks_test chain_test ground_truth_test ledger_test both_test irq_test
	ftrace_test death_test errors_test verbs_test report_perf_test module_test
	filter_test filter_new_test flight_test trigger_test rotate_test reuse_test faults_test
	rights_test daily_test renames_test"
stress_sessions="stress_load_test stress_leak_test stress_kill_test stress_race_test"
stress_system="stress_hotplug_test stress_birth_test stress_buffer_test"
groups="recordings"
[ -n "$FXT_GUEST" ] && [ -z "$FXT_FILES" ] || groups="files $groups"
[ -z "$FXT_GUEST" ] || groups="$groups stress"

# What a group's programs leave in the kernel's log is looked at after them.
programs() {
	log=
	for name; do
		case $name in
		files) echo "$files" ;;
		recordings) echo "$recordings"; log=kernel_log.sh ;;
		stress) echo "$stress_sessions $stress_system"; log=kernel_log.sh ;;
		stress_sessions) echo "$stress_sessions"; log=kernel_log.sh ;;
		stress_system) echo "$stress_system"; log=kernel_log.sh ;;
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
