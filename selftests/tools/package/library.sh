#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The library as other programs use it, in C and C++: installed, found by pkg-config, linked, run.
#
# Out: TAP.

cd "$(dirname "$0")/../.." || exit 1
echo "TAP version 13"
echo "1..1"
if ! command -v cc >/dev/null || ! command -v pkg-config >/dev/null; then
	echo "ok 1 # SKIP library: no compiler or no pkg-config here"
	exit 0
fi
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
# shellcheck disable=SC2046 # a list of options
{
	make -s -C .. install DESTDIR="$dir" PREFIX=/usr KDIR= &&
		export PKG_CONFIG_PATH="$dir/usr/lib/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$dir" &&
		cc -Wall -Werror -o "$dir/example" tools/package/library_example.c \
			$(pkg-config --cflags --libs fxt) &&
		{ ! command -v c++ >/dev/null ||
			c++ -Wall -Werror -x c++ -include fxt/fxt_writer.h -o "$dir/c++" \
				tools/package/library_example.c $(pkg-config --cflags --libs fxt); } &&
		./generate sched 5000 2 >"$dir/x.fxt" &&
		"$dir/example" "$dir/x.fxt" >"$dir/out"
} >"$dir/log" 2>&1
status=$?
sum=$(awk '{ n += $3 } END { print n }' "$dir/out" 2>/dev/null)
told=$(../collector/fxt/fxt info --json "$dir/x.fxt" 2>/dev/null |
	sed -n 's/.*"context_switch":{"records":\([0-9]*\).*/\1/p')
if [ "$status" -eq 0 ] && [ -n "$told" ] && [ "$sum" = "$told" ]; then
	echo "ok 1 library"
else
	echo "# status $status, the example counted $sum switches, fxt info $told"
	sed 's/^/# /' "$dir/log"
	echo "not ok 1 library"
fi
