# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Installs the programs for the test of scripts/fleet/: ClickHouse, rclone, and DuckDB. Sourced by
# deps.sh after suite.sh and parquet.sh.
#
# In:  Debian's clickhouse-client and clickhouse-server; DuckDB as in parquet.sh.
# Out: <cache>/fleet/usr/sbin/clickhouse-server. Its package is unpacked, not installed, so that
#      no service starts; the client's package has all libraries that it needs.

clickhouse_server() {
	printf '%s/fleet/usr/sbin/clickhouse-server\n' "$(cache_dir)"
}

ensure_fleet() {
	local dir
	ensure_parquet
	if [[ -x $(clickhouse_server) ]]; then
		say "clickhouse-server: cached"
		return
	fi
	# shellcheck disable=SC2154 # set by deps.sh
	dir=$staging/fleet
	mkdir -p -- "$dir" "$staging/fleet-debs"
	apt_update_once
	say "clickhouse-server: fetching"
	apt_download "$(own_suite)" "$staging/fleet-debs" clickhouse-server
	dpkg -x "$staging"/fleet-debs/clickhouse-server_*.deb "$dir" ||
		die 3 "dpkg -x of clickhouse-server failed (see above);" \
			"check the space left for $(cache_dir)"
	publish "$dir" "$(cache_dir)/fleet"
	say "clickhouse-server: cached in $(cache_dir)/fleet"
}
