# SPDX-License-Identifier: GPL-2.0-or-later
#
# options.awk - a manual with the options that the program has.
#
# In:  lines of --print-options, then the manual.
# Out: the manual with a synopsis, and with the heads of items, made of those lines; on standard
# error, options without an item and items of no option.
#
# The options of a command are items below ".Ss fxt COMMAND", those of several below ".Ss Options
# of all commands"; of a program without commands they are anywhere.

function mdoc_value(value,   text) {
	text = tolower(value)
	if (value ~ /^[0-9]+$/)
		return " Ns = Ns Cm " value
	sub(/,\.\./, ",...", text)
	sub(/\[:/, " Ns Op : Ns Ar ", text)
	sub(/\]/, "", text)
	gsub(/=/, " Ns = Ns Ar ", text)
	return " Ar " text
}

function forms(row,   value, text) {
	value = value_of[row] == "-" ? "" : mdoc_value(value_of[row])
	text = letter_of[row] == "-" ? "" : "Fl " letter_of[row] (value ~ /Ns = Ns Cm/ ? "" : value) " , "
	return text "Fl -" name_of[row] value
}

# The row of an option in the section, else of one that all commands have.
function row_of(option,   i, found) {
	found = 0
	for (i = 1; i <= rows; i++) {
		if (option != "-" name_of[i] && option != letter_of[i])
			continue
		if (command_of[i] == section || section == program)
			return i
		if (section == "*")
			found = i
	}
	return found
}

function synopsis_of(first, last,   i, command) {
	command = command_of[first]
	print ".Nm"
	print ".Cm " command
	for (i = first; i <= last; i++)
		if (needed_of[i] == "needed")
			print ".Fl " (letter_of[i] == "-" ? "-" name_of[i] : letter_of[i]) mdoc_value(value_of[i])
	for (i = first; i <= last; i++)
		if (needed_of[i] != "needed" && name_of[i] != "help")
			print ".Op Fl " (letter_of[i] == "-" ? "-" name_of[i] : letter_of[i]) \
				(value_of[i] == "-" ? "" : mdoc_value(value_of[i]))
	if (operand_of[command] == "FILE")
		print ".Ar file"
	else if (operand_of[command] == "FILE...")
		print ".Ar"
	else if (operand_of[command] == "[FILE]")
		print ".Op Ar file"
	else if (operand_of[command] == "[FILE...]")
		print ".Op Ar"
}

function print_synopsis(   i, first) {
	for (i = 1; i <= rows; i++) {
		if (command_of[i] == program)
			continue
		if (command_of[i] != command_of[i - 1])
			first = i
		if (command_of[i] != command_of[i + 1])
			synopsis_of(first, i)
	}
	print ".Nm\n.Cm help\n.Op Ar command\n.Nm\n.Fl -help | -version"
}

# ".It Fl a , Fl -b": all rows that it names, in its order.
function head(line,   words, count, i, row, text, last) {
	count = split(line, words, " ")
	last = 0
	text = ""
	for (i = 3; i <= count; i++) {
		if (words[i - 1] != "Fl")
			continue
		row = row_of(words[i])
		if (!row) {
			print "no option " words[i] " of " section > "/dev/stderr"
			failed = 1
			return line
		}
		is_told[section, name_of[row]] = 1
		if (row != last && index(text " ,", forms(row) " ,") == 0)
			text = text (text == "" ? "" : " , ") forms(row)
		last = row
	}
	return ".It " text
}

# Report options without an item.
function find_missing(   i, place) {
	for (i = 1; i <= rows; i++) {
		if (is_told[command_of[i], name_of[i]] || is_told["*", name_of[i]])
			continue
		place = has_commands && command_of[i] != program ? "below .Ss fxt " command_of[i] : ""
		printf "--%s has no item; write one %s: .It %s\n%s.\n", name_of[i], place, forms(i),
			toupper(substr(help_of[i], 1, 1)) substr(help_of[i], 2) > "/dev/stderr"
		failed = 1
	}
}

FNR == NR {
	split($0, field, "\t")
	if (field[3] == "-") {
		operand_of[field[1]] = field[4]
		next
	}
	rows++
	command_of[rows] = field[1]
	letter_of[rows] = field[2]
	name_of[rows] = field[3]
	value_of[rows] = field[4]
	needed_of[rows] = field[5]
	help_of[rows] = field[6]
	if (rows == 1)
		program = section = field[1]
	has_commands = has_commands || field[1] != program
	next
}

/^\.Sh SYNOPSIS/ && has_commands {
	print
	print_synopsis()
	in_synopsis = 1
	next
}
/^\.Sh DESCRIPTION/ { in_synopsis = 0 }
in_synopsis { next }

/^\.S[sh] / && has_commands {
	section = /^\.Ss Options of all commands/ ? "*" : /^\.Ss fxt [a-z]+$/ ? $3 : ""
}
section != "" && /^\.It Fl / {
	print head($0)
	next
}
{ print }
END {
	find_missing()
	exit failed
}
