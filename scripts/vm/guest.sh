#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Process 1 of the guest, once the host's files are its root: prepares the environment of a booted
# system, runs the command, passes its results on, powers off.
#
# In:  the control share in /run/fxt-vm: config (ROOT, CACHE, KERNEL_DIR and OUT,
#      all paths of the host, and FOREIGN), command (a bash script); the 9p share
#      out; if FOREIGN is not empty, also the shares kernel and tree.
# Out: in the control share: started (the command has been started), output (its
#      standard output and error), dmesg.txt, and finally status (its exit status):
#      a guest without a status did not finish.

set -Eeuo pipefail

control=/run/fxt-vm
# shellcheck source=/dev/null
. "$control/config"
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin

give_up() {
	echo "vm/guest.sh: error: line $1 failed" >/dev/console
	busybox poweroff -f
}
trap 'give_up $LINENO' ERR

# Use one static program for every step of the start: under emulation that takes a fifth of the
# time of the host's own tools.
mount_at() {
	[[ -d $4 ]] || busybox mkdir -p -- "$4"
	busybox mount -t "$1" -o "$2" "$3" "$4"
}

# A kernel without one of these still runs the tests that do not need it.
mount_if_known() {
	local line
	while read -r line; do
		if [[ ${line##*[[:blank:]]} == "$1" ]]; then
			mount_at "$@"
		fi
	done </proc/filesystems
}

mount_system() {
	mount_at proc nosuid proc /proc
	mount_at sysfs nosuid sysfs /sys
	mount_at devtmpfs mode=755 dev /dev
	mount_at devpts gid=5,mode=620,ptmxmode=666 devpts /dev/pts
	mount_at tmpfs mode=1777 shm /dev/shm
	busybox ln -sfn /proc/self/fd /dev/fd
	busybox ln -sfn /proc/self/fd/0 /dev/stdin
	busybox ln -sfn /proc/self/fd/1 /dev/stdout
	busybox ln -sfn /proc/self/fd/2 /dev/stderr
	mount_if_known debugfs mode=700 debugfs /sys/kernel/debug
	mount_if_known tracefs mode=700 tracefs /sys/kernel/tracing
	mount_if_known securityfs nosuid securityfs /sys/kernel/security
	mount_if_known bpf mode=700 bpf /sys/fs/bpf
	mount_if_known cgroup2 nosuid cgroup2 /sys/fs/cgroup
}

# An empty /tmp in memory. If project and cache are below /tmp on the host, they are
# mounted at the same paths.
mount_tmp() {
	local keep kept=()
	busybox mkdir -p -- /run/keep
	for keep in "$ROOT" "$CACHE"; do
		[[ $keep == /tmp/* && -z $FOREIGN ]] || continue
		busybox mkdir -- "/run/keep/${#kept[@]}"
		busybox mount --bind "$keep" "/run/keep/${#kept[@]}"
		kept+=("$keep")
	done
	mount_at tmpfs mode=1777 tmp /tmp
	for keep in "${!kept[@]}"; do
		busybox mkdir -p -- "${kept[keep]}"
		busybox mount --move "/run/keep/$keep" "${kept[keep]}"
	done
}

# mount_share TAG PLACE: files of the host; the guest's changes stay in the guest.
mount_share() {
	local dir=/run/share/$1
	mount_at 9p trans=virtio,version=9p2000.L,msize=512000,cache=loose,ro "$1" "$dir/lower"
	busybox mkdir -- "$dir/upper" "$dir/work"
	mount_at overlay "lowerdir=$dir/lower,upperdir=$dir/upper,workdir=$dir/work" "$1" "$2"
}

# A guest of another architecture has its own root. The kernel, and the project as built
# for the guest, are mounted at the host's paths.
mount_foreign() {
	[[ -n $FOREIGN ]] || return 0
	mount_share kernel "$KERNEL_DIR"
	mount_share tree "$ROOT"
}

mount_modules() {
	local modules
	modules=/lib/modules/$(</proc/sys/kernel/osrelease)
	busybox mkdir -p -- "$modules"
	busybox mount --bind "$KERNEL_DIR/modules" "$modules"
	# The packages' own link is relative to the cache.
	busybox ln -sfn "$KERNEL_DIR/headers" "$modules/build"
}

# Copies files to the guest's memory, where opening them takes no request to the host: commands then
# start in about three quarters of the CPU time. A change of the mode makes the overlay copy
# a file; this one changes nothing.
copy_busy_files() {
	[[ -s $control/busy ]] || return 0
	local file
	while IFS= read -r file; do
		# The guest may not see one of them.
		[[ ! -e $file ]] || busybox chmod a+r "$file"
	done <"$control/busy"
}

# Mounted at the host's path, so that paths that the command prints are valid on the host.
# cache=mmap allows writable mappings and still writes through.
mount_out() {
	mount_at 9p trans=virtio,version=9p2000.L,msize=512000,cache=mmap \
		out "$OUT"
}

# Use a pipe, because `> /dev/stderr` in the command would truncate a file. A daemon that outlives
# the command keeps the pipe open, so limit the wait for its end.
run_command() {
	local status=0 reader
	busybox mkfifo /run/fxt-output
	cat /run/fxt-output >"$control/output" &
	reader=$!
	: >"$control/started"
	(
		trap - ERR
		cd -- "$ROOT"
		export OUT FXT_CACHE=$CACHE HOME=/root USER=root TERM=dumb LANG=C.UTF-8
		exec bash "$control/command"
	) </dev/null >/run/fxt-output 2>&1 || status=$?
	for _ in {1..40}; do
		kill -0 "$reader" 2>/dev/null || break
		sleep 0.05
	done
	dmesg >"$control/dmesg.txt" || true
	sync
	echo "$status" >"$control/status"
}

mount_system
mount_tmp
mount_foreign
mount_modules
copy_busy_files
mount_out
busybox hostname fxt-vm
busybox ifconfig lo 127.0.0.1 up
run_command
busybox poweroff -f
# Process 1 must not end before the machine is off.
sleep 60
