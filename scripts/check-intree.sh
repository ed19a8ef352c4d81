#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The tracer as a part of the kernel: put into the tree of Debian's linux-source-6.1,
# built there as a module and built in, held against checkpatch.pl and sparse, run
# as any kselftest in a guest of that very kernel, and taken out again.
#
# In:  the source tree; the cache of scripts/deps.sh.
# Out: TAP; in the cache intree/VERSION, the kernel's tree and what was built of
#      it, and kernels/intree, which vm.sh boots.
#
# The first run unpacks and builds a kernel, which takes a while.

set -euo pipefail

here=$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"

source=linux-source-6.1
jobs=$(nproc)
# Those that ask the kernel for something; the others ran on the host, as kselftest.
guest_tests=(module_test chain_test ledger_test filter_test flight_test death_test kernel_log.sh)
work=
count=0
failed=0

# What checkpatch.pl is not asked about, and why. Kernel files and headers: nothing.
#
# Programs for BPF: read-only globals are "const volatile" (libbpf's rule), names of
# fields are arguments of macros (CO-RE), and the kernel's __aligned() is not there;
# such a global is not an extern.
not_for_bpf=VOLATILE,MACRO_ARG_REUSE,MACRO_ARG_PRECEDENCE,PREFER_DEFINED_ATTRIBUTE_MACRO,AVOID_EXTERNS
# Tests: texts that are compared with are laid out as they are read, one line each,
# PRIu64 or not; the macros are those of the harness and lists that expand an X, and
# FIXTURE_DATA(name) *self is no product; what belongs to a macro of a short name is
# aligned with it; names in capitals and lower case are libc's and zlib's; BIT() and
# __packed are the kernel's; ASSERT_EQ() wants braces around it; sscanf() is asked
# for what it returns by EXPECT_EQ(); a command's arguments are no constants; a
# signal handler wants volatile, and ENOSYS is an answer that is tested.
not_for_tests=SPLIT_STRING,MISSING_SPACE,STRING_FRAGMENTS,CONCATENATED_STRING,LONG_LINE_STRING
not_for_tests+=,LONG_LINE,MACRO_ARG_REUSE,MACRO_ARG_PRECEDENCE,MACRO_WITH_FLOW_CONTROL
not_for_tests+=,COMPLEX_MACRO,MULTISTATEMENT_MACRO_USE_DO_WHILE,TRAILING_SEMICOLON,SPACING
not_for_tests+=,LEADING_SPACE,CAMELCASE,BIT_MACRO,PREFER_DEFINED_ATTRIBUTE_MACRO
not_for_tests+=,NAKED_SSCANF,VOLATILE,ENOSYS,BRACES,STATIC_CONST_CHAR_ARRAY

usage() {
	cat <<'END'
usage: scripts/check-intree.sh

Puts the tracer into a kernel's source tree, builds it there as a module and built
in, checks its style, boots that kernel and runs the tests there.

exit status: 0 all passed; 1 a test failed; 2 wrong usage; 3 something could not be
installed or fetched.
END
}

# ok NAME COMMAND...: one line of TAP; what the command said only if it failed. The
# command runs without set -e, so functions tell their failures by && and ||.
ok() {
	local name=$1
	shift
	count=$((count + 1))
	if "$@" >"$work/log" 2>&1; then
		echo "ok $count $name"
	else
		tail -n 60 "$work/log" | sed 's/^/# /'
		echo "not ok $count $name"
		failed=$((failed + 1))
	fi
}

# Half of the tree are drivers and architectures that nothing of this is built of;
# their Kconfig files stay.
unpack_source() {
	local dir=$1
	mkdir -p -- "$dir" && (cd -- "$work" &&
		apt-get -qq -o APT::Sandbox::User=root download "$source") &&
		dpkg --fsys-tarfile "$work"/"$source"_*.deb |
		tar -x -O -f - "./usr/src/$source.tar.xz" |
		tar -x -J -f - -C "$dir" --strip-components=1 \
			--exclude='*/Documentation/*.rst' --exclude='*/Documentation/*.yaml' \
			--exclude='*/sound/*.[ch]' --exclude='*/arch/[a-tv-w]*/*.[chS]' \
			--exclude='*/arch/*/boot/dts/*' \
			--exclude='*/drivers/gpu/*.[ch]' --exclude='*/drivers/net/ethernet/*.[ch]' \
			--exclude='*/drivers/net/wireless/*.[ch]' --exclude='*/drivers/media/*.[ch]' \
			--exclude='*/drivers/staging/*.[ch]' --exclude='*/drivers/scsi/*.[ch]' \
			--exclude='*/drivers/infiniband/*.[ch]' --exclude='*/drivers/iio/*.[ch]'
}

prepare_tree() {
	local version place
	version=$(apt-cache policy "$source" | sed -n 's/^  Candidate: //p')
	[[ -n $version && $version != '(none)' ]] || die 3 "no package $source in this machine's" \
		"package lists; run apt-get update"
	place=$(cache_dir)/intree/$version
	tree=$place/linux
	build=$place/build
	[[ ! -e $tree/.whole ]] || return 0
	rm -rf -- "$(cache_dir)/intree"
	say "unpacking $source ($version)"
	unpack_source "$tree" || die 3 "$source cannot be fetched or unpacked into $tree;" \
		"check the network and the space left"
	touch -- "$tree/.whole"
}

# What is where, and what is in the files that others have as well. checkpatch.pl
# leaves a cache of its own.
snapshot() {
	(cd -- "$tree" && find . -not -name .whole -not -name '.checkpatch-*' -printf '%y %p\n' | sort &&
		sha256sum MAINTAINERS kernel/trace/Kconfig kernel/trace/Makefile \
			tools/testing/selftests/Makefile)
}

refuses_other_trees() {
	"$here/intree.sh" "$work" 2>"$work/said"
	(($? == 3)) && (($(wc -l <"$work/said") == 1)) && grep "is no kernel's source tree" "$work/said"
}

twice_is_once() {
	"$here/intree.sh" "$tree" && snapshot >"$work/once" &&
		"$here/intree.sh" "$tree" && snapshot >"$work/twice" &&
		diff "$work/once" "$work/twice" && grep 'kernel/trace/fxt_sched/main.c' "$work/once"
}

# checkpatch IGNORED PLACE...: of all files that are text for it.
checkpatch() {
	local ignored=$1 files
	shift
	mapfile -t files < <(cd -- "$tree" && find "$@" -type f \
		\( -name '*.[ch]' -o -name '*.sh' -o -name Makefile -o -name Kconfig \))
	((${#files[@]} > 0)) && (cd -- "$tree" && scripts/checkpatch.pl --strict --terse \
		--show-types --no-summary ${ignored:+"--ignore=$ignored"} -f "${files[@]}")
}

kernel_is_styled() {
	checkpatch '' kernel/trace/fxt_sched include/fxt include/uapi/linux/fxt_sched.h
}

bpf_is_styled() {
	checkpatch "$not_for_bpf" tools/tracing/fxt_sched/bpf
}

tests_are_styled() {
	checkpatch "$not_for_tests" tools/testing/selftests/fxt_sched
}

kernel_make() {
	make -s -C "$tree" "O=$build" -j"$jobs" "$@"
}

# configure VALUE: of CONFIG_FXT_SCHED; what vm.sh boots, and little else. Whatever
# is asked for has to come out.
configure() {
	mkdir -p -- "$build"
	{ cat "$here/check-intree.config" && echo "CONFIG_FXT_SCHED=$1"; } >"$work/config"
	[[ -e $build/.config ]] || kernel_make tinyconfig || return
	(cd -- "$tree" && scripts/kconfig/merge_config.sh -m -O "$build" "$build/.config" \
		"$work/config") && kernel_make olddefconfig &&
		! grep -v -x -F -f "$build/.config" "$work/config"
}

# builds_clean VALUE: only what is ours is looked at closely.
builds_clean() {
	configure "$1" && kernel_make prepare modules_prepare &&
		rm -rf -- "$build/kernel/trace/fxt_sched" &&
		kernel_make W=1 C=2 KCFLAGS=-Werror kernel/trace/fxt_sched/ >"$work/said" 2>&1
	local status=$?
	cat "$work/said"
	((status == 0)) && ! grep -E 'warning|error' "$work/said" &&
		[[ -e $build/kernel/trace/fxt_sched/main.o ]]
}

# In the place of a kernel of Debian's: see deps-kernel.sh.
install_kernel() {
	local dir release
	dir=$(kernel_dir intree)
	release=$(<"$build/include/config/kernel.release") || return
	rm -rf -- "$dir"
	mkdir -p -- "$dir/root/lib/modules/$release" &&
		cp -- "$build/arch/x86/boot/bzImage" "$dir/vmlinuz" &&
		kernel_make modules_install "INSTALL_MOD_PATH=$dir/root" &&
		depmod -b "$dir/root" "$release" &&
		ln -s "root/lib/modules/$release" "$dir/modules" && echo "$release" >"$dir/release"
}

kernel_builds() {
	kernel_make bzImage modules && install_kernel
}

kselftest() {
	make -s -C "$tree/tools/testing/selftests" TARGETS=fxt_sched "$@"
}

# What kselftest says of each program: "ok N selftests: fxt_sched: NAME".
all_passed() {
	cat "$1"
	grep -q '^ok [0-9]* selftests: fxt_sched: ' "$1" && ! grep '^not ok [0-9]* selftests: ' "$1"
}

runs_on_host() {
	kselftest run_tests >"$work/said" 2>&1
	all_passed "$work/said"
}

tests_install() {
	kselftest install "INSTALL_PATH=$work/installed" &&
		[[ -x $work/installed/fxt_sched/fxt-collect && -x $work/installed/run_kselftest.sh ]]
}

# in_guest PARAMETERS BEFORE: boots the kernel, and runs the tests behind BEFORE.
in_guest() {
	local tests
	printf -v tests ' -t fxt_sched:%s' "${guest_tests[@]}"
	"$here/vm.sh" --kernel intree --smp 2 --mem 2G --timeout 1500 --append "$1" -- \
		"$2 && cd $work/installed && FXT_GUEST=1 FXT_REQUIRE=kmod ./run_kselftest.sh$tests" \
		>"$work/said" 2>&1
	all_passed "$work/said"
}

runs_built_in() {
	# shellcheck disable=SC2016 # the guest's shell expands it
	in_guest fxt_sched.subbuf_size=64K \
		'test "$(cat /sys/module/fxt_sched/parameters/subbuf_size)" = 65536'
}

runs_as_module() {
	in_guest quiet 'modprobe fxt_sched'
}

is_as_it_was() {
	"$here/intree.sh" --remove "$tree" && snapshot >"$work/after" &&
		diff "$work/before" "$work/after"
}

main() {
	case ${1-} in
	'') ;;
	-h | --help) usage; exit 0 ;;
	*) die 2 "$1: unknown argument; see scripts/check-intree.sh --help" ;;
	esac
	for group in build vm test intree; do
		"$here/deps.sh" "$group" || exit 3
	done
	work=$(mktemp -d)
	trap 'rm -rf -- "$work"' EXIT
	prepare_tree
	"$here/intree.sh" --remove "$tree" || exit 3
	snapshot >"$work/before"
	echo "TAP version 13"
	echo "1..14"
	ok "another tree than a kernel's is refused" refuses_other_trees
	ok "put in twice is as put in once" twice_is_once
	ok "checkpatch: module, headers, Kconfig" kernel_is_styled
	ok "checkpatch: BPF" bpf_is_styled
	ok "checkpatch: tests" tests_are_styled
	ok "the tests run on this machine" runs_on_host
	ok "the tests can be installed" tests_install
	ok "as a module: W=1 and sparse have nothing to say" builds_clean m
	ok "as a module: the kernel builds" kernel_builds
	ok "as a module: the tests run in a guest" runs_as_module
	ok "built in: W=1 and sparse have nothing to say" builds_clean y
	ok "built in: the kernel builds" kernel_builds
	ok "built in: the tests run in a guest, parameters come from the command line" runs_built_in
	ok "taken out, the tree is as it was" is_as_it_was
	((failed == 0))
}

main "$@"
