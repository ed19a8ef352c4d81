# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Starts and stops ClickHouse servers on loopback, each a shard of the cluster "fleet". Sourced.
#
# In:  $work, a directory; <cache>/fleet of deps/fleet.sh.
# Out: FXT_FLEET_SERVERS, for load.sh and ask.sh; the servers' process ids in $server_pids.

server_pids=()

# free_ports COUNT: prints ports on which nothing listens.
free_ports() {
	local port found=0
	for ((port = 19000; port < 20000 && found < $1; port++)); do
		if ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
			echo "$port"
			found=$((found + 1))
		fi
	done
}

start_server() {
	# shellcheck disable=SC2154 # the script's
	local port=$1 dir=$work/server-$1 try
	mkdir -p -- "$dir"
	awk -v dir="$dir" -v port="$port" -v shards="$2" '
		{ gsub(/@DIR@/, dir); gsub(/@PORT@/, port); sub(/@SHARDS@/, shards); print }' \
		"$(dirname -- "${BASH_SOURCE[0]}")/server.xml" >"$dir/server.xml"
	"$(cache_dir)/fleet/usr/sbin/clickhouse-server" --config-file="$dir/server.xml" \
		>"$dir/output" 2>&1 &
	server_pids+=($!)
	for ((try = 0; try < 300; try++)); do
		clickhouse-client --host 127.0.0.1 --port "$port" -q 'SELECT 1' \
			>/dev/null 2>&1 && return
		kill -0 "${server_pids[-1]}" 2>/dev/null || break
		sleep 0.1
	done
	cat -- "$dir/output" "$dir/log.err" >&2
	return 1
}

start_servers() {
	local ports port shards=
	mapfile -t ports < <(free_ports "$1")
	for port in "${ports[@]}"; do
		shards+="<shard><replica><host>127.0.0.1</host><port>$port</port></replica></shard>"
	done
	FXT_FLEET_SERVERS=
	for port in "${ports[@]}"; do
		start_server "$port" "$shards" || return
		FXT_FLEET_SERVERS+="${FXT_FLEET_SERVERS:+ }127.0.0.1:$port"
	done
	export FXT_FLEET_SERVERS
}

# Kills the servers: their data are no longer needed, and a clean stop takes seconds.
stop_servers() {
	((${#server_pids[@]} == 0)) || kill -KILL "${server_pids[@]}" 2>/dev/null || true
	wait "${server_pids[@]}" 2>/dev/null || true
	server_pids=()
}
