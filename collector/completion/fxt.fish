# SPDX-License-Identifier: GPL-2.0-or-later
#
# Completion of fxt for fish.

set -l verbs check info dump convert report cut merge symbolize open receive

# Is the command one of these?
function __fxt_verb
    set -l words (commandline -opc)
    set -l verb $words[2]
    test "$verb" = --no-pager; and set verb $words[3]
    contains -- "$verb" $argv
end

# Archives, and folders that may contain some.
function __fxt_archives
    __fish_complete_suffix .fxt .fxt.gz .fxt.zst .fxt.zstd
end

# Completes the last word of a list separated by commas.
function __fxt_list
    set -l before (string match -r '.*,' -- (commandline -ct | string replace -r '^--[a-z]*=' ''))
    printf '%s\n' $before$argv
end

set -l kinds metadata event object scheduling profiler provider_info provider_section \
    provider_event magic initialization string thread instant counter duration_begin \
    duration_end duration_complete async_begin async_instant async_end flow_begin flow_step \
    flow_end blob userspace_object kernel_object legacy_context_switch context_switch \
    thread_wakeup log large_blob large_blob_no_metadata module mmap backtrace unknown

complete -c fxt -f
complete -c fxt -n "not __fxt_verb $verbs help" -l version -d 'print the version'
complete -c fxt -n "not __fxt_verb $verbs help" -l no-pager -d 'no pager on a terminal'
complete -c fxt -s h -l help -d 'print the options'
for line in 'check:is the archive valid?' 'info:what is in it' 'dump:its records, one a line' \
        'convert:to other formats' 'report:who ran, who waited, and why' \
        'cut:a part of it, as an archive' 'merge:several as one' \
        'symbolize:names the functions of stacks' 'open:in Perfetto' \
        'receive:archives over the network' \
        'help:list the options of a command'
    set -l parts (string split -m 1 : -- $line)
    complete -c fxt -n "not __fxt_verb $verbs help" -a $parts[1] -d $parts[2]
end
complete -c fxt -n '__fxt_verb help' -a "$verbs"
complete -c fxt -n "__fxt_verb $verbs" -a '(__fxt_archives)'

set -l reading check info dump convert report cut merge symbolize
complete -c fxt -n "__fxt_verb $reading" -l format -x -a 2017 -d 'event types as first published'
complete -c fxt -n "__fxt_verb $reading" -l strict -d 'end at the first violation'
complete -c fxt -n "__fxt_verb $reading" -s q -l quiet -d 'no progress'

complete -c fxt -n '__fxt_verb check' -l only -x -a '(__fxt_list format sched perfetto)' -d 'only these classes'
complete -c fxt -n '__fxt_verb check' -l all -d 'each violation'
complete -c fxt -n '__fxt_verb check info' -l json -d 'one JSON object per archive and line'
complete -c fxt -n '__fxt_verb dump' -l json -d 'JSON lines'
complete -c fxt -n '__fxt_verb dump' -l blob -x -d 'the payload of BLOBs of this name'
complete -c fxt -n '__fxt_verb report' -l json -d 'one JSON object'
complete -c fxt -n '__fxt_verb dump report' -l no-pager -d 'no pager on a terminal'
complete -c fxt -n '__fxt_verb dump convert report cut merge symbolize' -l force -d 'replace any existing file'
complete -c fxt -n '__fxt_verb dump convert cut merge symbolize' -s o -l output -r -F -d 'output file'
complete -c fxt -n '__fxt_verb dump' -l type -x -a "(__fxt_list $kinds)" -d 'only these kinds'
complete -c fxt -n '__fxt_verb dump' -l tid -x -d 'only these threads'
complete -c fxt -n '__fxt_verb dump report' -l comm -x -d 'only threads with such names'
complete -c fxt -n '__fxt_verb dump report cut' -l from -x -d 'not before'
complete -c fxt -n '__fxt_verb dump report cut' -l to -x -d 'not after'
complete -c fxt -n '__fxt_verb dump report cut' -l pid -x -a '(__fish_complete_pids)' -d 'only these processes'
complete -c fxt -n '__fxt_verb dump report cut' -l cpu -x -d 'only these CPUs'
complete -c fxt -n '__fxt_verb convert' -l to -x -a 'json ftrace perfetto csv parquet sqlite fxt' -d format
complete -c fxt -n '__fxt_verb convert' -l from -x -a 'fxt json ftrace page trace.dat perf.data' -d 'format of the input'
complete -c fxt -n '__fxt_verb convert' -l with-ftrace -d 'json with ftrace text in it'
complete -c fxt -n '__fxt_verb convert' -l partition -d 'parquet as one archive of many'
complete -c fxt -n '__fxt_verb convert' -l raw-text -d 'csv without a guard against formulas'
complete -c fxt -n '__fxt_verb report' -l sort -x -a 'run share switches preempted migrations wakeups wait p99 max sleep uninterruptible name pid' -d order
complete -c fxt -n '__fxt_verb report' -l cgroup -x -d 'only threads of this cgroup, and below'
complete -c fxt -n '__fxt_verb report' -l top -x -d 'rows of each table'
complete -c fxt -n '__fxt_verb report' -l folded -d 'stacks for tools that draw flame graphs'
complete -c fxt -n '__fxt_verb report' -l html -r -F -d 'a page for browsers'
complete -c fxt -n '__fxt_verb merge' -l offset -x -d 'add to the times of a file'
complete -c fxt -n '__fxt_verb merge' -l clock -x -d 'the clock of the times of a file'
complete -c fxt -n '__fxt_verb merge' -l same-machine -r -F -d 'a trace whose threads the first file has'
complete -c fxt -n '__fxt_verb symbolize' -l debug -r -F -d 'separate debug files'
complete -c fxt -n '__fxt_verb open' -l port -x -d 'listen on this port'
complete -c fxt -n '__fxt_verb open' -l no-browser -d 'print the link only'
complete -c fxt -n '__fxt_verb open' -l any-user -d 'serve other users, too'
complete -c fxt -n '__fxt_verb receive' -s l -l listen -x -a 'tcp:// unix: vsock:' -d 'listen at this address'
complete -c fxt -n '__fxt_verb receive' -s o -l output -x -a '(__fish_complete_directories)' -d 'directory of the archives'
complete -c fxt -n '__fxt_verb receive' -s n -l count -x -d 'end after so many archives'
complete -c fxt -n '__fxt_verb receive' -l connections -x -d 'refuse more senders at the same time'
complete -c fxt -n '__fxt_verb receive' -l connections-each -x -d 'maximum number of them from one address'
complete -c fxt -n '__fxt_verb receive' -l idle -x -d 'silence after which a sender makes room: 1m'
complete -c fxt -n '__fxt_verb receive' -l tls-cert -r -d 'certificate of this receiver'
complete -c fxt -n '__fxt_verb receive' -l tls-key -r -d 'its key'
complete -c fxt -n '__fxt_verb receive' -l tls-ca -r -d 'authorities of senders'
complete -c fxt -n '__fxt_verb receive' -l max-plain -x -d 'the same without compression: 5G'
complete -c fxt -n '__fxt_verb receive' -l max-size -x -d 'end an archive that is larger: 500M, 2G'
complete -c fxt -n '__fxt_verb receive' -l timeout -x -d 'end a connection whose machine does not answer: 10s, 1m'
complete -c fxt -n '__fxt_verb receive' -s q -l quiet -d 'report errors only'
