# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# TAP for scripts: each command is a test, with one line. Sourced by others of this
# folder, and by fleet/test.sh.
#
# In:  $work, a directory of the script's own.
# Out: TAP on standard output; $failed, the number of failures.

count=0
failed=0

# ok NAME COMMAND...: runs the command and prints a line of TAP; if it failed, also the end of its
# output. The command runs without set -e, so functions report failures with && and ||.
ok() {
	local name=$1
	shift
	count=$((count + 1))
	# shellcheck disable=SC2154 # the script's
	if "$@" >"$work/log" 2>&1; then
		echo "ok $count $name"
	else
		tail -n 60 "$work/log" | sed 's/^/# /'
		echo "not ok $count $name"
		failed=$((failed + 1))
	fi
}
