# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Creates a small root with the compiler of another Debian release, for kernels whose
# modules need it; build-module.sh enters it. Sourced by deps.sh after suite.sh.
#
# In:  a Debian release and the package of the compiler (gcc-14, gcc-16-for-host).
# Out: <cache>/toolchains/SUITE-COMPILER/, a root; its file "version" names its
#      contents.

toolchain_dir() {
	printf '%s/toolchains/%s-%s\n' "$(cache_dir)" "$1" "${2%-for-host}"
}

# Packages that link and inspect an external module, besides the compiler.
toolchain_packages=make,libelf1t64,zlib1g,libssl3t64,kmod,pahole

# ensure_toolchain SUITE COMPILER: does nothing for this machine's own compiler.
ensure_toolchain() {
	local suite=$1 compiler=${2%-for-host} place dir
	[[ $suite != "$(own_suite)" ]] || return 0
	place=$(toolchain_dir "$suite" "$compiler")
	if [[ -d $place ]]; then
		say "toolchain $compiler of $suite: is cached"
		return
	fi
	can_be_root || die 3 "cannot create a root of $suite with $compiler:" \
		"not root and no sudo; run scripts/deps.sh as root"
	apt_update_once "$suite"
	# shellcheck disable=SC2154 # set by deps.sh
	dir=$staging/toolchain
	say "toolchain $compiler of $suite: creating a root"
	suite_sources "$suite" |
		as_root mmdebstrap --quiet --variant=essential --mode=root \
			--include="$compiler,$toolchain_packages" \
			--aptopt='Acquire::Check-Valid-Until "false"' \
			--dpkgopt='path-exclude=/usr/share/{man,doc,locale,info}/*' \
			"$suite" "$dir" - ||
		die 3 "mmdebstrap of $suite with $compiler failed (see above);" \
			"check the network and the space left for $(cache_dir)"
	printf '%s\n' "$(chroot "$dir" "$compiler" -dumpfullversion)" >"$dir/version"
	publish "$dir" "$place"
	say "toolchain $compiler of $suite: cached in $place"
}
