# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# The tests of ship.sh. Sourced by test.sh.
#
# In:  $work, $here, $fxt, $generate of test.sh; ok of tap.sh.
# Out: test_ship(): lines of TAP.

# shellcheck disable=SC2154 # set by test.sh

# ship TO [VARIABLE=VALUE...]: ships $spool.
ship() {
	local to=$1
	shift
	env FXT="$fxt" FXT_SHIP_FROM="$spool" FXT_SHIP_TO="$to" FXT_SHIP_TRIES=1 "$@" \
		"$here/ship.sh"
}

# new_spool: two finished archives, one that is being written, and one that is damaged.
new_spool() {
	spool=$work/spool
	rm -rf -- "$spool" "$work/store"
	mkdir -p -- "$spool" "$work/store"
	"$generate" fleet 0 0 10 >"$spool/a.fxt"
	"$generate" fleet 1 0 10 >"$spool/b.fxt"
	"$generate" fleet 2 0 10 | head -c 4000 >"$spool/c.fxt.part"
}

files_in() {
	(cd -- "$1" && find . -type f | LC_ALL=C sort)
}

ships_finished_archives() {
	new_spool
	ship "$work/store" FXT_SHIP_AS="archive parquet" || return
	[[ $(files_in "$spool" | tr '\n' ' ') == "./.fxt-ship.lock ./c.fxt.part ./shipped/a.fxt ./shipped/b.fxt " ]] &&
		cmp "$spool/shipped/a.fxt" "$work/store/archive/host=fleet-000/a.fxt" &&
		cmp "$spool/shipped/b.fxt" "$work/store/archive/host=fleet-001/b.fxt" &&
		[[ -s $(echo "$work"/store/parquet/host=fleet-001/date=2023-11-14/archive=b-*/sched.parquet) ]] &&
		[[ -z $(find "$work/store" -name '.part-*') ]]
}

# Archives that one run could not ship stay, and the next run ships them, without a second copy of
# those that the first run has shipped.
retries() {
	local status=0
	new_spool
	: >"$work/store/parquet"	# a file where a directory is needed
	ship "$work/store" FXT_SHIP_AS="archive parquet" FXT_SHIP_DELETE=yes FXT_SHIP_TRIES=2 ||
		status=$?
	((status == 1)) && [[ -e $spool/a.fxt && -e $spool/b.fxt ]] || return
	rm -- "$work/store/parquet"
	ship "$work/store" FXT_SHIP_AS="archive parquet" FXT_SHIP_DELETE=yes &&
		[[ ! -e $spool/a.fxt && ! -e $spool/shipped ]] &&
		[[ $(find "$work/store" -name '*.fxt' | wc -l) == 2 ]] &&
		[[ $(find "$work/store" -name 'sched.parquet' | wc -l) == 2 ]]
}

# Another archive has the same name: neither is lost.
replaces_nothing() {
	local status=0 there=$work/store/archive/host=fleet-000/a.fxt
	new_spool
	mkdir -p -- "$(dirname -- "$there")"
	echo "another" >"$there"
	ship "$work/store" FXT_SHIP_DELETE=yes || status=$?
	((status == 1)) && [[ -e $spool/a.fxt && $(<"$there") == another && ! -e $spool/b.fxt ]]
}

# The disk becomes full in the middle of a file.
full_disk_loses_nothing() {
	local status=0
	new_spool
	mount -t tmpfs -o size=8k none "$work/store" || return
	ship "$work/store" FXT_SHIP_DELETE=yes || status=$?
	[[ $status == 1 && -e $spool/b.fxt && -z $(find "$work/store" -name '.part-*') ]] ||
		status=failed
	umount -- "$work/store"
	[[ $status == 1 ]] && ship "$work/store" FXT_SHIP_DELETE=yes && [[ ! -e $spool/b.fxt ]]
}

keeps_damaged_ones() {
	local status=0
	new_spool
	head -c 4000 "$spool/a.fxt" >"$spool/cut.fxt"
	ship "$work/store" FXT_SHIP_DELETE=yes || status=$?
	((status == 1)) && [[ ! -e $spool/a.fxt && ! -e $spool/cut.fxt ]] &&
		[[ -e $spool/rejected/cut.fxt ]] && grep -q violation "$spool/rejected/cut.fxt.why" &&
		[[ -z $(find "$work/store" -name '*cut*') ]]
}

ships_what_a_container_recorded() {
	new_spool
	cp -- "$work/archives/container.fxt" "$spool/d.fxt"
	ship "$work/store" && cmp "$spool/shipped/d.fxt" "$work"/store/archive/host=*/d.fxt
}

needs_a_destination() {
	local status=0
	new_spool
	ship '' || status=$?
	((status == 2)) && [[ -e $spool/a.fxt ]] || return
	status=0
	ship somewhere || status=$?
	((status == 2)) && [[ -e $spool/a.fxt ]]
}

# A remote of rclone that is a directory, at first one that cannot be created.
ships_with_rclone() {
	local status=0
	new_spool
	export RCLONE_CONFIG=$work/rclone.conf
	printf '[store]\ntype = alias\nremote = %s\n' "$work/store/file" >"$RCLONE_CONFIG"
	: >"$work/store/file"
	ship store: FXT_SHIP_DELETE=yes || status=$?
	((status == 1)) && [[ -e $spool/a.fxt && -e $spool/b.fxt ]] || return
	printf '[store]\ntype = alias\nremote = %s\n' "$work/store" >"$RCLONE_CONFIG"
	ship store: FXT_SHIP_AS="archive parquet" &&
		cmp "$spool/shipped/a.fxt" "$work/store/archive/host=fleet-000/a.fxt" &&
		[[ $(find "$work/store/parquet" -name 'sched.parquet' | wc -l) == 2 ]] || return
	status=0
	mv -- "$spool"/shipped/* "$spool/"
	echo "another" >"$work/store/archive/host=fleet-000/a.fxt"
	ship store: FXT_SHIP_DELETE=yes || status=$?
	((status == 1)) && [[ -e $spool/a.fxt && ! -e $spool/b.fxt ]]
}

what_was_shipped_loads() {
	new_spool
	ship "$work/store" FXT_SHIP_AS=archive &&
		"$here/load.sh" "$work"/store/archive/*/*.fxt
}

test_ship() {
	ok "ship.sh ships finished archives" ships_finished_archives
	ok "ship.sh retries, and deletes nothing before" retries
	ok "ship.sh replaces nothing" replaces_nothing
	if ((EUID == 0)); then
		ok "ship.sh loses nothing if the disk is full" full_disk_loses_nothing
	fi
	ok "ship.sh keeps damaged archives" keeps_damaged_ones
	if can_record; then
		ok "ship.sh ships what a container recorded" ships_what_a_container_recorded
	fi
	ok "ship.sh needs a destination" needs_a_destination
	if command -v rclone >/dev/null; then
		ok "ship.sh ships with rclone" ships_with_rclone
	fi
	ok "what was shipped loads" what_was_shipped_loads
}
