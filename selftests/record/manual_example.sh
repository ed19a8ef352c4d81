#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Copies the example out of the module's manual, compiles it and runs it.
#
# In:  kmod/fxt_sched.4; the loaded module.
# Out: TAP.
#
# The program sleeps while it records, so its thread must be in a switch-out, a wakeup and a
# switch-in.

cd "$(dirname "$0")/../.." || exit 1
echo "TAP version 13"
echo "1..1"
if [ ! -c /dev/fxt_sched ]; then
	case $FXT_REQUIRE in
	*kmod*) echo "not ok 1 manual_example: no /dev/fxt_sched" ;;
	*) echo "ok 1 # SKIP kmod: the module is not loaded" ;;
	esac
	exit 0
fi
if ! command -v cc >/dev/null; then
	echo "ok 1 # SKIP manual_example: no compiler here"
	exit 0
fi
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

example() {
	sed -n '/^\.Bd -literal$/,/^\.Ed$/{/^\.[BE]d/!p}' kmod/fxt_sched.4
}

run() {
	(cd "$dir" && exec ./example) &
	program=$!
	wait "$program"
}

# Print the number of words in the streams that are equal to the program's thread id.
mentions() {
	for stream in "$dir"/cpu*; do
		od -A n -v -t u8 -w8 "$stream"
	done | grep -c -x " *$program"
}

{
	example >"$dir/example.c" &&
		cc -Wall -Wextra -Werror -Iinclude/uapi -o "$dir/example" "$dir/example.c" &&
		run && [ "$(mentions)" -ge 3 ]
} >"$dir/log" 2>&1
status=$?
sed 's/^/# /' "$dir/log"
if [ "$status" -eq 0 ]; then
	echo "ok 1 manual_example"
else
	echo "# status $status, $(mentions) words of its records are its thread id"
	echo "not ok 1 manual_example"
fi
