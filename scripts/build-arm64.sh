#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Builds the module, the collector, the BPF program and the tests for arm64, in a
# copy of the sources, so that this machine's own build is not changed.
#
# In:  the sources as they are; what scripts/deps.sh vm arm64 cached.
# Out: <cache>/build/arm64/HASH, where HASH stands for the path of the sources; only
#      changed sources are rebuilt. Its path on standard output, everything else on
#      standard error.
#
# exit status: 0 done; 2 wrong usage; 3 it could not be built.

set -euo pipefail

here=$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$here/lib.sh"

# Removes the builds of sources that no longer exist.
remove_stale() {
	local origin
	for origin in "$(cache_dir)"/build/arm64/*.origin; do
		[[ -e $origin ]] || continue
		[[ -d $(<"$origin") ]] || rm -rf -- "${origin%.origin}" "$origin"
	done
}

# Files that git ignores are built files. Those in this tree are for this machine, and are not
# copied; those in the copy are kept.
copy_sources() {
	local root=$1 tree=$2
	mkdir -p -- "$tree"
	printf '%s\n' "$root" >"$tree.origin"
	rsync -a --delete --exclude=/.git \
		--include='/selftests/vectors/*.fxt' --filter=':- .gitignore' -- "$root/" "$tree/" ||
		die 3 "copying $root to $tree failed (see above); check the space left"
}

build() {
	local tree=$1 kdir
	kdir=$(kernel_dir arm64)/headers
	make -s -C "$tree" -j"$(nproc)" collector bpf selftests \
		CROSS_COMPILE=aarch64-linux-gnu- SYSROOT="$(arm64_root)" &&
		make -s -C "$tree" -j"$(nproc)" modules KDIR="$kdir" \
			ARCH=arm64 CROSS_COMPILE=aarch64-linux-gnu-
}

main() {
	local root tree
	(($# == 0)) || die 2 "usage: scripts/build-arm64.sh"
	root=$(dirname -- "$here")
	tree=$(arm64_tree "$root")
	[[ -d $(arm64_root) && -d $(kernel_dir arm64) ]] ||
		die 3 "libraries and headers of arm64 are missing; run scripts/deps.sh vm arm64"
	remove_stale
	copy_sources "$root" "$tree"
	say "building for arm64 in $tree"
	build "$tree" >&2 || die 3 "the build for arm64 failed: the lines above say where"
	printf '%s\n' "$tree"
}

main "$@"
