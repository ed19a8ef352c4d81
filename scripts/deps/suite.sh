# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Fetches packages of this Debian and of others. Each other release has its own apt state
# in the cache, separate from this machine's apt. Sourced by deps.sh.
#
# In:  this machine's package sources: the same mirrors serve the other releases.
# Out: functions; <cache>/apt/SUITE/ with the package lists of SUITE.

own_suite() {
	(. /etc/os-release && printf '%s\n' "${VERSION_CODENAME-}")
}

# mirror_of SUITE: prints this machine's mirror of that release; nothing if it has none.
mirror_of() {
	# shellcheck disable=SC2016 # apt's own variables
	apt-get indextargets --format '$(REPO_URI) $(CODENAME)' 'Created-By: Packages' 2>/dev/null |
		awk -v suite="$1" '$2 == suite { print $1; exit }'
}

# suite_sources SUITE: lines for apt's list of sources. sid has no security updates.
suite_sources() {
	local own main security
	local key=/usr/share/keyrings/debian-archive-keyring.gpg
	own=$(own_suite)
	main=$(mirror_of "$own")
	[[ -n $main ]] || die 3 "this machine's package sources have no mirror of Debian's $own," \
		"so none for $1 either; see /etc/apt, then run apt-get update"
	printf 'deb [signed-by=%s] %s %s main\n' "$key" "$main" "$1"
	security=$(mirror_of "$own-security")
	if [[ $1 != sid && -n $security ]]; then
		printf 'deb [signed-by=%s] %s %s-security main\n' "$key" "$security" "$1"
	fi
}

# apt_of SUITE COMMAND ARGUMENT...: runs an apt command with the lists of that release. Accepts
# expired lists of old releases.
apt_of() {
	local suite=$1 command=$2 dir options=(-o APT::Sandbox::User=root)
	shift 2
	if [[ $suite != "$(own_suite)" ]]; then
		dir=$(cache_dir)/apt/$suite
		options+=(-o Dir::Etc::sourcelist="$dir/sources.list"
			-o Dir::Etc::sourceparts=/dev/null
			-o Dir::State::lists="$dir/lists"
			-o Dir::State::status=/dev/null
			-o Dir::Cache="$dir/cache"
			-o Acquire::Check-Valid-Until=false
			-o Acquire::Languages=none)
	fi
	"$command" "${options[@]}" "$@"
}

apt_updated=' '

# apt_update_once [SUITE]: refreshes the package lists at most once a run, and only in a
# run that has to fetch something. Without root the existing lists are used.
apt_update_once() {
	local suite=${1:-$(own_suite)} dir
	[[ $apt_updated != *" $suite "* ]] || return 0
	apt_updated+="$suite "
	say "refreshing the package lists of $suite"
	if [[ $suite == "$(own_suite)" ]]; then
		can_be_root || {
			say "package lists not refreshed: neither root nor sudo"
			return 0
		}
		as_root apt-get -qq update ||
			say "refreshing the package lists failed; using the existing ones"
		return
	fi
	dir=$(cache_dir)/apt/$suite
	mkdir -p -- "$dir/lists/partial" "$dir/cache/archives/partial"
	suite_sources "$suite" >"$dir/sources.list"
	apt_of "$suite" apt-get -qq update ||
		die 3 "cannot fetch the package lists of $suite (see above);" \
			"check the network and run scripts/deps.sh again"
}

# apt_download SUITE DIR PACKAGE...: downloads the .deb files into DIR.
apt_download() {
	local suite=$1 dir=$2
	shift 2
	(cd -- "$dir" && apt_of "$suite" apt-get -qq download "$@") ||
		die 3 "apt-get download $* failed (see above);" \
			"check the network and run scripts/deps.sh again"
}

# depends_of SUITE PACKAGE REGEX: prints the packages that it depends on and whose names match.
depends_of() {
	apt_of "$1" apt-cache depends "$2" 2>/dev/null |
		sed -n 's/^ [ |]*Depends: //p' | grep -E -x -- "$3" || true
}

package_version() {
	apt_of "$1" apt-cache show --no-all-versions "$2" 2>/dev/null |
		sed -n 's/^Version: //p' | head -n 1
}
