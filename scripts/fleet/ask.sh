#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Asks the questions of questions/ to a fleet on ClickHouse.
#
# In:  the first characters of their file names; FXT_FLEET_SERVERS; FXT_FLEET_QUESTIONS.
# Out: the answers as tables, or with --tsv as fields separated by tabs.

set -euo pipefail

here=$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$here/../lib.sh"

server=${FXT_FLEET_SERVERS:-localhost:9000}
server=${server%% *}
format=PrettyCompact
questions=${FXT_FLEET_QUESTIONS:-$here/questions}

usage() {
	cat <<'END_USAGE'
usage: scripts/fleet/ask.sh [--tsv] [QUESTION...]

Prints the answer to each QUESTION, which is the first characters of the name of a file in
questions/, for example 01 or 03-doubled (default: all). scripts/fleet/ask.sh --list prints the
questions.

FXT_FLEET_SERVERS lists the servers (default: localhost:9000); the first one answers.
FXT_FLEET_QUESTIONS is the directory of the questions (default: questions/).

exit status: 0 done; 2 wrong usage; 3 the server failed.
END_USAGE
}

# title FILE: prints the first sentence of its comment.
title() {
	sed -n '3s/^-- //p' "$1"
}

list() {
	local file
	for file in "$questions"/*.sql; do
		printf '%s  %s\n' "$(basename -- "$file" .sql)" "$(title "$file")"
	done
}

ask() {
	[[ $format == TabSeparatedWithNames ]] || printf '\n%s\n' "$(title "$1")"
	# All rows of a host are on one server, so a join only needs the rows of that server.
	clickhouse-client --host "${server%:*}" --port "${server##*:}" -d fxt \
		--distributed_product_mode=local --format "$format" -n <"$1" ||
		die 3 "$1: $server failed (see above)"
}

main() {
	local word file files=()
	case ${1-} in
	-h | --help) usage; exit 0 ;;
	--list) list; exit 0 ;;
	--tsv) format=TabSeparatedWithNames; shift ;;
	-*) die 2 "$1: unknown option; see scripts/fleet/ask.sh --help" ;;
	esac
	(($# > 0)) || set -- ''
	for word; do
		compgen -G "$questions/$word*.sql" >/dev/null ||
			die 2 "$word: unknown question; scripts/fleet/ask.sh --list prints them"
		files+=("$questions/$word"*.sql)
	done
	for file in "${files[@]}"; do
		ask "$file"
	done
}

main "$@"
