#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The kernel found nothing wrong with what the tests did to it: run last.
#
# In:  the kernel's log; FXT_GUEST: all of it is ours; else FXT_LOG_SINCE, seconds
#      of uptime: what is older is not looked at. What kmemleak finds, where the
#      kernel has it.
# Out: TAP, with the lines that were found as comments.

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

# Of the objects that nothing points to any more, those that mention us: the function
# that made it, while the module is loaded, or fxt-collect. One is told when it is
# five seconds old and did not change between two scans.
find_leaks() {
	echo scan >"$leaks" && sleep 6 && echo scan >"$leaks" || return
	awk '
		function tell() { if (leak ~ /fxt/) printf "%s", leak }
		/^unreferenced object/ { tell(); leak = "" }
		{ leak = leak $0 "\n" }
		END { tell() }' "$leaks"
}

# "[   12.345678] text": a log without such times is looked at as a whole. The
# kernel has data races of its own; those that are ours name a function of ours.
found=$(printf '%s\n' "$log" | awk -v since="${FXT_LOG_SINCE:-0}" '
	{ time = $0; sub(/^\[ */, "", time) }
	time + 0 >= since + 0 && (!/BUG: KCSAN:/ || /fxt/)' | grep -E "$faults")
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
