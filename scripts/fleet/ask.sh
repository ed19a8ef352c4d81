#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Asks the questions of questions/ to a fleet on ClickHouse.
#
# In:  the first characters of their file names; FXT_FLEET_SERVERS; FXT_FLEET_QUESTIONS.
# Out: the answers as tables, or with --tsv with tabs.

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

Prints the answer to each QUESTION (default: all), which is the beginning of the name of a file
in questions/, e.g. 01 or 03-doubled. --list alone prints what each question asks.

FXT_FLEET_SERVERS lists the servers (default: localhost:9000); the first one is asked.
FXT_FLEET_QUESTIONS is the directory of the questions (default: questions/).

exit status: 0 done; 2 wrong usage; 3 the server failed.
END_USAGE
}

# title FILE: its first sentence.
title() {
	sed -n '3s/^-- //p' "$1"
}

list() {
	local file
	for file in "$questions"/*.sql; do
		printf '%s  %s\n' "$(basename -- "$file" .sql)" "$(title "$file")"
	done
}

# ask FILE
ask() {
	[[ $format == TabSeparatedWithNames ]] || printf '\n%s\n' "$(title "$1")"
	# A host's rows are on one server, so that a join needs only its own ones.
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
