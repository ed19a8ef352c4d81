#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Checks that the kernel has detected no fault during the tests. Run it last.
#
# In:  the kernel's log: with FXT_GUEST all of it, else what is not older than FXT_LOG_SINCE,
#      in seconds of uptime. The findings of kmemleak, if the kernel has it.
# Out: TAP, with the faults that were found as comments.

faults='WARNING: (CPU|[a-z])|BUG:|kernel BUG|Oops|KASAN|UBSAN|ODEBUG:|general protection'
faults="$faults|possible circular|possible recursive|inconsistent lock state"
faults="$faults|-safe -> [A-Z_]*-unsafe lock order|irq lock inversion"
faults="$faults|suspicious RCU|scheduling while atomic|sleeping function called"
faults="$faults|[Uu]nable to handle|Internal error:|stack-out-of-bounds|refcount_t:"
faults="$faults|list_(add|del) corruption"
leaks=/sys/kernel/debug/kmemleak

echo "TAP version 13"
echo "1..1"

if [ -z "$FXT_GUEST$FXT_LOG_SINCE" ]; then
	echo "ok 1 # SKIP a host's log tells of others too: run.sh knows where it was before"
	exit 4
fi
if ! log=$(dmesg 2>/dev/null); then
	echo "ok 1 # SKIP the kernel's log cannot be read"
	exit 4
fi

# Print the unreferenced objects that mention fxt: as the function that allocated them, while the
# module is loaded, or as fxt-collect. kmemleak reports an object when it is five seconds old and
# did not change between two scans.
find_leaks() {
	echo scan >"$leaks" && sleep 6 && echo scan >"$leaks" || return
	awk '
		function tell() { if (leak ~ /fxt/) printf "%s", leak }
		/^unreferenced object/ { tell(); leak = "" }
		{ leak = leak $0 "\n" }
		END { tell() }' "$leaks"
}

# Lines begin like "[   12.345678] text"; a log without such times is searched completely. The
# kernel has data races of its own; reports of ours name a function of fxt_sched. A test tries the
# gate of 32-bit system calls (error 0x802), which some kernels lack.
found=$(printf '%s\n' "$log" | awk -v since="${FXT_LOG_SINCE:-0}" '
	{ time = $0; sub(/^\[ */, "", time) }
	time + 0 >= since + 0 && (!/BUG: KCSAN:/ || /fxt/) &&
		!/traps: .* general protection fault .* error:802 in /' | grep -E "$faults")
# A locked-down kernel lets nobody write there.
if (: >"$leaks") 2>/dev/null; then
	found=$(printf '%s\n%s\n' "$found" "$(find_leaks)" | sed '/^$/d')
fi

if [ -z "$found" ]; then
	echo "ok 1 kernel_log"
	exit 0
fi
printf '%s\n' "$found" | sed 's/^/# /'
echo "not ok 1 kernel_log"
exit 1
