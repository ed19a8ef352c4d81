# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Installs node, and packages from npm's registry into the cache. Sourced by deps.sh; uses
# its install_packages, publish and $staging.
#
# In:  packages with exact versions, which do not need their install scripts.
# Out: <cache>/PLACE/node_modules.

# install_node GROUP. Keeps a node that is not from Debian, which Debian's npm would replace.
install_node() {
	local missing=()
	command -v node >/dev/null || missing+=(nodejs)
	command -v npm >/dev/null || missing+=(npm)
	install_packages "$1" "${missing[@]}"
}

has_npm() {
	local dir=$1 package
	shift
	for package; do
		grep -q -s -F "\"version\": \"${package##*@}\"" \
			"$dir/node_modules/${package%@*}/package.json" || return
	done
}

ensure_npm() {
	local group=$1 place=$2 dir
	shift 2
	install_node "$group"
	if has_npm "$(cache_dir)/$place" "$@"; then
		say "$*: cached"
		return
	fi
	# shellcheck disable=SC2154 # set by deps.sh
	dir=$staging/$place
	mkdir -- "$dir"
	say "$*: fetching"
	npm install --prefix "$dir" --ignore-scripts --no-audit --no-fund --silent "$@" >&2 ||
		die 3 "npm install $* failed (see above);" \
			"can its registry be reached? then scripts/deps.sh $group again"
	publish "$dir" "$(cache_dir)/$place"
	say "$*: cached in $(cache_dir)/$place"
}
