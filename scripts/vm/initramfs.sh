#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Makes the initramfs with which vm.sh boots a cached kernel.
#
# In:  the name of a cached kernel; init.sh; busybox.
# Out: <cache>/kernels/KERNEL/initramfs-<hash>.cpio, made only if there is none for this
#      init.sh and this script; its path on standard output.
#
# exit status: 0 done; 2 wrong usage; 3 it could not be made.

set -euo pipefail

here=$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$here/../lib.sh"

# The modules that the guest's start needs; modprobe adds their dependencies, in order.
wanted_modules=(virtio_pci 9pnet_virtio 9p overlay)

# modprobe prints no file for a module that is built in or has another name. If the guest needs
# such a module, init.sh fails with a clear message.
module_files() {
	local kernel_dir=$1 module
	for module in "${wanted_modules[@]}"; do
		modprobe -d "$kernel_dir/root" -S "$(<"$kernel_dir/release")" \
			--show-depends "$module" 2>/dev/null || true
	done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }'
}

# copy_module FILE DIR: unpacks the module to DIR, and prints its name.
copy_module() {
	local name=${1##*/}
	name=${name%.ko*}.ko
	case $1 in
	*.xz) xz -dc -- "$1" >"$2/$name" ;;
	*.zst) zstd -qdc -- "$1" >"$2/$name" ;;
	*) cp -- "$1" "$2/$name" ;;
	esac
	printf '%s\n' "$name"
}

fill_tree() {
	local kernel_dir=$1 tree=$2 busybox file
	if [[ ${kernel_dir##*/} == arm64 ]]; then
		busybox=$(arm64_root)/usr/bin/busybox
	else
		busybox=$(command -v busybox)
	fi || die 3 "busybox not found; run scripts/deps.sh vm"
	if ldd "$busybox" >/dev/null 2>&1; then
		die 3 "$busybox is linked to libraries the initramfs does not have;" \
			"install the package busybox-static"
	fi
	mkdir -- "$tree/bin" "$tree/modules"
	cp -- "$busybox" "$tree/bin/busybox"
	ln -s busybox "$tree/bin/sh"
	install -m 755 -- "$here/init.sh" "$tree/init"
	module_files "$kernel_dir" | while read -r file; do
		copy_module "$file" "$tree/modules"
	done >"$tree/modules/order"
}

main() {
	(($# == 1)) || die 2 "usage: scripts/vm/initramfs.sh KERNEL"
	local kernel_dir hash image
	kernel_dir=$(kernel_dir "$1")
	[[ -d $kernel_dir ]] || die 3 "kernel $1 is not in the cache;" \
		"run scripts/deps.sh vm $1"
	hash=$(cat "$here/init.sh" "$here/initramfs.sh" | sha256sum | cut -c 1-16)
	image=$kernel_dir/initramfs-$hash.cpio
	if [[ ! -e $image ]]; then
		tree=$(mktemp -d)
		trap 'rm -rf -- "$tree"' EXIT
		fill_tree "$kernel_dir" "$tree"
		# Renamed when complete, because two guests may start at once. Not
		# compressed, because unpacking takes an emulated CPU longer than loading.
		(cd -- "$tree" && find . | cpio --quiet -o -H newc -R 0:0) >"$image.$$" ||
			die 3 "writing $image failed (see above); check the space left"
		mv -- "$image.$$" "$image"
	fi
	printf '%s\n' "$image"
}

main "$@"
