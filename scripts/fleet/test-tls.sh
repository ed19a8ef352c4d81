# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# The tests of a fleet whose hosts send their segments to fxt receive, where both sides have
# certificates. Sourced by test.sh.
#
# In:  $work, $root, $here, $fxt, client, can_record of test.sh; ok of tap.sh; openssl.
# Out: test_tls(): lines of TAP.

# shellcheck disable=SC2154 # set by test.sh

# authority NAME: a certificate that signs others.
authority() {
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 \
		-subj "/CN=$1" -keyout "$certs/$1.key" -out "$certs/$1.crt" 2>/dev/null
}

# party AUTHORITY NAME ADDRESS: makes a certificate for the program at this address.
party() {
	openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$2" \
		-keyout "$certs/$2.key" -out "$certs/$2.csr" 2>/dev/null &&
		openssl x509 -req -in "$certs/$2.csr" -CA "$certs/$1.crt" -CAkey "$certs/$1.key" \
			-CAcreateserial -days 1 -extfile <(echo "subjectAltName=$3") \
			-out "$certs/$2.crt" 2>/dev/null
}

certificates_are_made() {
	certs=$work/certs
	mkdir -- "$certs" && authority fleet && authority others &&
		party fleet receiver IP:127.0.0.1 && party fleet host DNS:host &&
		party others stranger DNS:host
}

# receive NAME COUNT: begins to receive COUNT archives in $work/NAME; sets $port and $receiver.
receive() {
	local try
	mkdir -- "$work/$1"
	"$fxt" receive -l tls://127.0.0.1:0 -o "$work/$1" -n "$2" --tls-cert "$certs/receiver.crt" \
		--tls-key "$certs/receiver.key" --tls-ca "$certs/fleet.crt" \
		>"$work/$1.files" 2>"$work/$1.said" &
	receiver=$!
	port=
	for ((try = 0; try < 300; try++)); do
		port=$(sed -n 's|.*listening at tls://127.0.0.1:\([0-9]*\).*|\1|p' "$work/$1.said")
		[[ -z $port ]] || return 0
		sleep 0.1
	done
	return 1
}

# send NAME OPTION...: records as the host with this certificate.
send() {
	local name=$1
	shift
	"$root/collector/fxt-collect/fxt-collect" -q --source=bpf -e irq -z zstd \
		-o "tls://127.0.0.1:$port" --tls-cert "$certs/$name.crt" \
		--tls-key "$certs/$name.key" --tls-ca "$certs/fleet.crt" "$@"
}

# Each segment arrives in a connection of its own, and is an archive when it is complete.
segments_come() {
	local file count=0
	receive came 3 && send host --rotate time=1s -d 3s && wait "$receiver" || return
	for file in "$work"/came/*.fxt.zst; do
		"$fxt" check -q --only format,sched "$file" || return
		count=$((count + 1))
	done
	((count == 3))
}

what_came_loads() {
	local before
	before=$(client "SELECT count(*) FROM segment") &&
		"$here/load.sh" "$work"/came/*.fxt.zst &&
		[[ $(client "SELECT count(*) FROM segment") == $((before + 3)) ]]
}

# A sender with a certificate of another authority gets an error, and no file has its data.
strangers_send_nothing() {
	local status=0
	receive refused 1 || return
	send stranger -d 300ms 2>"$work/stranger.said" || status=$?
	kill "$receiver"
	wait "$receiver" || :
	cat -- "$work/stranger.said"
	((status != 0)) && [[ -z $(find "$work/refused" -name '*.fxt*') ]]
}

test_tls() {
	can_record && command -v openssl >/dev/null || return 0
	ok "certificates are made" certificates_are_made
	ok "segments come over TLS" segments_come
	ok "what came over TLS loads" what_came_loads
	ok "strangers send nothing over TLS" strangers_send_nothing
}
