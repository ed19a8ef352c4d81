#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs a command as root in a guest of its own: a cached Debian kernel in QEMU,
# without KVM, over the host's own files, which the guest sees but cannot change.
#
# In:  a command and its arguments, run in the project's root; its standard
#      input is empty, its environment is the guest's, not the caller's.
# Out: the command's output, live, on standard output; its exit status; with
#      --out also DIR/console.log, DIR/dmesg.txt and what it wrote to $OUT.
#
# arm64 is emulated likewise: there / is a root of Debian's arm64 packages, and the
# project is what scripts/build-arm64.sh made of it, at the same path.
#
# How: three 9p shares. hostroot is / (read-only); out is DIR; control is a
# directory of this run's own, through which the command goes in, and its output
# and status come out: what a dying guest had written is on the host by then.

set -euo pipefail

here=$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"

kernel=6.1
smp=2
mem=1G
append=
icount=()
out=
timeout=600

usage() {
	cat <<'END'
usage: scripts/vm.sh [OPTION...] -- COMMAND [ARGUMENT...]

  --kernel NAME      the cached kernel to boot (6.1; see scripts/deps.sh); arm64
                     wants scripts/build-arm64.sh to have been run
  --smp N            the guest's CPUs (2)
  --mem SIZE         the guest's memory, also for all it writes (1G)
  --append ARGS      more kernel parameters; may be repeated
  --icount           an instruction takes a nanosecond of the guest's time, and
                     idle time none of the host's: for what counts instructions
  --out DIR          keep what COMMAND writes to $OUT in DIR, and the guest's
                     console.log and dmesg.txt
  --timeout SECONDS  give up after that long, the boot included (600)

A COMMAND that is a single word with blanks in it is a line for sh -c.

exit status: COMMAND's own; 2 wrong usage; 3 no kernel or no QEMU; 125 the guest
did not boot, died or did not finish in time: standard error then has one line
that says so and the console's last lines; 130, 143 interrupted.
END
}

parse() {
	while (($# > 0)); do
		case $1 in
		-h | --help) usage; exit 0 ;;
		--) shift; break ;;
		--icount) icount=(-icount 'shift=0,sleep=off'); shift; continue ;;
		-*) (($# >= 2)) || die 2 "$1: unknown, or without its value; see scripts/vm.sh --help" ;;&
		--kernel) kernel=$2; shift 2 ;;
		--smp) smp=$2; shift 2 ;;
		--mem) mem=$2; shift 2 ;;
		--append) append+=" $2"; shift 2 ;;
		--out) out=$2; shift 2 ;;
		--timeout) timeout=$2; shift 2 ;;
		-*) die 2 "$1: unknown option; see scripts/vm.sh --help" ;;
		*) break ;;
		esac
	done
	(($# > 0)) || die 2 "no command to run in the guest; see scripts/vm.sh --help"
	[[ $timeout =~ ^[1-9][0-9]*$ ]] || die 2 "--timeout $timeout: give whole seconds"
	command=("$@")
}

prepare_host() {
	local tool
	emulator='qemu-system-x86_64'
	if is_foreign; then
		emulator='qemu-system-aarch64'
		tree=$(arm64_tree "$(dirname -- "$here")")
		[[ -d $tree ]] || die 3 "the project was not built for arm64; run scripts/build-arm64.sh"
	fi
	for tool in "$emulator" busybox cpio modprobe; do
		command -v "$tool" >/dev/null && continue
		"$here/deps.sh" vm "$kernel" || exit 3
	done
	[[ -d $(kernel_dir "$kernel") ]] || "$here/deps.sh" vm "$kernel" || exit 3
}

is_foreign() {
	[[ $kernel == arm64 ]]
}

work=
qemu=
tail=

# Whatever ends this script, the guest and the temporary directory end with it.
# shellcheck disable=SC2317 # the traps call it
clean_up() {
	if [[ -n $qemu ]]; then
		kill "$qemu" 2>/dev/null || true
		wait "$qemu" 2>/dev/null || true
	fi
	[[ -z $tail ]] || kill "$tail" 2>/dev/null || true
	[[ -z $work ]] || rm -rf -- "$work"
}

make_work_dir() {
	work=$(mktemp -d "${TMPDIR:-/tmp}/fxt-vm.XXXXXX")
	mkdir -- "$work/control"
	if [[ -n $out ]]; then
		mkdir -p -- "$out"
		out=$(realpath -- "$out")
		rm -f -- "$out/dmesg.txt"
		console=$out/console.log
	else
		out=$work/out
		mkdir -- "$out"
		console=$work/console.log
	fi
	: >"$console"
	: >"$work/control/output"
}

# The guest's bash reads both files: what bash quoted here comes out the same.
write_control() {
	local root
	root=$(dirname -- "$here")
	cp -- "$here/vm-guest.sh" "$work/control/guest.sh"
	printf '%s=%q\n' ROOT "$root" CACHE "$(cache_dir)" OUT "$out" \
		KERNEL_DIR "$(kernel_dir "$kernel")" \
		FOREIGN "$(! is_foreign || echo yes)" >"$work/control/config"
	if ((${#command[@]} == 1)) && [[ ${command[0]} == *[[:space:]]* ]]; then
		command=(sh -c "${command[0]}")
	fi
	printf 'exec %s\n' "${command[*]@Q}" >"$work/control/command"
}

# share TAG PATH OPTIONS: QEMU takes a comma in a path when it is doubled.
share() {
	printf 'local,mount_tag=%s,path=%s,security_model=none,multidevs=remap%s' \
		"$1" "${2//,/,,}" "$3"
}

# Unpacked if there is one: see unpack_vmlinux in deps-kernel.sh.
kernel_image() {
	local image
	image=$(kernel_dir "$kernel")/vmlinux
	[[ -e $image ]] || image=${image%x}z
	printf '%s\n' "$image"
}

# set_machine: what differs between the emulated machines. pauth-impdef
# takes a quick way to sign pointers; the proper one would double a guest's time.
# QEMU's TSC is one for all CPUs, which the kernel does not believe of a CPU that
# calls itself AMD: it would read the time from a slow emulated HPET instead.
# norandmaps: QEMU translates a program anew wherever it lies, so at the same place
# each time it starts in a third of the time.
set_machine() {
	local pc=pc	# unless the kernel wants another one
	parameters="loglevel=5 panic=-1 log_buf_len=4M norandmaps"
	machine=(-virtfs "$(share hostroot / ,readonly=on)")
	if is_foreign; then
		parameters+=" console=ttyAMA0"
		machine=(-machine 'virt,gic-version=max' -cpu 'max,pauth-impdef=on'
			-virtfs "$(share hostroot "$(arm64_root)" ,readonly=on)"
			-virtfs "$(share kernel "$(kernel_dir "$kernel")" ,readonly=on)"
			-virtfs "$(share tree "$tree" ,readonly=on)")
	else
		parameters+=" console=ttyS0 tsc=reliable"
		[[ ! -e $(kernel_dir "$kernel")/machine ]] || pc=$(<"$(kernel_dir "$kernel")/machine")
		machine+=(-machine "$pc" -cpu max)
	fi
}

# Level 5 lets warnings and all that is worse reach the console, and nothing
# else, because an emulated serial line is slow; the whole log is in dmesg.txt.
# One thread for all of the guest's CPUs: with one each, QEMU 7.2 can lock up a
# busy guest whose kernel patches its own code, and every tracepoint that is
# switched on or off is such a patch (ftrace does it as well as we do).
start_guest() {
	local initramfs
	initramfs=$("$here/vm-initramfs.sh" "$kernel")
	set_machine
	timeout -k 5 "$timeout" "$emulator" \
		"${machine[@]}" -accel tcg,thread=single "${icount[@]}" -smp "$smp" -m "$mem" \
		-nodefaults -no-user-config -display none -no-reboot \
		-serial "file:$console" \
		-kernel "$(kernel_image)" -initrd "$initramfs" \
		-append "$parameters$append" \
		-virtfs "$(share control "$work/control" '')" \
		-virtfs "$(share out "$out" '')" \
		</dev/null >"$work/qemu.log" 2>&1 &
	qemu=$!
	tail -c +1 -s 0.1 --pid="$qemu" -f "$work/control/output" 2>/dev/null &
	tail=$!
}

fail_guest() {
	local line=${command[*]//$'\n'/ }
	say "error: running '${line:0:80}' on kernel $kernel in QEMU: $1"
	# QEMU tells of the signal that ended it, too: that is not its own message.
	grep -v 'terminating on signal' "$work/qemu.log" >&2 || true
	say "the console's last lines:"
	tail -n 40 -- "$console" >&2
	exit 125
}

# The guest writes its status last: without one it did not finish.
judge() {
	local qemu_status=$1 status=
	[[ ! -s $work/control/status ]] || status=$(<"$work/control/status")
	if ((qemu_status == 124 || qemu_status == 137)); then
		fail_guest "not finished after $timeout s; look for a hang below, or raise --timeout"
	elif [[ -n $status ]]; then
		exit "$status"
	elif ((qemu_status != 0)); then
		fail_guest "QEMU failed with status $qemu_status; its own message follows"
	elif [[ -e $work/control/started ]]; then
		fail_guest "the guest died (a panic, a reset) before the command ended; see below"
	else
		fail_guest "the guest died before the command began; see below"
	fi
}

main() {
	local status=0
	parse "$@"
	prepare_host
	trap clean_up EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM HUP
	make_work_dir
	write_control
	start_guest
	wait "$qemu" || status=$?
	qemu=
	wait "$tail" || true
	tail=
	sed -i 's/\r$//' "$console"
	if [[ $console == "$out/console.log" && -e $work/control/dmesg.txt ]]; then
		cp -- "$work/control/dmesg.txt" "$out/dmesg.txt"
	fi
	judge "$status"
}

main "$@"
