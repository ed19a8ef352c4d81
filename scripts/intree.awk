# SPDX-License-Identifier: GPL-2.0-or-later
#
# Replaces the macros of compat.h in a source file, for intree.sh.
#
# In:  compat.h, as unifdef left it for one kernel; then the source file. An argument of a
#      macro contains no comma and no parenthesis. The variable header: what replaces the line that
#      includes compat.h.
# Out: the source file, without the macros.

function squeezed(text) {
	gsub(/[ \t]+/, " ", text)
	gsub(/^ | $/, "", text)
	return text
}

# define "NAME(PARAMETER, ...) BODY" or "NAME BODY".
function define(text,	name) {
	match(text, /^[A-Za-z_0-9]+/)
	name = substr(text, 1, RLENGTH)
	text = substr(text, RLENGTH + 1)
	if (match(text, /^\([a-z_0-9, ]+\)/)) {
		parameters[name] = substr(text, 2, RLENGTH - 2)
		text = substr(text, RLENGTH + 1)
	}
	body[name] = squeezed(text)
}

# with_words TEXT OLD NEW: TEXT with each word OLD replaced by NEW.
function with_words(text, old, new,	done, at) {
	while ((at = word_at(text, old))) {
		done = done substr(text, 1, at - 1) new
		text = substr(text, at + length(old))
	}
	return done text
}

function word_at(text, word,	at, skipped) {
	while ((at = index(text, word))) {
		if (substr(text, at - 1, at > 1) !~ /[A-Za-z_0-9]/ &&
		    substr(text, at + length(word), 1) !~ /[A-Za-z_0-9]/)
			return skipped + at
		skipped += at
		text = substr(text, at + 1)
	}
	return 0
}

# expanded TEXT NAME: TEXT with the macro NAME replaced everywhere.
function expanded(text, name,	at, before, argument, parameter, i, n, new) {
	while ((at = word_at(text, name))) {
		before = substr(text, 1, at - 1)
		text = substr(text, at + length(name))
		new = body[name]
		if (name in parameters) {
			match(text, /^\([^()]*\)/)
			n = split(parameters[name], parameter, /, */)
			split(substr(text, 2, RLENGTH - 2), argument, /, */)
			text = substr(text, RLENGTH + 1)
			# A name needs no parentheses.
			for (i = 1; i <= n; i++)
				new = with_words(with_words(new, "(" parameter[i] ")", argument[i]),
						 parameter[i], argument[i])
		} else if (new == "") {
			sub(/^ /, "", text)
		}
		text = before new text
	}
	return text
}

# The column at which TEXT ends, with tabs of 8.
function width(text,	i, column) {
	for (i = 1; i <= length(text); i++)
		column += substr(text, i, 1) == "\t" ? 8 - column % 8 : 1
	return column
}

function indent(column,	tabs, blanks) {
	for (; column >= 8; column -= 8)
		tabs = tabs "\t"
	for (; column > 0; column--)
		blanks = blanks " "
	return tabs blanks
}

# Print a line, as one of a macro if IS_MACRO.
function print_line(text, is_macro) {
	if (is_macro) {
		while (width(text) < 80)
			text = text "\t"
		text = text "\\"
	}
	print text
}

# Break a line that has become too long into several, aligned with its first parenthesis.
function print_wrapped(text, is_macro,	column, part, i, n, line) {
	column = width(substr(text, 1, index(text, "(")))
	n = split(text, part, ", ")
	line = part[1]
	for (i = 2; i <= n; i++) {
		if (width(line ", " part[i]) + (i < n) > 80) {
			print_line(line ",", is_macro)
			line = indent(column) part[i]
		} else {
			line = line ", " part[i]
		}
	}
	print_line(line, is_macro)
}

FNR == NR {
	if (sub(/\\$/, "")) {
		joined = joined $0
		next
	}
	$0 = joined $0
	joined = ""
	if (sub(/^#define /, "") && $0 !~ /^FXT_KMOD_COMPAT_H/)
		define($0)
	next
}

$0 == "#include \"compat.h\"" {
	printf "%s", header
	next
}

{
	old = whole = $0
	is_macro = sub(/[ \t]*\\$/, "", old)
	$0 = old
	for (name in body)
		$0 = expanded($0, name)
	if ($0 == old)
		print whole
	else if (width($0) > 80)
		print_wrapped($0, is_macro)
	else
		print_line($0, is_macro)
}
