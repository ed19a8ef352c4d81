#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Errors that people make: what both programs print, and their exit status.
#
# In:  golden/errors.txt, a block for each command line; the programs as they are built.
#      FXT_GOLDEN=write writes the blocks anew.
# Out: TAP.
# Must hold: a message says what was tried, what is wrong and what to do next; the status is that of
#      the manual.

cd "$(dirname "$0")/../.." || exit 1
export LC_ALL=C
here=$(pwd)
golden=$here/golden/errors.txt
tool=${FXT_TOOL:-../collector/fxt/fxt}
collect=${FXT_COLLECT:-../collector/fxt-collect/fxt-collect}
PATH=$(realpath "$(dirname "$tool")"):$(realpath "$(dirname "$collect")"):$PATH
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
chmod 755 "$dir"

# The files of the command lines.
mkdir "$dir/files" "$dir/files/dir"
./generate sched 20000 2 >"$dir/files/a.fxt"
./generate sched 500 2 >"$dir/files/b.fxt"
cp vectors/go-writer.fxt "$dir/files/no-sched.fxt"
gunzip -c vectors/perf.data.gz >"$dir/files/perf.data"
gunzip -c vectors/trace.dat.gz >"$dir/files/trace.dat"
cd "$dir/files" || exit 1
head -c 700 a.fxt >short.fxt
zstd -q -c a.fxt | head -c 300 >short.fxt.zst
head -c 3000 trace.dat >short.dat
head -c 1000 perf.data >short.data
printf '{"traceEvents":' >half.json
echo "hello, this is text" >text
printf 'PK\003\004aaaaaaaaaaaaaaaaaaaa' >z.zip
: >empty
: >secret.fxt
chmod 0 secret.fxt
echo "#!/bin/sh" >script

# lacks THING...: is one of the things that a block needs missing here?
lacks() {
	for thing; do
		case $thing in
		root) [ "$(id -u)" -eq 0 ] || return 0 ;;
		no-module) [ ! -e /dev/fxt_sched ] || return 0 ;;
		esac
	done
	return 1
}

# What depends on the machine.
plain() {
	sed -e 's/its CPUs are .*/its CPUs are .../' -e 's,below /sys/fs/cgroup.*,below .../,'
}

needs=
while IFS= read -r line; do
	case $line in
	"# needs "*) needs=${line#"# needs "} ;;
	"\$ "*)
		[ -z "$needs" ] || echo "# needs $needs"
		echo "$line"
		# shellcheck disable=SC2086 # a list
		if lacks $needs; then
			echo "skipped"
		else
			sh -c "${line#"\$ "}" 2>"$dir/err" >/dev/null </dev/null
			status=$?
			plain <"$dir/err"
			echo "= $status"
		fi
		echo
		needs=
		;;
	esac
done <"$golden" >"$dir/now"

if [ "$FXT_GOLDEN" = write ]; then
	{ sed '/^$/q' "$golden"; cat "$dir/now"; } >"$dir/new" && cp "$dir/new" "$golden"
fi
awk -v RS= '
	/^# [^n]/ { next }
	FNR == NR { want[++count] = $0; next }
	FNR == 1 { print "TAP version 13"; print "1.." count }
	{
		number++
		name = $0
		sub(/^# needs [^\n]*\n/, "", name)
		sub(/\n.*/, "", name)
		gsub(/#/, "\\#", name)
		if ($0 ~ /\nskipped$/) {
			print "ok " number " # SKIP " name
		} else if ($0 == want[number]) {
			print "ok " number " " name
		} else {
			failed = 1
			text = "expected:\n" want[number] "\nfound:\n" $0
			gsub(/\n/, "\n# ", text)
			print "# " text
			print "not ok " number " " name
		}
	}
	END { exit failed }' "$golden" "$dir/now"
