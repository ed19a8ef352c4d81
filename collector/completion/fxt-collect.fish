# SPDX-License-Identifier: GPL-2.0-or-later
#
# Completion of fxt-collect for fish. The program knows the words: fxt-collect --complete.

function __fxt_collect_offers
    set -l words (commandline -opc)
    # Of --option=VALUE, what is before the value.
    set -l before (commandline -ct | string match -r '^--[a-z-]*='; or echo)
    set -l value (commandline -ct | string replace -r '^--[a-z-]*=' '')
    for line in ($words[1] --complete $words[2..] (commandline -ct) 2>/dev/null)
        switch $line
            case :files
                printf '%s\n' $before(__fish_complete_path $value)
            case :directories
                printf '%s\n' $before(__fish_complete_directories $value)
            case :archives
                __fish_complete_path $value |
                    string match -r '.*(?:/|\.fxt(?:\.gz|\.zstd?)?)(?:\t.*)?$'
            case ':command *'
                set -l first (math 2 + (string replace ':command ' '' -- $line))
                complete -C (string join -- ' ' (string escape -- $words[$first..]) (commandline -ct))
            case '*'
                echo $line
        end
    end
end

complete -c fxt-collect -f -a '(__fxt_collect_offers)'
