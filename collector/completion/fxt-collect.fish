# SPDX-License-Identifier: GPL-2.0-or-later
#
# Completion of fxt-collect for fish.

# Cgroups below the mount of version 2; if version 1 is mounted, that is next to it.
function __fxt_collect_cgroups
    set -l root /sys/fs/cgroup
    test -d $root/unified; and set root $root/unified
    set -l word (commandline -ct | string replace -r '^--cgroup=' '')
    for group in $root$word*/
        string replace -- $root '' $group
    end
end

# Groups, and the kernel's tracepoints after "tp:", for the last of a list.
function __fxt_collect_events
    set -l word (commandline -ct | string replace -r '^--events=' '')
    set -l before (string match -r '^.*,' -- $word)
    for group in irq migrate idle freq work task signal syscall ipi load throttle all none help tp:
        echo "$before"$group
    end
    if string match -q -r '(^|,)tp:[^,(]*$' -- $word
        for point in (sed -n '/^syscalls:/!s/.*:/tp:/p' /sys/kernel/tracing/available_events 2>/dev/null)
            echo "$before"$point
        end
    end
end

# Is the cursor still before COMMAND?
function __fxt_collect_options
    set -l words (commandline -opc)[2..]
    set -l takes_value -o --output --tls-cert --tls-key --tls-ca -M --metadata -d --duration --start-at -s --source -b --buffer -c --clock --weight \
        -e --events --stacks --stacks-min -C --cpus -p --pid --comm --cgroup --trigger --after \
        --snapshots -z --compress --rotate --keep --max-size --names --without --stats-json
    while set -q words[1]
        contains -- $words[1] --; and return 1
        if contains -- $words[1] $takes_value
            set -e words[1]
        else if not string match -q -- '-*' $words[1]
            return 1
        end
        set -e words[1]
    end
end

complete -c fxt-collect -f -n 'not __fxt_collect_options' -a '(__fish_complete_subcommand)'
complete -c fxt-collect -f -n __fxt_collect_options -a '(__fish_complete_command)'

set -l option complete -c fxt-collect -n __fxt_collect_options
$option -s o -l output -r -F -d 'write this archive, or send it to an address'
$option -l force -d 'replace it even if it is not an archive'
$option -s M -l metadata -x -d 'add KEY=VALUE to the description of the recording'
$option -s d -l duration -x -d 'stop after this time: 500ms, 10s, 2m'
$option -l start-at -x -d 'start at this time of the wall clock: /10s, @SECONDS'
$option -s s -l source -x -a 'auto kmod bpf' -d 'source of the records'
$option -s b -l buffer -x -d 'buffer per CPU: 512K, 16M'
$option -s c -l clock -x -a 'boot mono tsc' -d 'clock of the timestamps'
$option -l weight -x -a 'weight prio' -d 'weights of threads'
$option -s e -l events -x -a '(__fxt_collect_events)' -d 'record also events'
$option -l stacks -x -a 'offcpu preempt wake kernel user check offcpu,wake' -d 'record call stacks'
$option -l no-symbols -d 'do not name the functions of stacks'
$option -l stacks-min -x -d 'only of threads off the CPU for this time: 50us, 1ms, 0'
$option -s C -l cpus -x -d 'record only these CPUs: 0-3,8'
$option -s p -l pid -x -a '(__fish_complete_pids)' -d 'record only these processes'
$option -l comm -x -d 'record only threads with such names'
$option -l cgroup -x -a '(__fxt_collect_cgroups)' -d 'record only this cgroup'
$option -s F -l flight-recorder -d 'keep the newest records in memory'
$option -l trigger -x -a "'latency>' 'irq>' 'softirq>' 'runnable>'" -d 'write a snapshot on this event'
$option -l after -x -d 'continue for this time after the trigger'
$option -l snapshots -x -d 'stop after so many snapshots'
$option -s z -l compress -x -a 'zstd gzip' -d compress
$option -l rotate -x -a 'size= time=' -d 'start a new file'
$option -l keep -x -d 'keep only the newest segments'
$option -l tls-cert -r -d 'certificate of this sender'
$option -l tls-key -r -d 'its key'
$option -l tls-ca -r -d 'authorities of receivers'
$option -l max-size -x -d 'stop when the file reaches this size'
$option -l names -x -a 'comm cmdline' -d 'names of processes'
$option -l without -x -a 'counters instants host trigger perfetto-stacks' -d 'omit'
$option -l stats-json -r -F -d 'write the summary as JSON'
$option -l fail-on-loss -d 'end with status 7 if anything is missing'
$option -s q -l quiet -d 'print errors and losses only'
$option -s v -l verbose -d 'print progress'
$option -s h -l help -d 'print the help'
$option -s V -l version -d 'print the version'
