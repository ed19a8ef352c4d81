#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Ships finished archives to a directory or a store. Run by fxt-ship.timer, alone from an
# installed copy.
#
# In:  FXT_SHIP_FROM, which fxt-collect writes to; FXT_SHIP_TO; FXT_SHIP_AS; FXT_SHIP_DELETE;
#      FXT_SHIP_TRIES; FXT, the path of fxt.
# Out: the archives at their destination; in FXT_SHIP_FROM they move to shipped/, damaged ones to
#      rejected/ with a file that has the reason.
# Must hold: an archive that is not completely at its destination stays where it is. An existing
#      file at the destination is never replaced by a different one.

set -euo pipefail

from=${FXT_SHIP_FROM:-/var/lib/fxt-sched}
to=${FXT_SHIP_TO-}
as=${FXT_SHIP_AS:-archive}
tries=${FXT_SHIP_TRIES:-3}
fxt=${FXT:-fxt}
work=
shipped=0
failed=0

usage() {
	cat <<'END_USAGE'
usage: scripts/fleet/ship.sh

Ships each finished archive in a directory, the oldest one first, and moves it to shipped/
there. Damaged ones move to rejected/, with the findings of fxt check. Archives that could not
be shipped stay, and the next run tries again.

  FXT_SHIP_TO      destination: a directory, for example /srv/traces, or REMOTE:PATH of rclone
  FXT_SHIP_FROM    the directory of the archives (default: /var/lib/fxt-sched)
  FXT_SHIP_AS      archive: as they are, to archive/host=HOST/; parquet: their tables, to
                   parquet/host=HOST/date=DATE/; or "archive parquet" (default: archive)
  FXT_SHIP_DELETE  yes: delete archives that were shipped (default: no)
  FXT_SHIP_TRIES   attempts for each file (default: 3)

exit status: 0 all are shipped; 1 some could not be shipped, or were rejected; 2 wrong usage.
END_USAGE
}

say() {
	printf 'fxt-ship: %s\n' "$*" >&2
}

die() {
	local code=$1
	shift
	say "error: $*"
	exit "$code"
}

# --- one file or directory ----------------------------------------------------------------------

same() {
	diff -r -q -- "$1" "$2" >/dev/null
}

# put_local SOURCE DESTINATION: copies under another name first, so that nobody sees a part.
put_local() {
	local part
	part=$(dirname -- "$2")/.part-$$-$(basename -- "$2")
	if [[ -e $2 ]]; then
		same "$1" "$2" || { say "$2 exists and differs; move it away"; return 1; }
		return
	fi
	mkdir -p -- "$(dirname -- "$2")" && cp -r -- "$1" "$part" &&
		find "$part" -type f -exec sync -- {} + && same "$1" "$part" &&
		mv -n -T -- "$part" "$2" && [[ ! -e $part ]] && return
	rm -rf -- "$part"
	return 1
}

# put_remote SOURCE DESTINATION, of the same name: rclone compares checksums. --immutable keeps it
# from replacing another file, except in its command for a single file.
put_remote() {
	if [[ -d $1 ]]; then
		rclone copy --immutable --checksum -- "$1" "$2"
	else
		basename -- "$1" | rclone copy --immutable --checksum --files-from-raw - \
			"$(dirname -- "$1")" "$(dirname -- "$2")"
	fi
}

put() {
	local try
	for ((try = 1; try <= tries; try++)); do
		((try == 1)) || sleep $((try - 1))
		case $to in
		/*) ! put_local "$1" "$to/$2" || return 0 ;;
		*) ! put_remote "$1" "$to/$2" || return 0 ;;
		esac
	done
	return 1
}

# --- one archive ----------------------------------------------------------------------------------

# host_of FILE: prints the host as in the path of a partition; "unknown" if the archive lacks it.
host_of() {
	local host
	host=$("$fxt" info -q "$1" 2>/dev/null | sed -n 's/^host  *//p' | head -n 1 |
		tr -c 'A-Za-z0-9_.\n-' '_')
	printf '%s\n' "${host:-unknown}"
}

# set_aside FILE FOLDER: moves it there, so that the next run does not try again.
set_aside() {
	mkdir -p -- "$from/$2" && mv -n -- "$1" "$from/$2/" && [[ ! -e $1 ]] && return
	say "cannot move $1 to $from/$2; if there is another file of this name, move that away"
	return 1
}

reject() {
	say "rejected $1: $(head -n 1 "$work/why")"
	failed=$((failed + 1))
	! set_aside "$1" rejected || cp -- "$work/why" "$from/rejected/${1##*/}.why"
}

ship_archive() {
	put "$1" "archive/host=$(host_of "$1")/${1##*/}"
}

# Below parquet/, its only directory is host=HOST/date=DATE/archive=NAME.
ship_parquet() {
	local dir
	rm -rf -- "$work/parquet"
	"$fxt" convert -q --to parquet --partition -o "$work/parquet" "$1" || return
	dir=$(cd -- "$work/parquet" && find . -mindepth 3 -maxdepth 3 -type d)
	put "$work/parquet/$dir" "parquet/${dir#./}"
}

# is_sound FILE: is the archive valid? If not, writes the reason to $work/why. Threads without a
# name are not an error: a recorder in a container does not see the names of threads outside.
is_sound() {
	local status=0
	"$fxt" check --only format,sched "$1" >"$work/why" 2>&1 || status=$?
	sed -i -e '/: note: /d' -e '/: violation: .*\[sched unnamed\]$/d' "$work/why"
	((status == 0)) || { ((status == 1)) && ! grep -q ': violation: ' "$work/why"; }
}

ship() {
	local kind
	if ! is_sound "$1"; then
		reject "$1"
		return
	fi
	for kind in $as; do
		if ! "ship_$kind" "$1"; then
			say "$1 was not shipped to $to as $kind; it stays, and the next run tries again"
			failed=$((failed + 1))
			return
		fi
	done
	shipped=$((shipped + 1))
	if [[ ${FXT_SHIP_DELETE:-no} == yes ]]; then
		rm -- "$1"
	else
		set_aside "$1" shipped || failed=$((failed + 1))
	fi
}

# Finished archives have such a name.
finished() {
	find "$from" -maxdepth 1 -type f ! -name '.*' \
		\( -name '*.fxt' -o -name '*.fxt.zst' -o -name '*.fxt.zstd' -o -name '*.fxt.gz' \) \
		-printf '%T@\t%p\0' | sort -z -n | cut -z -f 2-
}

check_options() {
	local kind
	[[ -n $to ]] || die 2 "no destination; set FXT_SHIP_TO, for the service in /etc/default/fxt-sched"
	[[ $to == /* || $to == *:* ]] ||
		die 2 "FXT_SHIP_TO=$to: neither an absolute path nor a remote of rclone"
	[[ -d $from ]] || die 2 "FXT_SHIP_FROM=$from: no such directory"
	[[ $tries =~ ^[1-9][0-9]*$ ]] || die 2 "FXT_SHIP_TRIES=$tries: not a number"
	for kind in $as; do
		[[ $kind == archive || $kind == parquet ]] ||
			die 2 "FXT_SHIP_AS=$as: use archive, parquet, or both"
	done
	[[ $to == /* ]] || command -v rclone >/dev/null || die 2 "rclone is not installed"
	command -v "$fxt" >/dev/null || die 2 "$fxt is not installed; set FXT"
}

main() {
	local files file
	case ${1-} in
	'') ;;
	-h | --help) usage; exit 0 ;;
	*) die 2 "$1: unknown argument; see --help" ;;
	esac
	check_options
	exec {lock}>"$from/.fxt-ship.lock"
	flock -n "$lock" || { say "another run is shipping"; exit 0; }
	work=$(mktemp -d)
	trap 'rm -rf -- "$work"' EXIT
	mapfile -d '' -t files < <(finished)
	for file in "${files[@]}"; do
		ship "$file"
	done
	say "$shipped archives shipped to $to, $failed not"
	((failed == 0))
}

main "$@"
