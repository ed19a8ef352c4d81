#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The guest's first program, /init of the initramfs, run by busybox: mounts the host's files
# as the guest's root, and continues with guest.sh there.
#
# In:  /modules/order, the kernel modules to load in that order; the 9p shares
#      hostroot (the host's root, read-only) and control (see vm.sh).
# Out: a writable root whose changes stay in the guest, and the control share in its
#      /run/fxt-vm.

set -eu

# If this program ended, the kernel would panic and hide the reason.
give_up() {
	echo "vm/init.sh: error: $1; see the kernel's messages above" >/dev/console
	/bin/busybox poweroff -f
}
trap 'give_up "a step of the start failed"' EXIT

/bin/busybox mkdir -p /proc /sys /dev /lower /rw /root
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t devtmpfs dev /dev

while read -r module; do
	insmod "/modules/$module" || give_up "insmod $module failed"
done </modules/order

# Use the largest message size of virtio, for fewer round trips per file. But before 6.1, each
# request allocates and clears two messages of that size, and reads no more than a page.
msize=512000
case $(uname -r) in
[1-5].* | 6.0.*) msize=16384 ;;
esac
options=trans=virtio,version=9p2000.L,msize=$msize
mount -t 9p -o "$options,cache=loose,ro" hostroot /lower ||
	give_up "mounting the host's root over 9p failed"

# The overlay's upper layer keeps the guest's writes in memory.
mount -t tmpfs -o mode=755 rw /rw
mkdir /rw/upper /rw/work
mount -t overlay -o lowerdir=/lower,upperdir=/rw/upper,workdir=/rw/work root /root ||
	give_up "mounting the overlay over the host's root failed"

mount -t tmpfs -o mode=755 run /root/run
mkdir /root/run/fxt-vm
mount -t 9p -o "$options,cache=none" control /root/run/fxt-vm ||
	give_up "mounting the control share over 9p failed"

umount /proc
umount /dev
exec switch_root /root /bin/bash /run/fxt-vm/guest.sh
