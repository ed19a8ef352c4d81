#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Injects faults into a kernel that should detect them, and checks that kernel_log.sh,
# which runs after all tests, finds the report of each.
#
# In:  a set of faults; DIR with the modules that inject them: fxt_detectors.ko, or
#      fxt_sched.ko and, with a fault built in, ours-FAULT.ko. A disposable guest,
#      booted with kasan_multi_shot.
# Out: TAP, one test for each fault.

set=$1 dir=$2
here=$(cd "$(dirname "$0")" && pwd) || exit 1
collect=$here/../../collector/fxt-collect/fxt-collect
work=$(mktemp -d) || exit 1
cd "$work" || exit 1

# Names and reports of faults. The order matters: the first wrong order of locks disables
# lockdep, and so does any report of KASAN; the leak comes last, see commit().
faults_of() {
	case $1 in
	all)
		cat <<-'FAULTS'
		rcu_unlocked suspicious RCU usage
		atomic_sleep sleeping function called|scheduling while atomic
		preemptible_cpu using smp_processor_id.. in preemptible
		lock_inversion possible circular locking dependency
		free_active ODEBUG: free active .* timer_list
		init_active ODEBUG: init active .* timer_list
		free_work ODEBUG: free active .* (timer_list|work_struct)
		list_corruption list_del corruption
		out_of_bounds UBSAN: array-index-out-of-bounds
		shift UBSAN: shift-out-of-bounds
		slab_overrun KASAN: slab-out-of-bounds in slab_overrun
		use_after_free KASAN: .*use-after-free in use_after_free
		vmalloc_overrun KASAN: vmalloc-out-of-bounds in vmalloc_overrun
		stack_overrun KASAN: stack-out-of-bounds in stack_overrun
		leak (leak|detectors_init)[+].*fxt_detectors
		FAULTS
		;;
	races)
		echo 'race KCSAN: data-race in contend'
		;;
	ours)
		cat <<-'FAULTS'
		wake possible circular locking dependency
		leak fxt_session_(new|open)[+]
		FAULTS
		;;
	esac
}

uptime_now() {
	read -r now _ </proc/uptime
	echo "$now"
}

# record OPTION...: record enough to fill buffers and wake the reader.
record() {
	# shellcheck disable=SC2016 # the inner shell's
	"$collect" -q -s kmod -b 8K "$@" -o x.fxt -- \
		sh -c 'for i in $(seq 200); do /bin/true; done'
}

load() {
	insmod "$dir/$1.ko"
}

# A module of ours injects its fault while it is used. The fault "wake" would hang the guest
# if a thread really waited during the switch. So lockdep first learns from a correct module
# which locks a wakeup takes, and no thread waits when the faulty module wakes. kmemleak only
# knows the name of the leaking function while the module is loaded. Several recordings leak,
# because a stale pointer on a stack is enough to hide one leak.
commit() {
	case $set-$1 in
	ours-wake)
		load fxt_sched && record && rmmod fxt_sched &&
			load ours-wake && record -F && rmmod fxt_sched
		;;
	ours-leak) load ours-leak && record && record && record && record && record ;;
	*-leak) insmod "$dir/fxt_detectors.ko" "fault=$1" ;;
	*) insmod "$dir/fxt_detectors.ko" "fault=$1" && rmmod fxt_detectors ;;
	esac
}

# told FROM TO REPORT: did kernel_log.sh find the report? Its lines begin with "# "; lines about
# leaks have no time.
told() {
	awk -v from="$1" -v to="$2" '
		{ time = $0; timed = sub(/^# \[ */, "", time) }
		!timed || (time + 0 >= from + 0 && time + 0 < to + 0)' found | grep -E -q "$3"
}

faults_of "$set" >faults
while read -r name report; do
	# Separate the reports of this fault from earlier ones.
	sleep 0.2
	from=$(uptime_now)
	commit "$name" >said 2>&1 || { echo "# $name could not be injected:"; sed 's/^/# /' said; }
	printf '%s %s %s\n' "$name" "$from" "$(uptime_now)" >>spans
done <faults
FXT_GUEST=1 "$here/../kernel_log.sh" >found

echo "TAP version 13"
echo "1..$(wc -l <faults)"
count=0 failed=0
while read -r name report && read -r _ from to <&3; do
	count=$((count + 1))
	if told "$from" "$to" "$report"; then
		echo "ok $count the kernel finds: $set $name"
	else
		echo "# between $from and $to: no '$report'"
		echo "not ok $count the kernel finds: $set $name"
		failed=1
	fi
done <faults 3<spans
[ "$failed" -eq 0 ] || sed 's/^/# /' found
exit "$failed"
