#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs a command as root in a new guest: a cached Debian kernel in QEMU, without KVM,
# over the host's own files, which the guest can read but not change.
#
# In:  a command and its arguments, run in the project's root; its standard
#      input is empty, its environment is the guest's, not the caller's.
# Out: the command's output, live, on standard output; its exit status; with
#      --out also DIR/console.log, DIR/dmesg.txt and the files that it wrote to $OUT.
#
# A guest for arm64 has a root of Debian's arm64 packages as /, and the build of
# scripts/build-arm64.sh as the project, at the same path.
#
# The guest has three 9p shares. hostroot is / (read-only); out is DIR; control is a directory of
# this run, through which the guest gets the command, and returns its output and status. So the
# output is on the host even if the guest dies.

set -euo pipefail

here=$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"

kernel=6.1
smp=2
nodes=1
mem=1G
append=
icount=()
out=
timeout=600

usage() {
	cat <<'END'
usage: scripts/vm.sh [OPTION...] -- COMMAND [ARGUMENT...]

  --kernel NAME      boot this cached kernel (default: 6.1; see scripts/deps.sh);
                     arm64 requires scripts/build-arm64.sh first
  --smp N            number of CPUs (default: 2)
  --nodes N          number of NUMA nodes, which share CPUs and memory evenly (default: 1)
  --mem SIZE         memory, which also holds the files that COMMAND writes (default: 1G)
  --append ARGS      add kernel parameters; may be repeated
  --icount           count instructions: each takes a nanosecond of the guest's time;
                     the guest's idle time takes none of the host's
  --out DIR          keep in DIR the files that COMMAND writes to $OUT, and the
                     guest's console.log and dmesg.txt
  --timeout SECONDS  give up after that time, including the boot (default: 600)

A COMMAND that is a single word with blanks is run by sh -c.

exit status: COMMAND's own; 2 wrong usage; 3 no kernel or no QEMU; 125 the guest
did not boot, died or did not finish in time: standard error then has the reason
and the last lines of the console; 130, 143 interrupted.
END
}

parse() {
	while (($# > 0)); do
		case $1 in
		-h | --help) usage; exit 0 ;;
		--) shift; break ;;
		--icount) icount=(-icount 'shift=0,sleep=off'); shift; continue ;;
		-*) (($# >= 2)) || die 2 "$1: unknown option or missing value; see scripts/vm.sh --help" ;;&
		--kernel) kernel=$2; shift 2 ;;
		--smp) smp=$2; shift 2 ;;
		--nodes) nodes=$2; shift 2 ;;
		--mem) mem=$2; shift 2 ;;
		--append) append+=" $2"; shift 2 ;;
		--out) out=$2; shift 2 ;;
		--timeout) timeout=$2; shift 2 ;;
		-*) die 2 "$1: unknown option; see scripts/vm.sh --help" ;;
		*) break ;;
		esac
	done
	(($# > 0)) || die 2 "no command to run in the guest; see scripts/vm.sh --help"
	[[ $nodes =~ ^[1-9][0-9]*$ ]] || die 2 "--nodes $nodes: not a number of nodes; use e.g. 2"
	[[ $timeout =~ ^[1-9][0-9]*$ ]] || die 2 "--timeout $timeout: not a number of seconds; use e.g. 600"
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

# End the guest and remove the temporary directory however this script ends.
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

# Prints the files that commands in a guest open all the time: the project's programs, the shells,
# some tools, and their libraries, as paths without symbolic links.
list_busy_files() {
	local root name files=()
	root=$(dirname -- "$here")
	for name in bash sh awk cat env rm sed sleep tee; do
		files+=("$(command -v "$name")")
	done
	for name in fxt fxt-collect fxt-open fxt-receive; do
		[[ ! -x $root/collector/$name/$name ]] || files+=("$root/collector/$name/$name")
	done
	{
		printf '%s\n' "${files[@]}"
		# One of them may be static.
		{ ldd "${files[@]}" 2>/dev/null || true; } |
			awk '$2 == "=>" { print $3 } NF == 2 { print $1 }'
	} | grep '^/' | xargs -d '\n' realpath -- | sort -u
}

# The guest's bash reads both files, so quoting by this bash is preserved.
write_control() {
	local root
	root=$(dirname -- "$here")
	cp -- "$here/vm/guest.sh" "$work/control/guest.sh"
	printf '%s=%q\n' ROOT "$root" CACHE "$(cache_dir)" OUT "$out" \
		KERNEL_DIR "$(kernel_dir "$kernel")" \
		FOREIGN "$(! is_foreign || echo yes)" >"$work/control/config"
	is_foreign || list_busy_files >"$work/control/busy"
	if ((${#command[@]} == 1)) && [[ ${command[0]} == *[[:space:]]* ]]; then
		command=(sh -c "${command[0]}")
	fi
	printf 'exec %s\n' "${command[*]@Q}" >"$work/control/command"
}

# share TAG PATH OPTIONS: QEMU requires commas in a path to be doubled.
share() {
	printf 'local,mount_tag=%s,path=%s,security_model=none,multidevs=remap%s' \
		"$1" "${2//,/,,}" "$3"
}

# Prints the unpacked image if there is one: see unpack_vmlinux in deps/kernel.sh.
kernel_image() {
	local image
	image=$(kernel_dir "$kernel")/vmlinux
	[[ -e $image ]] || image=${image%x}z
	printf '%s\n' "$image"
}

# set_machine: the differences between the emulated machines. pauth-impdef signs pointers
# with a fast algorithm; the architected one would double a guest's time.
# QEMU has one TSC for all CPUs, which the kernel does not trust on an AMD CPU: it
# would read the time from a slow emulated HPET instead.
# norandmaps: QEMU translates a program again at each new address, so programs start
# in a third of the time if they always have the same one.
# mitigations=off: the mitigations take a seventh of the emulated time.
# -erms, and clearcpuid=112 (REP_GOOD): QEMU repeats an instruction for each byte or word, so the
# kernel and the C library shall not use one to clear and copy memory; that would take twice the
# time.
# -la57: with five levels of page tables, QEMU looks addresses up in a table more.
# -smap,-smep: the kernel then need not allow itself each access to a program's memory. But 6.12 and
# the kernels with detectors have both, so that they find an access that the module makes by mistake.
# init_on_alloc=0 apparmor=0 audit=0: no test needs them, and they cost time at each allocation and
# system call.
# no_timer_check: on a busy host the timer may not tick in the short time that the kernel
# allows, and the kernel would panic.
set_machine() {
	local pc=pc	# unless the kernel requires another one
	local processor=max,-erms,-la57
	parameters="loglevel=5 panic=-1 log_buf_len=4M norandmaps"
	machine=(-virtfs "$(share hostroot / ,readonly=on)")
	if is_foreign; then
		parameters+=" console=ttyAMA0"
		machine=(-machine 'virt,gic-version=max' -cpu 'max,pauth-impdef=on'
			-virtfs "$(share hostroot "$(arm64_root)" ,readonly=on)"
			-virtfs "$(share kernel "$(kernel_dir "$kernel")" ,readonly=on)"
			-virtfs "$(share tree "$tree" ,readonly=on)")
	else
		parameters+=" console=ttyS0 tsc=reliable mitigations=off no_timer_check"
		parameters+=" clearcpuid=112 init_on_alloc=0 apparmor=0 audit=0"
		[[ ! -e $(kernel_dir "$kernel")/machine ]] || pc=$(<"$(kernel_dir "$kernel")/machine")
		case $kernel in
		5.10 | 6.1 | 7.2) processor+=,-smap,-smep ;;
		esac
		machine+=(-machine "$pc" -cpu "$processor")
	fi
}

# A node is a socket. QEMU requires that the nodes have all of the memory.
set_nodes() {
	local node mib cpus=$((smp / nodes))
	numa_options=()
	((nodes > 1)) || return 0
	((cpus * nodes == smp)) || die 2 "--nodes $nodes: does not divide --smp $smp"
	mib=$(($(numfmt --from=iec -- "$mem") / nodes >> 20))
	mem=$((mib * nodes))M
	numa_options=(-smp "$smp,sockets=$nodes")
	for ((node = 0; node < nodes; node++)); do
		numa_options+=(-object "memory-backend-ram,id=mem$node,size=${mib}M" -numa
			"node,nodeid=$node,memdev=mem$node,cpus=$((node * cpus))-$(((node + 1) * cpus - 1))")
	done
}

# With level 5, only warnings and errors are printed on the console, because an emulated serial
# line is slow; the whole log is in dmesg.txt.
# Use one thread for all of the guest's CPUs: with a thread for each, QEMU 7.2 can lock up a
# busy guest whose kernel patches its own code. Enabling or disabling a tracepoint is such a
# patch, for ftrace as well as for this module.
start_guest() {
	local initramfs
	initramfs=$("$here/vm/initramfs.sh" "$kernel")
	set_machine
	set_nodes
	timeout -k 5 "$timeout" "$emulator" \
		"${machine[@]}" -accel tcg,thread=single "${icount[@]}" -smp "$smp" "${numa_options[@]}" -m "$mem" \
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
	# Omit QEMU's message about the signal that ended it, because this script sent it.
	grep -v 'terminating on signal' "$work/qemu.log" >&2 || true
	say "last lines of the console:"
	tail -n 40 -- "$console" >&2
	exit 125
}

# The guest writes its status last; without a status it did not finish.
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
