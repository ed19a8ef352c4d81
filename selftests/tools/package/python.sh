#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The Python module and the shared library below it: python.py.
#
# In:  the library and fxt as they are built; archives.
# Out: TAP.

cd "$(dirname "$0")/../.." || exit 1
# Debian's, whatever else PATH has.
python=/usr/bin/python3
if ! [ -x $python ] || ! command -v cc >/dev/null; then
	echo "TAP version 13"
	echo "1..1"
	echo "ok 1 # SKIP no python3 or no compiler here"
	exit 0
fi
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
./generate all >"$dir/all.fxt"
./generate all swapped >"$dir/swapped.fxt"
./generate sched 5000 2 >"$dir/sched.fxt"
export LD_LIBRARY_PATH=../collector PYTHONPATH=../collector/python PYTHONDONTWRITEBYTECODE=1
export FXT_TOOL="${FXT_TOOL:-../collector/fxt/fxt}"
$python tools/package/python.py "$dir" vectors/*.fxt vectors/*.fxt.gz vectors/*.fxt.zst vectors/fxt/*.fxt
