#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests the units of the packages with a running systemd. Run by packages.sh as a service
# in a Debian that has the packages, and whose files are discarded afterwards.
#
# In:  /check/x.fxt, an archive.
# Out: /check/passed, if all is as expected; messages on standard error.

set -euo pipefail

spool=/var/lib/fxt-sched
store=/srv/traces

# Repeats COMMAND until it succeeds, for at most a minute.
until_true() {
	local try
	for ((try = 0; try < 600; try++)); do
		! "$@" || return 0
		sleep 0.1
	done
	echo "still not: $*" >&2
	return 1
}

# The timer of the package runs every five minutes; here every second.
hurry() {
	mkdir -p -- "/etc/systemd/system/$1.d"
	cat >"/etc/systemd/system/$1.d/hurry.conf" <<-'END'
	[Timer]
	OnBootSec=
	OnBootSec=1s
	OnUnitInactiveSec=1s
	RandomizedDelaySec=0
	AccuracySec=100ms
	END
	systemctl daemon-reload
}

shipped() {
	compgen -G "$store/archive/host=*/$1" >/dev/null
}

# ActiveState of a service that runs once is "activating" while it runs.
has_ended() {
	[[ $(systemctl show -P ActiveState fxt-ship.service) == inactive ]]
}

# The first runs fail, because the destination is a file; the next ones ship.
timer_ships_and_retries() {
	echo "FXT_SHIP_TO=$store" >/etc/default/fxt-sched
	install -d -m 700 "$spool"
	cp -- /check/x.fxt "$spool/first.fxt"
	: >"$store"
	hurry fxt-ship.timer
	systemctl enable --now fxt-ship.timer
	until_true systemctl is-failed --quiet fxt-ship.service
	[[ -e $spool/first.fxt ]]
	rm -- "$store"
	until_true shipped first.fxt
	until_true test -e "$spool/shipped/first.fxt"
	cmp -- /check/x.fxt "$store"/archive/host=*/first.fxt
	cp -- /check/x.fxt "$spool/second.fxt"
	until_true test -e "$spool/shipped/second.fxt"
	systemctl disable --now fxt-ship.timer
	# A run that is not over yet would ship the next archive to this destination.
	until_true has_ended
}

# rclone needs its configuration, which is in the home directory of root.
service_ships_with_rclone() {
	mkdir -p /root/.config/rclone
	printf '[store]\ntype = alias\nremote = /srv/remote\n' >/root/.config/rclone/rclone.conf
	echo "FXT_SHIP_TO=store:traces" >/etc/default/fxt-sched
	cp -- /check/x.fxt "$spool/third.fxt"
	systemctl start fxt-ship.service
	cmp -- /check/x.fxt /srv/remote/traces/archive/host=*/third.fxt
	[[ -e $spool/shipped/third.fxt ]]
}

snapshot() {
	compgen -G "$spool/flight-*.fxt.zst" >/dev/null
}

recording() {
	journalctl -u fxt-flight-recorder | grep -q 'recording with'
}

# A container does not see the names of the machine's threads, hence --only format.
recorder_writes_a_snapshot() {
	echo "FXT_OPTIONS=--buffer 1M" >/etc/default/fxt-sched
	systemctl start fxt-flight-recorder
	until_true recording
	systemctl kill --signal=USR1 fxt-flight-recorder
	until_true snapshot
	systemctl stop fxt-flight-recorder
	[[ $(systemctl show -P Result fxt-flight-recorder) == success ]]
	fxt check --only format "$spool"/flight-*.fxt.zst
	echo "FXT_SHIP_TO=$store" >/etc/default/fxt-sched
	systemctl start fxt-ship.service
	shipped 'flight-*.fxt.zst'
}

main() {
	timer_ships_and_retries
	service_ships_with_rclone
	recorder_writes_a_snapshot
	: >/check/passed
}

main "$@"
