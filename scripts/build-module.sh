#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Builds the module for a cached kernel, with that kernel's own compiler, outside
# the tree, and only once for identical sources.
#
# In:  a kernel of scripts/deps.sh; kmod/ and include/; modules of tests in selftests/modules/.
# Out: <cache>/modules/KERNEL/HASH/fxt_sched.ko, its path on standard output; the modules of
#      tests beside it. The hash is over the sources, the kernel, the compiler and this script.
#
# A warning of the compiler, modpost or make is a failure.

set -euo pipefail

here=$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"
# shellcheck source-path=SCRIPTDIR source=deps/suite.sh
. "$here/deps/suite.sh"
# shellcheck source-path=SCRIPTDIR source=deps/toolchain.sh
. "$here/deps/toolchain.sh"
# shellcheck source-path=SCRIPTDIR source=deps/kernel.sh
. "$here/deps/kernel.sh"

root=$(realpath -- "$here/..")
kept=2	# days without use after which a result is removed: a guest may still load it
work=

usage() {
	cat <<'END'
usage: scripts/build-module.sh KERNEL

Builds fxt_sched.ko for a kernel in the cache (see scripts/deps.sh) and prints its path.
A module that was built from the same sources before is reused.

exit status: 0 done; 1 it could not be built without a warning; 2 wrong usage; 3 the
kernel or its compiler is not in the cache.
END
}

# The root of the compiler; empty for this machine's own compiler.
toolchain_root() {
	local suite
	suite=$(kernel_field "$1" toolchain)
	[[ $suite == "$(own_suite)" ]] || toolchain_dir "$suite" "$(<"$(kernel_dir "$1")/compiler")"
}

sources() {
	find kmod include selftests/modules \( -name '*.[ch]' -o -name Kbuild -o -name Makefile \) \
		! -name '*.mod.c' | LC_ALL=C sort
}

key() {
	{
		cat -- "$(kernel_dir "$1")/version" "$here/build-module.sh"
		if [[ -n $2 ]]; then
			cat -- "$2/version"
		else
			"$(compiler)" -dumpfullversion
		fi
		sources | tar -c --no-recursion --mtime=@0 --owner=0 --group=0 --mode=644 -T -
	} | sha256sum | cut -c 1-16
}

# The compiler of Debian 12, which builds its kernels and older ones; else gcc.
compiler() {
	command -v gcc-12 || echo gcc
}

# make_in TOOLCHAIN DIR ARGUMENT...: runs make, in that root if there is one. The sources and the
# kernel have the same paths in it, because the build stores these paths.
make_in() {
	local toolchain=$1 dir=$2
	shift 2
	if [[ -z $toolchain ]]; then
		make CC="$(compiler)" "$@"
		return
	fi
	# shellcheck disable=SC2016 # the inner shell's
	as_root unshare --mount sh -ec '
		toolchain=$1 dir=$2 cache=$3
		shift 3
		mkdir -p "$toolchain$dir" "$toolchain$cache"
		mount -t proc proc "$toolchain/proc"
		mount --bind "$cache" "$toolchain$cache"
		mount --bind "$dir" "$toolchain$dir"
		exec chroot "$toolchain" make "$@"' \
		sh "$toolchain" "$dir" "$(cache_dir)/kernels" "$@"
}

build() {
	local kernel=$1 toolchain=$2 dir=$3 log=$3/log part
	sources | tar -c -T - | tar -x -C "$dir"
	for part in kmod selftests/modules; do
		if ! make_in "$toolchain" "$dir" -s -j"$(nproc)" \
			-C "$(realpath -- "$(kernel_dir "$kernel")/headers")" M="$dir/$part" \
			KCFLAGS=-Werror modules >"$log" 2>&1 ||
			grep -q -i warning "$log"; then
			cat -- "$log" >&2
			die 1 "$part was not built for kernel $kernel without a warning: see above"
		fi
	done
}

publish() {
	mkdir -p -- "$2"
	cp -- "$1"/selftests/modules/*.ko "$2"
	cp -- "$1/kmod/fxt_sched.ko" "$2/fxt_sched.ko.$$"
	mv -- "$2/fxt_sched.ko.$$" "$2/fxt_sched.ko"
	find "$(dirname -- "$2")" -mindepth 1 -maxdepth 1 -mtime "+$kept" -exec rm -rf -- {} +
}

main() {
	(($# == 1)) || { usage >&2; exit 2; }
	case $1 in
	-h | --help) usage; exit 0 ;;
	esac
	local kernel=$1 toolchain place
	kernel_field "$kernel" name >/dev/null || die 2 "unknown kernel '$kernel'; known: $(kernel_names)"
	toolchain=$(toolchain_root "$kernel")
	[[ -d $(kernel_dir "$kernel") && (-z $toolchain || -d $toolchain) ]] ||
		die 3 "kernel $kernel or its compiler is not in the cache; run scripts/deps.sh vm $kernel"
	cd -- "$root"
	place=$(cache_dir)/modules/$kernel/$(key "$kernel" "$toolchain")
	if [[ -e $place/fxt_sched.ko ]]; then
		touch -- "$place"
	else
		work=$(mktemp -d)
		trap 'rm -rf -- "$work"' EXIT
		build "$kernel" "$toolchain" "$work"
		publish "$work" "$place"
	fi
	printf '%s\n' "$place/fxt_sched.ko"
}

main "$@"
