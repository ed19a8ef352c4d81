# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Extracts the kernel's selftest harness from Debian's kernel source package. Sourced by
# deps.sh after kernel.sh, whose table names the source package; uses deps.sh's
# apt_update_once, apt_download, publish and $staging.
#
# In:  the package linux-source-KERNEL (large; removed afterwards).
# Out: <cache>/kselftest/KERNEL/, in the layout of a kernel tree, so that a folder of
#      selftests can include tools/testing/selftests/lib.mk there.

# The harness, the runner, and the files that a Makefile of selftests may include.
kselftest_members() {
	cat <<'END'
scripts/subarch.include
tools/scripts
tools/testing/selftests/Makefile
tools/testing/selftests/kselftest
tools/testing/selftests/kselftest.h
tools/testing/selftests/kselftest_deps.sh
tools/testing/selftests/kselftest_harness.h
tools/testing/selftests/kselftest_install.sh
tools/testing/selftests/kselftest_module.h
tools/testing/selftests/lib.mk
tools/testing/selftests/run_kselftest.sh
END
}

# A .deb contains a tar, which contains the sources' tar.xz. Only these members of the latter are
# written to disk.
unpack_kselftest() {
	local deb=$1 source=$2 dir=$3 members
	mapfile -t members < <(kselftest_members)
	dpkg --fsys-tarfile "$deb" |
		tar -x -O -f - "./usr/src/$source.tar.xz" |
		tar -x -J -f - -C "$dir" --strip-components=1 "${members[@]/#/$source/}"
}

# A cached harness is kept: it hardly changes with updates of the kernel, and the package is
# large.
ensure_kselftest() {
	local kernel=$1 source suite place dir
	place=$(cache_dir)/kselftest/$kernel
	if [[ -d $place ]]; then
		say "kselftest $kernel: is cached"
		return
	fi
	suite=$(kernel_field "$kernel" suite)
	apt_update_once "$suite"
	source=linux-source-$kernel
	# shellcheck disable=SC2154 # set by deps.sh
	dir=$staging/kselftest
	mkdir -- "$dir" "$dir/tree"
	say "kselftest $kernel: fetching $source"
	apt_download "$suite" "$dir" "$source"
	unpack_kselftest "$dir"/*.deb "$source" "$dir/tree" ||
		die 3 "cannot extract the selftests from $source (see above);" \
			"compare its contents with kselftest_members in scripts/deps/kselftest.sh"
	publish "$dir/tree" "$place"
	say "kselftest $kernel: cached in $place"
}
