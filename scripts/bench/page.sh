#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Measures the pages of fxt report --html: bytes a switch, and the time that a browser needs to load
# and to draw them while a user zooms, moves and hovers.
#
# In:  archives; without any, two that are generated, of 2 and of 64 CPUs, and as root a recording
#      of ping-pongs with BPF; FXT_BROWSER (default: chromium, else chromium-headless-shell); what
#      scripts/deps.sh html installs.
# Out: a table of medians, kept by results.sh, and as JSON in a file if one is given.
# Must hold: nothing else runs on the machine, because it would change the times.

set -euo pipefail

here=$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$here/../lib.sh"
# shellcheck source-path=SCRIPTDIR source=results.sh
. "$here/results.sh"

events=1750000		# of a generated machine: these have a million switches
seconds=3		# duration of the ping-pongs
repetitions=3

usage() {
	cat <<'END'
usage: scripts/bench/page.sh [--json FILE] [--repetitions N] [ARCHIVE...]

Makes pages of archives and opens them in Chromium at 1600x1000, N times each (default: 3).
The default archives are two of a million random switches, on 2 and on 64 CPUs, and as root
also one of ping-pongs. Prints for each page the medians of

  B/switch  bytes of the page for each switch
  paint     ms from the start of loading to the first paint
  drawn     ms until the timeline is drawn
  zoom      ms between two frames while W and S are held: median and 99th percentile
  pan       likewise, with D and A
  hover     likewise, while the mouse moves over the rows

exit status: 0 done, 1 a page could not be made or measured, 2 wrong usage, 3 a program is
missing.
END
}

generate_archives() {
	local cpus
	for cpus in 2 64; do
		selftests/generate sched "$events" "$cpus" >"$work/random, $cpus CPUs.fxt" ||
			die 1 "an archive of $cpus CPUs could not be generated"
	done
	if ((EUID != 0)) || [[ ! -e /sys/kernel/btf/vmlinux ]]; then
		say "no ping-pongs: recording them requires root, and a kernel with BTF"
		return
	fi
	collector/fxt-collect/fxt-collect -q -s bpf -o "$work/ping-pongs.fxt" -- \
		selftests/pingpongs ms $((seconds * 1000)) 2>"$work/said" ||
		die 1 "recording ping-pongs failed: $(tail -n 1 "$work/said")"
}

# make_page ARCHIVE: in $work/pages; prints its name, bytes and switches.
make_page() {
	local name page
	name=$(basename -- "$1")
	name=${name%%.fxt*}
	page="$work/pages/$name.html"
	if ! collector/fxt/fxt report -q --force --html "$page" "$1" ||
	   ! collector/fxt/fxt report -q --json --top 1 "$1" >"$work/report.json"; then
		die 1 "no page of $1 (see above)"
	fi
	printf '%s\t%s\t%s\n' "$name" "$(stat -c %s -- "$page")" \
		"$(grep -o -m 1 '"switches":[0-9]*' "$work/report.json" | head -n 1 | cut -d : -f 2)"
}

# summarise: lines of page.js; the sizes are in $work/sizes.
summarise() {
	awk -v sizes="$work/sizes" "$bench_awk"'
		BEGIN {
			while ((getline line < sizes) > 0) {
				split(line, field, "\t")
				names[++pages] = field[1]
				bytes[field[1]] = field[3] ? field[2] / field[3] : "-"
				switches[field[1]] = field[3]
			}
			kinds = split("paint drawn zoom zoom_p99 pan pan_p99 hover hover_p99", key, " ")
		}
		{ for (i = 1; i <= kinds; i++) note($1 key[i], $(i + 1)) }
		END {
			print "page", "switches", "bytes_per_switch", "paint_ms", "drawn_ms", "zoom_ms",
				"zoom_p99_ms", "pan_ms", "pan_p99_ms", "hover_ms", "hover_p99_ms"
			print "page", "switches", "B/switch", "paint", "drawn", "zoom p50", "p99",
				"pan p50", "p99", "hover p50", "p99"
			for (n = 1; n <= pages; n++) {
				line = names[n] OFS switches[names[n]] OFS as("%.2f", bytes[names[n]])
				for (i = 1; i <= kinds; i++)
					line = line OFS as(i > 2 ? "%.1f" : "%.0f", median(names[n] key[i]))
				print line
			}
		}'
}

parse() {
	json=''
	while (($# > 0)); do
		case $1 in
		-h | --help) usage; exit 0 ;;
		--json) json=$(realpath -- "${2:?}"); shift 2 ;;
		--repetitions) repetitions=${2:?}; shift 2 ;;
		-*) usage >&2; exit 2 ;;
		*) break ;;
		esac
	done
	if ! bench_count "$repetitions"; then
		usage >&2
		exit 2
	fi
	archives=()
	(($# == 0)) || mapfile -t archives < <(realpath -- "$@")
}

main() {
	local archive playwright browser
	parse "$@"
	cd "$here/../.."
	bench_needs collector/fxt/fxt selftests/generate selftests/pingpongs
	playwright=$(cache_dir)/playwright/node_modules/playwright-core
	browser=$(find_browser) || browser=''
	[[ -n $browser && -d $playwright ]] ||
		die 3 "chromium or playwright-core is missing; run scripts/deps.sh html"
	work=$(mktemp -d)
	trap 'rm -rf -- "$work"' EXIT
	mkdir -- "$work/pages"
	if ((${#archives[@]} == 0)); then
		generate_archives
		archives=("$work"/*.fxt)
	fi
	for archive in "${archives[@]}"; do
		make_page "$archive"
	done >"$work/sizes"
	node "$here/page.js" "$playwright" "$browser" "$repetitions" "$work"/pages/*.html \
		>"$work/runs" || die 1 "$browser could not show the pages (see above)"
	summarise <"$work/runs" >"$work/table"
	{
		bench_machine
		echo "1600x1000, ms, medians of $repetitions"
		bench_columns <"$work/table"
	} >"$work/text"
	bench_json machine "$(bench_machine)" repetitions "$repetitions" <"$work/table" >"$work/json"
	bench_keep page "$work" "$json"
}

main "$@"
