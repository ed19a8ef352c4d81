#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The tracer as a part of the kernel: put into the tree of Debian's linux-source-6.1,
# built there as a module and built in, held against checkpatch.pl and sparse, run
# as any kselftest, here and in a guest of that very kernel, and taken out again.
#
# In:  the source tree; the cache of scripts/deps.sh; check-intree.config.
# Out: TAP; in the cache intree/VERSION, the kernel's tree and what was built of
#      it, one build for each set of settings, and kernels/intree, which vm.sh boots.
#
# The first run unpacks and builds a kernel, which takes a while; later ones build
# of it what has changed.

set -euo pipefail

here=$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"
# shellcheck source-path=SCRIPTDIR source=tap.sh
. "$here/tap.sh"

source=linux-source-6.1
jobs=$(nproc)
# Those that ask the kernel for something; the others ran on the host, as kselftest.
guest_tests=(module_test chain_test ledger_test filter_test flight_test death_test load_test
	     kernel_log.sh)
module=kernel/trace/fxt_sched
work=

# What checkpatch.pl is not asked about, and why. Kernel files and headers: nothing.
not_for_bpf=(
	# Read-only globals are "const volatile": libbpf's rule.
	VOLATILE
	# Names of fields are arguments of macros: CO-RE.
	MACRO_ARG_REUSE MACRO_ARG_PRECEDENCE
	# The kernel's __aligned() is not there, and a global that has it is no extern.
	PREFER_DEFINED_ATTRIBUTE_MACRO AVOID_EXTERNS
)
not_for_tests=(
	# Texts that are compared with are laid out as they are read, PRIu64 or not.
	SPLIT_STRING MISSING_SPACE STRING_FRAGMENTS CONCATENATED_STRING
	LONG_LINE_STRING LONG_LINE
	# Macros are those of the harness, and lists that expand an X.
	MACRO_ARG_REUSE MACRO_ARG_PRECEDENCE MACRO_WITH_FLOW_CONTROL COMPLEX_MACRO
	MULTISTATEMENT_MACRO_USE_DO_WHILE TRAILING_SEMICOLON
	# FIXTURE_DATA(name) *self is no product.
	SPACING
	# What belongs to a macro of a short name is aligned with it.
	LEADING_SPACE
	# Names in capitals and lower case are libc's and zlib's.
	CAMELCASE
	# BIT() and __packed are the kernel's.
	BIT_MACRO PREFER_DEFINED_ATTRIBUTE_MACRO
	# ASSERT_EQ() wants braces around it.
	BRACES
	# What sscanf() returns is looked at, by EXPECT_EQ().
	NAKED_SSCANF
	# A command's arguments are no constants.
	STATIC_CONST_CHAR_ARRAY
	# A signal handler wants volatile.
	VOLATILE
	# ENOSYS is an answer that is tested.
	ENOSYS
	# Some machines have a time-stamp counter, and others refuse that clock.
	ARCH_DEFINES
)

usage() {
	cat <<'END'
usage: scripts/check-intree.sh

Puts the tracer into a kernel's source tree, builds it there as a module and built
in, checks its style, boots that kernel and runs the tests there.

exit status: 0 all passed; 1 a test failed; 2 wrong usage; 3 something could not be
installed or fetched.
END
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

# A changed comment builds nothing anew.
kernel_settings() {
	grep '^CONFIG_' "$here/check-intree.config"
}

# One run at a time has the tree. A version of the source has one tree and, of its
# settings, the latest build.
prepare_tree() {
	local version place settings other
	version=$(apt-cache policy "$source" | sed -n 's/^  Candidate: //p')
	[[ -n $version && $version != '(none)' ]] || die 3 "no package $source in this machine's" \
		"package lists; run apt-get update"
	place=$(cache_dir)/intree/$version
	settings=$(kernel_settings | sha256sum | cut -c 1-16)
	tree=$place/linux
	build=$place/build-$settings
	installed=$place/installed
	mkdir -p -- "$(cache_dir)/intree"
	exec {lock}>"$(cache_dir)/intree/lock"
	flock "$lock"
	for other in "$(cache_dir)/intree"/*/ "$place"/build-*/; do
		[[ $other == "$place/" || $other == "$build/" ]] || rm -rf -- "$other"
	done
	[[ ! -e $tree/.whole ]] || return 0
	rm -rf -- "$tree"
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

# checkpatch IGNORED PLACE...: of all files that are text for it. IGNORED is a list
# with blanks between.
checkpatch() {
	local ignored=${1// /,}
	shift
	(cd -- "$tree" && find "$@" -type f \
		\( -name '*.[ch]' -o -name '*.sh' -o -name Makefile -o -name Kconfig \) -print0 |
		nice -n 5 xargs -0 -n 12 -P "$jobs" scripts/checkpatch.pl --strict --terse \
			--show-types --no-summary ${ignored:+"--ignore=$ignored"} -f)
}

kernel_is_styled() {
	checkpatch '' kernel/trace/fxt_sched include/fxt include/uapi/linux/fxt_sched.h
}

bpf_is_styled() {
	checkpatch "${not_for_bpf[*]}" tools/tracing/fxt_sched/bpf
}

tests_are_styled() {
	checkpatch "${not_for_tests[*]}" tools/testing/selftests/fxt_sched
}

kernel_make() {
	nice -n 5 make -s -C "$tree" "O=$build" -j"$jobs" "$@"
}

# configure VALUE: of CONFIG_FXT_SCHED; what vm.sh boots, and little else. Whatever
# is asked for has to come out.
configure() {
	mkdir -p -- "$build" &&
		{ kernel_settings && echo "CONFIG_FXT_SCHED=$1"; } >"$work/config" || return
	[[ -e $build/.config ]] || kernel_make tinyconfig || return
	(cd -- "$tree" && scripts/kconfig/merge_config.sh -m -O "$build" "$build/.config" \
		"$work/config") && kernel_make olddefconfig &&
		! grep -v -x -F -f "$build/.config" "$work/config"
}

# builds_clean VALUE: only what is ours is looked at closely, and all of it.
builds_clean() {
	configure "$1" && rm -rf -- "${build:?}/$module" &&
		kernel_make W=1 C=2 KCFLAGS=-Werror "$module/" >"$work/said" 2>&1
	local status=$?
	cat "$work/said"
	((status == 0)) && [[ ! -s $work/said && -e $build/$module/main.o ]]
}

module_links() {
	kernel_make "$module/fxt_sched.ko" && modinfo "$build/$module/fxt_sched.ko"
}

# In the place of a kernel of Debian's: see deps-kernel.sh.
install_kernel() {
	local dir release
	dir=$(kernel_dir intree)
	release=$(<"$build/include/config/kernel.release") || return
	rm -rf -- "$dir"
	mkdir -p -- "$dir/root" && cp -- "$build/arch/x86/boot/bzImage" "$dir/vmlinuz" &&
		kernel_make modules_install "INSTALL_MOD_PATH=$dir/root" &&
		ln -s "root/lib/modules/$release" "$dir/modules" && echo "$release" >"$dir/release"
}

kernel_builds() {
	kernel_make bzImage modules && install_kernel
}

kselftest() {
	make -s -C "$tree/tools/testing/selftests" TARGETS=fxt_sched "$@"
}

# all_passed FILE: what kselftest says of each program, "ok N selftests: fxt_sched:
# NAME", of as many as it planned. What failed is told last, as only the end is shown.
all_passed() {
	local plan
	cat "$1"
	awk '/^# selftests: / { said = "" }
	     { said = said $0 "\n" }
	     /^not ok / { printf "%s", said }' "$1" | tail -n 50
	plan=$(sed -n 's/^1\.\.\([0-9]*\)$/\1/p' "$1")
	(($(grep -c '^ok [0-9]* selftests: fxt_sched: ' "$1") == ${plan:--1}))
}

runs_on_host() {
	kselftest run_tests >"$work/said" 2>&1
	all_passed "$work/said"
}

# Not below /tmp, which is empty in a guest.
tests_install() {
	rm -rf -- "$installed"
	kselftest install "INSTALL_PATH=$installed" &&
		[[ -x $installed/fxt_sched/fxt-collect && -x $installed/run_kselftest.sh ]]
}

# What cannot be tested of a module that is built in says so.
runs_in_guest() {
	local tests parameters commands
	tests_install || return
	printf -v tests ' -t fxt_sched:%s' "${guest_tests[@]}"
	parameters="fxt_sched.subbuf_size=64K fxt_sched.clock=mono fxt_sched.filter_comm=fxt*"
	# shellcheck disable=SC2016 # the guest's shell expands it
	commands='set -e; cd /sys/module/fxt_sched/parameters
		test "$(cat subbuf_size clock filter_comm | paste -s)" = "65536	mono	fxt*"
		echo >filter_comm'
	commands+="
		cd $(printf %q "$installed")
		fxt_sched/fxt-collect -q -s kmod -d 500ms -o /tmp/built-in.fxt
		fxt_sched/fxt check /tmp/built-in.fxt
		FXT_GUEST=1 FXT_REQUIRE=kmod ./run_kselftest.sh$tests"
	"$here/vm.sh" --kernel intree --smp 2 --mem 2G --timeout 1500 --append "$parameters" -- \
		bash -c "$commands" >"$work/said" 2>&1
	local status=$?
	all_passed "$work/said" && ((status == 0)) &&
		grep -q '^# ok .* # SKIP kmod: the module is built into the kernel' "$work/said"
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
	echo "1..12"
	ok "another tree than a kernel's is refused" refuses_other_trees
	ok "put in twice is as put in once" twice_is_once
	ok "checkpatch: module, headers, Kconfig" kernel_is_styled
	ok "checkpatch: BPF" bpf_is_styled
	ok "checkpatch: tests" tests_are_styled
	ok "as built in: W=1 and sparse have nothing to say" builds_clean y
	ok "as built in: the kernel builds" kernel_builds
	ok "as a module: W=1 and sparse have nothing to say" builds_clean m
	ok "as a module: it links" module_links
	ok "the tests run on this machine" runs_on_host
	ok "the tests run in a guest with the module built in, its parameters from the command line" \
		runs_in_guest
	ok "taken out, the tree is as it was" is_as_it_was
	((failed == 0))
}

main "$@"
