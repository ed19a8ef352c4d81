# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034,SC2154 # what it shares with host.sh
#
# Starts and queries the tracers that host.sh compares. Sourced by it.
#
# In:  $work, a folder; $work/out, an empty one for the tracer's output; a private
#      tracefs in $tracefs.
# Out: for each tracer a function that prints why it cannot be used (missing_NAME), and one
#      that records switches and wakeups of the whole machine while a command runs
#      (run_NAME COMMAND...). The latter writes to $work/tool the line of selftests/measure for each
#      of the tracer's processes, to $work/told the tracer's own counts "RECORDS LOST" (0 and "-":
#      unknown), and to $work/said its messages. It fails if anything failed.

tracefs=/sys/kernel/tracing
instance=$tracefs/instances/fxt-bench
ftrace_buffer_kb=4096	# per CPU, as fxt-collect's

# The names of tracers in functions and in tables. Some tracers start the command themselves, so
# their CPU time includes the command's.
tool_names=(empty_like empty fxt fxt_like fxt_zstd ftrace trace_cmd perf_record perf_sched perfetto
	wprof wprof_sched systing systing_sched)
stack_tool_names=(fxt fxt_stacks fxt_stacks_1ms perf_sched perf_stacks)
declare -A tool_titles=(
	[empty_like]="2 empty BPF programs"
	[empty]="3 empty BPF programs"
	[fxt]="fxt-collect, BPF"
	[fxt_like]="fxt-collect, like for like"
	[fxt_zstd]="fxt-collect, BPF, zstd"
	[fxt_stacks]="fxt-collect --stacks, all"
	[fxt_stacks_1ms]="fxt-collect --stacks, 1 ms"
	[ftrace]="ftrace, trace_pipe_raw"
	[trace_cmd]="trace-cmd record"
	[perf_record]="perf record"
	[perf_sched]="perf sched record"
	[perf_stacks]="perf sched record -g"
	[perfetto]="Perfetto"
	[wprof]="wprof"
	[wprof_sched]="wprof, switches, wakeups"
	[systing]="systing"
	[systing_sched]="systing, switches, wakeups")
declare -A tool_nested=([fxt]=1 [fxt_like]=1 [fxt_zstd]=1 [fxt_stacks]=1 [fxt_stacks_1ms]=1 [trace_cmd]=1
	[perf_record]=1 [perf_sched]=1 [perf_stacks]=1)

missing_command() {
	local name
	for name; do
		command -v "$name" >/dev/null || echo "$name is not installed"
	done
}

# Some kernels refuse to trace functions, and tools fail there even when they only clear
# the list of functions. In this namespace such writes go to another file.
open_tracefs() {
	local file
	[[ -d $tracefs/events ]] || mount -t tracefs tracefs "$tracefs" || return
	: >"$work/refused"
	for file in "$tracefs"/set_ftrace_* "$tracefs"/set_graph_*; do
		if [[ -e $file ]] && ! { : >>"$file"; } 2>/dev/null; then
			mount --bind "$work/refused" "$file"
		fi
	done
}

# of_stats FILE FIELD...: the sum of these fields of ftrace's statistics over all CPUs.
of_stats() {
	local file=$1
	shift
	awk -F ': ' -v fields="$(printf '%s;' "$@")" '
		index(fields, $1 ";") { sum += $2 }
		END { printf "%.0f\n", sum }' "$file"
}

# ftrace_told: records read and lost, from these statistics.
ftrace_told() {
	echo "$(of_stats "$work/stats" "read events") $(of_stats "$work/stats" \
		overrun "commit overrun" "dropped events")" >"$work/told"
}

# --- fxt-collect -----------------------------------------------------------------

missing_fxt() {
	[[ -e /sys/kernel/btf/vmlinux ]] || echo "this kernel has no BTF"
}

missing_fxt_like() {
	missing_fxt
}

missing_fxt_zstd() {
	missing_fxt
}

missing_fxt_stacks() {
	missing_fxt
}

missing_fxt_stacks_1ms() {
	missing_fxt
}

# fxt_number NAME: a number from the first level of the statistics.
fxt_number() {
	grep -o -m 1 "\"$1\":[0-9]*" "$work/stats.json" | head -n 1 | cut -d : -f 2
}

run_fxt_collect() {
	selftests/measure "$work/tool" collector/fxt-collect/fxt-collect -s bpf "${fxt_options[@]}" \
		--stats-json "$work/stats.json" -- "$@" &>"$work/said" || return
	echo "$(($(fxt_number switches) + $(fxt_number wakeups))) $(fxt_number lost)" >"$work/told"
}

run_fxt() {
	local fxt_options=(-o "$work/out/sched.fxt")
	run_fxt_collect "$@"
}

# What ftrace and Perfetto record: wakeups at sched_waking, and no weights.
run_fxt_like() {
	local fxt_options=(--wakeups waking --weight none -o "$work/out/sched.fxt")
	run_fxt_collect "$@"
}

run_fxt_zstd() {
	local fxt_options=(-z zstd -o "$work/out/sched.fxt.zst")
	run_fxt_collect "$@"
}

# Stacks of threads that slept, and of their wakers, in kernel and program.
run_fxt_stacks() {
	local fxt_options=(--stacks "offcpu,wake" --stacks-min 0 -o "$work/out/sched.fxt")
	run_fxt_collect "$@"
}

run_fxt_stacks_1ms() {
	local fxt_options=(--stacks "offcpu,wake" --stacks-min 1ms -o "$work/out/sched.fxt")
	run_fxt_collect "$@"
}

# --- ftrace, by its files ----------------------------------------------------------

# As many programs as fxt_like and fxt attach; their cost is the minimum with BPF.
missing_empty_like() { :; }

missing_empty() { :; }

run_empty_programs() {
	selftests/empty_programs "${tracepoints[@]}" -- "$@" &>"$work/said" || return
	echo 0 0 0 0 >"$work/tool"
	echo 0 - >"$work/told"
}

run_empty_like() {
	local tracepoints=(sched_switch sched_waking)
	run_empty_programs "$@"
}

run_empty() {
	local tracepoints=(sched_switch sched_waking sched_wakeup)
	run_empty_programs "$@"
}

missing_ftrace() {
	[[ -d $tracefs/instances ]] || echo "tracefs is not there, or has no instances"
}

# Uses its own instance, which is removed afterwards.
begin_ftrace() {
	mkdir -- "$instance" &&
		echo "$ftrace_buffer_kb" >"$instance/buffer_size_kb" &&
		echo 1 >"$instance/events/sched/sched_switch/enable" &&
		echo 1 >"$instance/events/sched/sched_waking/enable"
}

end_ftrace() {
	[[ ! -d $instance ]] || rmdir -- "$instance"
}

run_ftrace() {
	local reader status=0
	begin_ftrace &>"$work/said" || return
	selftests/measure "$work/tool" selftests/drain "$work/out" \
		"$instance"/per_cpu/cpu*/trace_pipe_raw &>"$work/said" &
	reader=$!
	"$@" &>>"$work/said" || status=$?
	echo 0 >"$instance/tracing_on"
	kill -TERM "$reader"
	wait "$reader" || status=$?
	cat -- "$instance"/per_cpu/cpu*/stats >"$work/stats"
	end_ftrace
	ftrace_told
	return "$status"
}

# --- trace-cmd -----------------------------------------------------------------------

missing_trace_cmd() {
	missing_command trace-cmd
}

run_trace_cmd() {
	selftests/measure "$work/tool" trace-cmd record -d -e sched:sched_switch -e sched:sched_waking \
		-o "$work/out/trace.dat" "$@" &>"$work/said" || return
	trace-cmd report --stat -i "$work/out/trace.dat" >"$work/stats" 2>>"$work/said" || return
	ftrace_told
}

# --- perf ----------------------------------------------------------------------------

missing_perf_record() {
	missing_command perf
}

missing_perf_sched() {
	missing_command perf
}

missing_perf_stacks() {
	missing_command perf
}

# Additional options for perf sched: some versions crash when they look for build ids of stacks.
perf_options=()

# perf only counts lost records when it reads its file again.
ask_perf() {
	local samples lost=0
	samples=$(sed -n 's/.*(~\{0,1\}\([0-9]*\) samples).*/\1/p' "$work/said" | tail -n 1)
	if grep -q -i lost "$work/said"; then
		lost=$(perf report --stdio -i "$1" 2>/dev/null |
			sed -n 's/^# Total Lost Samples: //p' | head -n 1)
	fi
	echo "${samples:-0} ${lost:-0}" >"$work/told"
}

run_perf_record() {
	selftests/measure "$work/tool" perf record -a -e sched:sched_switch,sched:sched_waking \
		-o "$work/out/perf.data" -- "$@" &>"$work/said" || return
	ask_perf "$work/out/perf.data"
}

run_perf_sched() {
	selftests/measure "$work/tool" perf sched record "${perf_options[@]}" \
		-o "$work/out/perf.data" -- "$@" &>"$work/said" || return
	ask_perf "$work/out/perf.data"
}

# The stacks of all its events, in kernel and program.
run_perf_stacks() {
	selftests/measure "$work/tool" perf sched record -g "${perf_options[@]}" -o "$work/out/perf.data" -- "$@" \
		&>"$work/said" || return
	ask_perf "$work/out/perf.data"
}

# --- Perfetto --------------------------------------------------------------------------

missing_perfetto() {
	[[ -d $(cache_dir)/perfetto ]] || echo "it is not in the cache: scripts/deps.sh bench fetches it"
}

# As in Perfetto's own recipes for scheduling, but with larger buffers, because this load
# fills them between two reads: with 4 MiB many records were lost.
perfetto_config() {
	cat <<'END_OF_CONFIG'
buffers { size_kb: 65536 fill_policy: RING_BUFFER }
write_into_file: true
file_write_period_ms: 1000
data_sources { config {
	name: "linux.ftrace"
	ftrace_config {
		ftrace_events: "sched/sched_switch"
		ftrace_events: "sched/sched_waking"
		buffer_size_kb: 16384
		drain_period_ms: 100
		compact_sched { enabled: true }
	}
} }
END_OF_CONFIG
}

# start_perfetto: starts its three processes, in $readers, of which the last writes the
# trace; all are ready when this returns.
start_perfetto() {
	local bin
	bin=$(cache_dir)/perfetto/bin
	export PERFETTO_PRODUCER_SOCK_NAME=$work/producer PERFETTO_CONSUMER_SOCK_NAME=$work/consumer
	selftests/measure "$work/reader.traced" "$bin/traced" &>"$work/said" &
	readers=($!)
	for _ in {1..100}; do
		[[ ! -S $work/producer || ! -S $work/consumer ]] || break
		sleep 0.05
	done
	selftests/measure "$work/reader.probes" "$bin/traced_probes" &>>"$work/said" &
	readers+=($!)
	perfetto_config >"$work/perfetto.cfg"
	rm -f -- "$work/ready"
	mkfifo -- "$work/ready"
	selftests/measure "$work/reader.perfetto" "$bin/perfetto" --notify-fd 3 --txt \
		-c "$work/perfetto.cfg" -o "$work/out/trace.pftrace" 3>"$work/ready" &>>"$work/said" &
	readers+=($!)
	# Perfetto sends a byte, 0 on success.
	[[ $(timeout 30 od -A n -t u1 -N 1 <"$work/ready") =~ ^\ *0$ ]]
}

run_perfetto() {
	local readers=() status=0
	rm -f -- "$work"/reader.* "$work"/{producer,consumer}
	start_perfetto || status=1
	((status != 0)) || "$@" &>>"$work/said" || status=$?
	kill -TERM "${readers[2]}"
	wait "${readers[2]}" || true
	kill -TERM "${readers[@]:0:2}"
	wait "${readers[@]:0:2}" || true
	((status == 0)) || return "$status"
	cat -- "$work"/reader.* >"$work/tool"
	selftests/perfetto_stats "$work/out/trace.pftrace" >"$work/told" 2>>"$work/said"
}

# --- wprof, systing --------------------------------------------------------------------

# Both are BPF programs with a process that writes for a given time, or until SIGINT. Their messages
# about records and losses differ between versions, so these are not counted. They do not report
# when they are ready.

missing_wprof() {
	missing_command wprof
}

missing_wprof_sched() {
	missing_command wprof
}

missing_systing() {
	missing_command systing
}

missing_systing_sched() {
	missing_command systing
}

# attached_of PID: prints the number of places to which its BPF programs are attached.
attached_of() {
	grep -l -s -E '^(link_type|prog_tag):' "/proc/$1/fdinfo/"* | wc -l
}

# await_attached PID: waits until it has attached BPF programs, and no longer attaches more.
await_attached() {
	local before=0 now tries
	for ((tries = 0; tries < 120; tries++)); do
		sleep 0.25
		[[ -d /proc/$1 ]] || return 1
		now=$(attached_of "$1")
		((now == 0 || now != before)) || return 0
		before=$now
	done
	return 1
}

# child_of PID: the process that it has started.
child_of() {
	local child=
	while [[ -z $child && -d /proc/$1 ]]; do
		sleep 0.05
		child=$(cat -- "/proc/$1/task/$1/children" 2>/dev/null) || true
	done
	echo "${child%% *}"
}

# until_interrupted TOOL... -- COMMAND...: COMMAND while TOOL records.
until_interrupted() {
	local tool=() measure pid status=0
	while [[ $1 != -- ]]; do
		tool+=("$1")
		shift
	done
	shift
	selftests/measure "$work/tool" "${tool[@]}" &>"$work/said" &
	measure=$!
	pid=$(child_of "$measure")
	await_attached "$pid" || status=1
	((status != 0)) || "$@" &>>"$work/said" || status=$?
	kill -INT "$pid" || status=1
	wait "$measure" || status=$?
	echo "0 -" >"$work/told"
	return "$status"
}

wprof_options=(-d 3600000 -D wprof.data -T trace.pb)

run_wprof() {
	until_interrupted env -C "$work/out" wprof "${wprof_options[@]}" -- "$@"
}

run_wprof_sched() {
	until_interrupted env -C "$work/out" wprof "${wprof_options[@]}" --no-stacks=all -- "$@"
}

run_systing() {
	until_interrupted env -C "$work/out" systing --duration 3600 -- "$@"
}

run_systing_sched() {
	until_interrupted env -C "$work/out" systing --duration 3600 --only-recorder sched -- "$@"
}
