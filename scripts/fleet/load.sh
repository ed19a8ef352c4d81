#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Loads archives into the tables of a fleet (schema.sql) on ClickHouse.
#
# In:  archives of fxt-collect, in any order; FXT_FLEET_SERVERS; FXT.
# Out: rows on the servers; on standard error each rejected archive with the reason, and the
#      amount and rate of loading.
# Must hold: a segment counts once, however often it is loaded, and only as a whole. It is
#      identified by data in the archive: host, boot, time of the first record, and sequence.

set -euo pipefail

here=$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$here/../lib.sh"

fxt=${FXT:-$here/../../collector/fxt/fxt}
read -ra servers <<<"${FXT_FLEET_SERVERS:-localhost:9000}"
# It converts one archive per CPU at a time, and loads as many at a time as fit here.
batch_files=${FXT_FLEET_BATCH:-64}
batch_bytes=$((1 << 30))	# of CSV
tables=(metadata stats trace_bounds process thread sched thread_state thread_track slice)
work=
stage=

usage() {
	cat <<'END_USAGE'
usage: scripts/fleet/load.sh FILE...
       scripts/fleet/load.sh --create | --clean

  FILE...   load archives of fxt-collect; skips those loaded before, and rejects those that
            fxt check finds damaged: they stay where they are, and the reason is printed and
            added to the table fxt.rejected
  --create  create the tables on each server
  --clean   delete the remains of interrupted loads; no other load may run meanwhile

FXT_FLEET_SERVERS lists the servers (default: localhost:9000). All belong to the cluster
"fleet" of their configuration; FILEs are loaded through the first one. FXT is the path of fxt.

exit status: 0 all FILEs are loaded; 1 some were rejected; 2 wrong usage; 3 a server or fxt
failed: load the same FILEs again.
END_USAGE
}

client_of() {
	local server=$1
	shift
	clickhouse-client --host "${server%:*}" --port "${server##*:}" "$@"
}

client() {
	client_of "${servers[0]}" --insert_distributed_sync=1 --distributed_product_mode=local "$@"
}

create() {
	local server
	for server in "${servers[@]}"; do
		client_of "$server" --allow_experimental_low_cardinality_type=1 -n <"$here/schema.sql" ||
			die 3 "cannot create the tables on $server (see above)"
	done
}

clean() {
	local server table name
	for server in "${servers[@]}"; do
		for name in $(client_of "$server" -q "SELECT name FROM system.databases
				WHERE name LIKE 'fxt\\\\_load\\\\_%'"); do
			client_of "$server" -q "DROP DATABASE $name" ||
				die 3 "cannot drop $name on $server (see above)"
		done
		for table in run state slice queued; do
			client_of "$server" -q "ALTER TABLE fxt.${table}_local DELETE
				WHERE load NOT IN (SELECT load FROM fxt.segment_once)" ||
				die 3 "cannot clean $table on $server (see above)"
		done
	done
}

# --- one archive ------------------------------------------------------------------------

# said_by N: prints lines with host, boot, epoch, segment and snapshot of the session, and the time
# of the first record; each may be empty.
said_by() {
	awk -F, 'NR == FNR {
			key = $2
			if (sub(/^fxt_session_/, "", key) && !(key in said)) {
				sub(/^[^,]*,[^,]*,[^,]*,[^,]*,/, "")
				gsub(/"/, "")
				said[key] = $0
			}
			next
		}
		FNR == 2 { first = $1 }
		END {
			print said["host"] "\n" said["boot"] "\n" said["epoch"]
			print said["segment"] "\n" said["snapshot"] "\n" first
		}' "$work/csv.$1/metadata.csv" "$work/csv.$1/trace_bounds.csv"
}

# identify N: prints host, boot, start, sequence, epoch, separated by tabs.
identify() {
	local said host boot epoch seq first
	mapfile -t said < <(said_by "$1")
	host=${said[0]} boot=${said[1]:-unknown} epoch=${said[2]} first=${said[5]}
	seq=${said[3]:-${said[4]:-0}}
	if [[ -z $host || ! $epoch =~ ^[0-9]+$ ]]; then
		echo "it lacks the host or the time of the recording" >&2
		return 1
	fi
	if [[ -z $first ]]; then
		echo "it has no record with a time" >&2
		return 1
	fi
	printf '%s\t%s\t%s\t%s\t%s\n' "$host" "$boot" $((epoch + first)) "$seq" "$epoch"
}

# is_sound N FILE: is the archive valid? If not, writes the reason to why.N. Threads without a name
# are not an error: a recorder in a container does not see the names of threads outside.
is_sound() {
	local status=0
	"$fxt" check --only format,sched "$2" >"$work/check.$1" 2>&1 || status=$?
	grep -m 1 -v -e ': note: ' -e ': violation: .*\[sched unnamed\]$' "$work/check.$1" \
		>"$work/why.$1" || echo "fxt check failed" >"$work/why.$1"
	((status == 0)) || { ((status == 1)) && ! grep -q ': violation: ' "$work/why.$1"; }
}

# prepare N FILE: writes id.N, or the reason for rejecting the archive to why.N.
prepare() {
	local id
	if ! is_sound "$1" "$2"; then
		:
	elif ! "$fxt" convert -q --to csv -o "$work/csv.$1" "$2" 2>"$work/why.$1"; then
		:
	elif id=$(identify "$1" 2>"$work/why.$1"); then
		printf '%s\n' "$id" >"$work/id.$1"
	fi
}

# quote TEXT: for SQL.
quote() {
	local text=${1//\\/\\\\}
	printf "'%s'" "${text//\'/\\\'}"
}

# reject N FILE: adds a row to $rejects.
reject() {
	local why
	why=$(<"$work/why.$1")
	say "rejected $2: ${why#"fxt: "}"
	rejects+="${rejects:+, }(now(), $(quote "$2"), $(quote "$why"))"
	rejected=$((rejected + 1))
}

send_rejects() {
	client -q "INSERT INTO fxt.rejected VALUES $rejects" ||
		die 3 "cannot write to fxt.rejected (see above)"
}

# --- a batch ----------------------------------------------------------------------------

# known_ids: prints the ids of id.* that are loaded already.
known_ids() {
	local host boot start seq list=
	while IFS=$'\t' read -r host boot start seq _; do
		list+=",($(quote "$host"),$(quote "$boot"),$start,$seq)"
	done < <(cat -- "$work"/id.*)
	client -q "SELECT host, boot, start, seq FROM fxt.segment
		WHERE (host, boot, start, seq) IN (${list#,})"
}

# number N: appends its tables to those of the batch, with the number of the segment at the
# beginning of each row. A quoted text may contain line breaks.
number() {
	local from=("${tables[@]/#/$work/csv.$1/}")
	from=("${from[@]/%/.csv}")
	awk -v n="$1" -v to="$work" '
		FNR == 1 {
			table = FILENAME
			sub(/.*\//, "", table)
			table = to "/" table
			inside = 0
			next
		}
		{
			print (inside ? $0 : n "," $0) >>table
			if (index($0, "\"") && gsub(/"/, "\"") % 2)
				inside = !inside
		}' "${from[@]}"
	rm -rf -- "$work/csv.$1"
}

# add N FILE: adds it to the batch, unless $is_known already.
add() {
	local host boot start seq epoch load id
	IFS=$'\t' read -r host boot start seq epoch <"$work/id.$1"
	id=$host$'\t'$boot$'\t'$start$'\t'$seq
	if [[ -n ${is_known[$id]-} ]]; then
		known=$((known + 1))
		return
	fi
	is_known[$id]=1
	load=$((SRANDOM << 24 ^ SRANDOM))
	printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$load" "${2//[$'\t\n\\']/?}" "$host" \
		"$boot" "$seq" "$epoch" >>"$work/batch.tsv"
	number "$1"
	loaded=$((loaded + 1))
}

drop_stage() {
	[[ -z $stage ]] || client -q "DROP DATABASE IF EXISTS $stage"
	stage=
}

# send: moves the batch to the servers.
send() {
	local table
	stage=fxt_load_$$_$RANDOM
	if ! client -q "CREATE DATABASE $stage" ||
	   ! client -d "$stage" -n <"$here/stage.sql" ||
	   ! client -d "$stage" -q "INSERT INTO batch FORMAT TabSeparated" <"$work/batch.tsv"; then
		die 3 "cannot prepare the batch on ${servers[0]} (see above)"
	fi
	for table in "${tables[@]}"; do
		[[ ! -s $work/$table.csv ]] ||
			client -d "$stage" -q "INSERT INTO $table FORMAT CSV" <"$work/$table.csv" ||
			die 3 "cannot load the table $table (see above)"
	done
	switches=$((switches + $(wc -l <"$work/sched.csv")))
	client -d "$stage" -n <"$here/facts.sql" || die 3 "cannot load the batch (see above)"
	drop_stage
}

load_batch() {
	local file n=0 rejects='' id
	local -A is_known=()
	rm -rf -- "${work:?}"/*
	: >"$work/known"
	for file; do
		((n < jobs)) || wait -n || true
		prepare "$n" "$file" &
		n=$((n + 1))
	done
	wait
	! compgen -G "$work/id.*" >/dev/null || known_ids >"$work/known" ||
		die 3 "cannot ask ${servers[0]} what is loaded (see above)"
	while IFS= read -r id; do
		is_known[$id]=1
	done <"$work/known"
	n=0
	for file; do
		if [[ -e $work/id.$n ]]; then
			add "$n" "$file"
		else
			reject "$n" "$file"
		fi
		n=$((n + 1))
	done
	[[ -z $rejects ]] || send_rejects
	[[ ! -s $work/batch.tsv ]] || send
}

load_all() {
	local batch=() bytes=0 file start=$EPOCHREALTIME
	for file; do
		batch+=("$file")
		# An archive becomes about three times as large, a compressed one thirty times.
		bytes=$((bytes + 10 * $(stat -L -c %s -- "$file" 2>/dev/null || echo 0)))
		((${#batch[@]} < batch_files && bytes < batch_bytes)) || {
			load_batch "${batch[@]}"
			batch=() bytes=0
		}
	done
	((${#batch[@]} == 0)) || load_batch "${batch[@]}"
	awk -v from="$start" -v to="$EPOCHREALTIME" -v loaded="$loaded" -v known="$known" \
		-v rejected="$rejected" -v switches="$switches" 'BEGIN {
			printf "%d segments loaded, %d known, %d rejected: %d switches in %.2f s, %.0f a second\n",
				loaded, known, rejected, switches, to - from, switches / (to - from)
		}' | while read -r line; do say "$line"; done
}

main() {
	case ${1-} in
	'') usage >&2; exit 2 ;;
	-h | --help) usage; exit 0 ;;
	--create) create; exit 0 ;;
	--clean) clean; exit 0 ;;
	--) shift ;;
	-*) die 2 "$1: unknown option; see scripts/fleet/load.sh --help" ;;
	esac
	jobs=$(nproc) loaded=0 known=0 rejected=0 switches=0
	work=$(mktemp -d)
	trap 'drop_stage; rm -rf -- "$work"' EXIT
	load_all "$@"
	((rejected == 0))
}

main "$@"
