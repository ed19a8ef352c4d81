#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests the tracer as a part of the kernel: adds it to the tree of Debian's
# linux-source-6.1, builds it there as a module and built in, checks it with
# checkpatch.pl and sparse, builds its documentation, runs its kselftests here and in a
# guest with that kernel, and removes it again.
#
# In:  the source tree; the cache of scripts/deps.sh; intree.config.
# Out: TAP; in the cache intree/VERSION, the kernel's tree with one build for each
#      configuration, and kernels/intree, which vm.sh boots.
#
# The first run unpacks and builds a kernel, which takes a while; later runs build only
# changed files.

set -euo pipefail

here=$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$here/../lib.sh"
# shellcheck source-path=SCRIPTDIR source=tap.sh
. "$here/tap.sh"

source=linux-source-6.1
jobs=$(nproc)
# The tests that depend on the kernel; the others run on the host, as kselftest.
guest_tests=(module_test device_test device_config_test device_owner_test sessions_test
	     chain_test ledger_test filter_test flight_test death_test load_test kernel_log.sh)
module=kernel/trace/fxt_sched
manual=trace/fxt_sched
work=

# The types of checkpatch.pl that are ignored, and why.
not_for_module=(
	# The comment of a lock in a structure is the structure's kernel-doc.
	UNCOMMENTED_DEFINITION
	# Macros define the probes of a tracepoint, and rows of tables.
	MACRO_ARG_REUSE COMPLEX_MACRO BRACKET_SPACE
	# The compiler learns from NR_CPUS that the number of a CPU fits into its field.
	NR_CPUS CONSTANT_COMPARISON
)
not_for_compat=(
	# The arguments of its macros are names.
	MACRO_ARG_REUSE
)
not_for_headers=(
	# BPF and user space include them. They have neither BIT() nor static_assert(), nor
	# READ_ONCE().
	BIT_MACRO CAMELCASE VOLATILE
	# The catalogue's lists expand an X, and others to the cases of a switch.
	COMPLEX_MACRO MACRO_ARG_REUSE MULTISTATEMENT_MACRO_USE_DO_WHILE TRAILING_SEMICOLON
)
not_for_bpf=(
	# libbpf requires "const volatile" for read-only globals.
	VOLATILE
	# CO-RE macros take names of fields as arguments, others define programs.
	MACRO_ARG_REUSE MACRO_ARG_PRECEDENCE COMPLEX_MACRO MACRO_WITH_FLOW_CONTROL
	MULTISTATEMENT_MACRO_USE_DO_WHILE
	# Types of the kernel have its names.
	NEW_TYPEDEFS
	# There is neither BIT() nor static_assert(), whose arguments are no comparison.
	BIT_MACRO CAMELCASE CONSTANT_COMPARISON
	# BPF has no __aligned(), and a global that has the attribute is not an extern.
	PREFER_DEFINED_ATTRIBUTE_MACRO AVOID_EXTERNS
)
not_for_tests=(
	# Expected texts are laid out as they are read, with or without PRIu64.
	SPLIT_STRING MISSING_SPACE STRING_FRAGMENTS CONCATENATED_STRING
	LONG_LINE_STRING LONG_LINE OPEN_ENDED_LINE
	# The macros are those of the harness, and lists that expand an X.
	MACRO_ARG_REUSE MACRO_ARG_PRECEDENCE MACRO_WITH_FLOW_CONTROL COMPLEX_MACRO
	MULTISTATEMENT_MACRO_USE_DO_WHILE TRAILING_SEMICOLON
	# FIXTURE_DATA(name) *self is not a multiplication.
	SPACING
	# The arguments of a macro with a short name are aligned with it, lists of options with
	# their brace, and texts with nothing.
	LEADING_SPACE PARENTHESIS_ALIGNMENT
	# A test breaks a single byte.
	MEMSET
	# CamelCase names are those of libc and zlib.
	CAMELCASE
	# User space has neither BIT() nor __packed, nor ARRAY_SIZE() everywhere.
	BIT_MACRO PREFER_DEFINED_ATTRIBUTE_MACRO ARRAY_SIZE
	# Words of messages can be names of functions; a list of separators is no message.
	EMBEDDED_FUNCTION_NAME QUOTED_WHITESPACE_BEFORE_NEWLINE
	# Tests mistype commands on purpose, and compare whole lines.
	TYPO_SPELLING REPEATED_WORD
	# Some shorten what they build and compare.
	MULTIPLE_ASSIGNMENTS COMPARISON_TO_NULL UNNECESSARY_PARENTHESES UNNECESSARY_ELSE
	# A macro fills in rows of tables.
	BRACKET_SPACE
	# A macro that defines a test's tables looks like a statement.
	LINE_SPACING
	# ASSERT_EQ() needs braces around it.
	BRACES
	# EXPECT_EQ() checks the result of sscanf().
	NAKED_SSCANF
	# The arguments of a command are not constants.
	STATIC_CONST_CHAR_ARRAY
	# A signal handler requires volatile.
	VOLATILE
	# The tests expect ENOSYS. Some functions return errno.
	ENOSYS USE_NEGATIVE_ERRNO
	# Tests of the clock tsc depend on the architecture.
	ARCH_DEFINES
)

usage() {
	cat <<'END'
usage: scripts/check/intree.sh

Adds the tracer to a kernel's source tree, builds it there as a module and built in,
checks its style, boots that kernel and runs the tests there.

exit status: 0 all passed; 1 a test failed; 2 wrong usage; 3 a dependency could not be
installed or fetched.
END
}

# Half of the tree consists of drivers, architectures and documents that this build does not need.
# Only the Kconfig files of drivers and architectures are kept.
unpack_source() {
	local dir=$1
	mkdir -p -- "$dir" && (cd -- "$work" &&
		apt-get -qq -o APT::Sandbox::User=root download "$source") &&
		dpkg --fsys-tarfile "$work"/"$source"_*.deb |
		tar -x -O -f - "./usr/src/$source.tar.xz" |
		tar -x -J -f - -C "$dir" --strip-components=1 \
			--exclude='*/Documentation/[!t]*.rst' --exclude='*/Documentation/t[!r]*.rst' \
			--exclude='*/Documentation/translations' --exclude='*/Documentation/*.yaml' \
			--exclude='*/sound/*.[ch]' --exclude='*/arch/[a-tv-w]*/*.[chS]' \
			--exclude='*/arch/*/boot/dts/*' \
			--exclude='*/drivers/gpu/*.[ch]' --exclude='*/drivers/net/ethernet/*.[ch]' \
			--exclude='*/drivers/net/wireless/*.[ch]' --exclude='*/drivers/media/*.[ch]' \
			--exclude='*/drivers/staging/*.[ch]' --exclude='*/drivers/scsi/*.[ch]' \
			--exclude='*/drivers/infiniband/*.[ch]' --exclude='*/drivers/iio/*.[ch]'
}

# Without comments, so that a changed comment rebuilds nothing.
kernel_settings() {
	grep '^CONFIG_' "$here/intree.config"
}

# Only one run at a time uses the tree. There is one tree for each version of the source, and in it
# the latest build for each configuration.
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

# Prints the files of the tree and the contents of the shared ones, without the cache that
# checkpatch.pl leaves.
snapshot() {
	(cd -- "$tree" && find . -not -name .whole -not -name '.checkpatch-*' -printf '%y %p\n' | sort &&
		sha256sum MAINTAINERS Documentation/trace/index.rst kernel/trace/Kconfig \
			kernel/trace/Makefile tools/testing/selftests/Makefile)
}

refuses_other_trees() {
	"$here/../intree.sh" "$work" 2>"$work/said"
	(($? == 3)) && (($(wc -l <"$work/said") == 1)) && grep "is not a kernel's source tree" "$work/said"
}

twice_is_once() {
	"$here/../intree.sh" "$tree" && snapshot >"$work/once" &&
		"$here/../intree.sh" "$tree" && snapshot >"$work/twice" &&
		diff "$work/once" "$work/twice" && grep 'kernel/trace/fxt_sched/device.c' "$work/once"
}

# Checks that compat.h has been applied to the sources, and nothing refers to it any more.
is_for_one_kernel() {
	local macros
	macros=$(sed -n 's/^#define \(FXT_[A-Z_]*\).*/\1/p' "$here/../../kmod/compat.h" | sort -u | paste -s -d '|')
	macros+='|FXT_HAS_[A-Z_]*|KBUILD_EXTMOD'
	# The kernel's timekeeping has headers of its own.
	macros+='|FXT_TIMEBASE|timekeeper_internal'
	[[ $macros != '|'* ]] && (cd -- "$tree/$module" && ls device.c && ! ls compat.h Kbuild &&
		! grep -n -E "\"compat\.h\"|\\<($macros)\\>" ./*)
}

# checkpatch IGNORED PLACE...: checks all text files. IGNORED is a list separated by
# blanks.
checkpatch() {
	local ignored=${1// /,}
	shift
	(cd -- "$tree" && find "$@" -type f \
		\( -name '*.[ch]' -o -name '*.sh' -o -name Makefile -o -name Kconfig \) -print0 |
		nice -n 5 xargs -0 -n 12 -P "$jobs" scripts/checkpatch.pl --strict --terse \
			--show-types --no-summary ${ignored:+"--ignore=$ignored"} -f)
}

module_is_styled() {
	local kmod
	kmod=$(realpath -- "$here/../../kmod")
	checkpatch "${not_for_module[*]}" "$module" &&
		checkpatch "${not_for_compat[*]}" "$kmod/compat.h"
}

headers_are_styled() {
	checkpatch "${not_for_headers[*]}" include/fxt include/uapi/linux/fxt_sched.h
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

# The warnings about other documents are due to documents that the tree lacks.
documentation_builds() {
	make -s -C "$tree" SPHINXDIRS=trace "BUILDDIR=$work/docs" htmldocs >"$work/said" 2>&1 &&
		! grep fxt_sched "$work/said" && ls "$work/docs/$manual.html"
}

# configure VALUE: sets CONFIG_FXT_SCHED to VALUE, and what vm.sh needs to boot. Fails if
# Kconfig drops a requested setting.
configure() {
	mkdir -p -- "$build" &&
		{ kernel_settings && echo "CONFIG_FXT_SCHED=$1"; } >"$work/config" || return
	[[ -e $build/.config ]] || kernel_make tinyconfig || return
	(cd -- "$tree" && scripts/kconfig/merge_config.sh -m -O "$build" "$build/.config" \
		"$work/config") && kernel_make olddefconfig &&
		! grep -v -x -F -f "$build/.config" "$work/config"
}

# builds_clean VALUE: builds our files with W=1 and sparse.
builds_clean() {
	configure "$1" && rm -rf -- "${build:?}/$module" &&
		kernel_make W=1 C=2 KCFLAGS=-Werror "$module/" >"$work/said" 2>&1
	local status=$?
	cat "$work/said"
	((status == 0)) && [[ ! -s $work/said && -e $build/$module/device.o ]]
}

module_links() {
	kernel_make "$module/fxt_sched.ko" && modinfo "$build/$module/fxt_sched.ko"
}

# Installs the kernel in the layout of a Debian kernel: see deps/kernel.sh.
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

# all_passed FILE: kselftest prints "ok N selftests: fxt_sched: NAME" for each of the
# planned programs. Failures are printed last, because only the end is shown.
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

# Tests that a built-in module cannot run are skipped with that reason.
runs_in_guest() {
	local tests parameters commands
	tests_install || return
	printf -v tests ' -t fxt_sched:%s' "${guest_tests[@]}"
	parameters="fxt_sched.max_memory=64M fxt_sched.max_sessions=3"
	# shellcheck disable=SC2016 # the guest's shell expands it
	commands='set -e; cd /sys/module/fxt_sched/parameters
		test "$(cat max_memory max_sessions | paste -s)" = "67108864	3"
		echo 0 >max_memory; echo 16 >max_sessions'
	commands+="
		cd $(printf %q "$installed")
		fxt_sched/fxt-collect -q -s kmod -d 500ms -o /tmp/built-in.fxt
		fxt_sched/fxt check /tmp/built-in.fxt
		FXT_GUEST=1 FXT_REQUIRE=kmod ./run_kselftest.sh$tests"
	"$here/../vm.sh" --kernel intree --smp 2 --mem 2G --timeout 1500 --append "$parameters" -- \
		bash -c "$commands" >"$work/said" 2>&1
	local status=$?
	all_passed "$work/said" && ((status == 0)) &&
		grep -q '^# ok .* # SKIP kmod: the module is built into the kernel' "$work/said"
}

is_as_it_was() {
	"$here/../intree.sh" --remove "$tree" && snapshot >"$work/after" &&
		diff "$work/before" "$work/after"
}

main() {
	case ${1-} in
	'') ;;
	-h | --help) usage; exit 0 ;;
	*) die 2 "$1: unknown argument; see scripts/check/intree.sh --help" ;;
	esac
	for group in build vm test intree; do
		"$here/../deps.sh" "$group" || exit 3
	done
	work=$(mktemp -d)
	trap 'rm -rf -- "$work"' EXIT
	prepare_tree
	"$here/../intree.sh" --remove "$tree" || exit 3
	snapshot >"$work/before"
	echo "TAP version 13"
	echo "1..15"
	ok "a tree that is not a kernel's is refused" refuses_other_trees
	ok "adding it twice equals adding it once" twice_is_once
	ok "the module's sources are for this kernel only" is_for_one_kernel
	ok "checkpatch: module" module_is_styled
	ok "checkpatch: headers" headers_are_styled
	ok "checkpatch: BPF" bpf_is_styled
	ok "checkpatch: tests" tests_are_styled
	ok "the documentation builds without a warning" documentation_builds
	ok "built in: no warning of W=1 and sparse" builds_clean y
	ok "built in: the kernel builds" kernel_builds
	ok "as a module: no warning of W=1 and sparse" builds_clean m
	ok "as a module: it links" module_links
	ok "the tests run on this machine" runs_on_host
	ok "the tests run in a guest with the module built in, its parameters from the command line" \
		runs_in_guest
	ok "removing it restores the tree" is_as_it_was
	((failed == 0))
}

main "$@"
