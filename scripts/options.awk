# SPDX-License-Identifier: GPL-2.0-or-later
#
# options.awk - updates the options in the manual pages of a program.
#
# In:  lines of --print-options, then the pages; -v out=FOLDER.
# Out: in the folder, the pages with the synopsis and the heads of items from these lines; on
#      standard error, options without an item, items without an option, values that an item does
#      not name, and commands without a page.
#
# Each command has a page, PROGRAM-COMMAND.1; the options that several commands have may be below
# ".Sh OPTIONS" of the page of the program, which comes last and lists the commands below
# ".Sh COMMANDS". In the page of a program without commands options may be anywhere.

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

# The row of an option of the section's command, else of an option that all commands have.
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

# "FILE...", "[FILE]" or another word.
function mdoc_operand(word,   text) {
	if (word == "--")
		return ".Cm " word
	text = word ~ /^\[/ ? ".Op Ar" : ".Ar"
	gsub(/[][]/, "", word)
	return word == "FILE..." ? text : text " " tolower(word)
}

function synopsis(command,   i, count, text, needed, others, operands) {
	for (i = 1; i <= rows; i++) {
		if (command_of[i] != command || name_of[i] == "help")
			continue
		text = "Fl " (letter_of[i] == "-" ? "-" name_of[i] : letter_of[i]) \
			(value_of[i] == "-" ? "" : mdoc_value(value_of[i]))
		if (needed_of[i] == "needed")
			needed = needed "\n." text
		else
			others = others "\n.Op " text
	}
	text = ".Nm " program "\n.Cm " command needed others
	count = split(operand_of[command], operands, " ")
	for (i = 1; i <= count; i++)
		text = text "\n" mdoc_operand(operands[i])
	return text
}

# The list of commands, as their pages describe them.
function commands(   i, text) {
	text = ".Bl -tag -width \"fxt-symbolize(1)\" -compact"
	for (i = 1; i <= rows; i++) {
		if (command_of[i] == program || command_of[i] == command_of[i - 1])
			continue
		if (!(command_of[i] in description_of)) {
			print "fxt " command_of[i] " has no page" > "/dev/stderr"
			failed = 1
		}
		text = text "\n.It Xr " program "-" command_of[i] " 1\n" description_of[command_of[i]]
	}
	return text "\n.El"
}

# ".It Fl a , Fl -b": all rows that the item names, in its order.
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
		place = has_commands && command_of[i] != program ? "in " program "-" command_of[i] ".1" : ""
		printf "--%s has no item; write one %s: .It %s\n%s.\n", name_of[i], place, forms(i),
			toupper(substr(help_of[i], 1, 1)) substr(help_of[i], 2) > "/dev/stderr"
		failed = 1
	}
}

# Is it a word of the text, and not a part of one?
function has_word(text, word,   at, before, after) {
	while ((at = index(text, word)) > 0) {
		before = substr(text, at - 1, 1)
		after = substr(text, at + length(word), 1)
		if (before !~ /[a-z0-9_-]/ && (word !~ /[a-z0-9]$/ || after !~ /[a-z0-9_-]/))
			return 1
		text = substr(text, at + length(word))
	}
	return 0
}

# The item of a row, with the sections that it refers to by ".Sx NAME".
function text_with_sections(row,   text, words, count, i, name) {
	text = item[command_of[row], name_of[row]]
	if (text == "")
		text = item["*", name_of[row]]
	count = split(text, words, "\n")
	for (i = 1; i <= count; i++) {
		name = words[i]
		if (sub(/^\.Sx /, "", name)) {
			sub(/ [.,;)]$/, "", name)
			text = text " " section_text[command_of[row], name]
		}
	}
	return text
}

# Report values that neither the item of their option nor a section that it refers to names.
function find_missing_words(   i, j, count, words, text) {
	for (i = 1; i <= rows; i++) {
		if (words_of[i] == "-")
			continue
		text = text_with_sections(i)
		count = split(words_of[i], words, ", ")
		for (j = 1; j <= count; j++) {
			if (has_word(text, words[j]))
				continue
			printf "the item of --%s of %s does not name the value %s\n", name_of[i],
				command_of[i], words[j] > "/dev/stderr"
			failed = 1
		}
	}
}

# Keep the text of the items at @line, and of the section.
function keep_text(line,   words, count, i, row) {
	if (line ~ /^\.S[sh] /) {
		title = line
		sub(/^\.S[sh] /, "", title)
		items = 0
	} else if (line ~ /^\.It Fl /) {
		count = split(line, words, " ")
		items = 0
		for (i = 3; i <= count; i++) {
			row = words[i - 1] == "Fl" && section != "" ? row_of(words[i]) : 0
			if (row)
				item_of[++items] = section SUBSEP name_of[row]
		}
	}
	section_text[page, title] = section_text[page, title] "\n" line
	for (i = 1; i <= items; i++)
		item[item_of[i]] = item[item_of[i]] "\n" line
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
	words_of[rows] = field[7]
	if (rows == 1)
		program = section = field[1]
	has_commands = has_commands || field[1] != program
	next
}

FNR == 1 {
	page = FILENAME
	sub(/.*\//, "", page)
	written = out "/" page
	sub(/\.1$/, "", page)
	if (page != program)
		sub(/^[a-z]*-/, "", page)
	section = page
	items = 0
	if (page != program && !(page in operand_of)) {
		print FILENAME ": " program " has no such command" > "/dev/stderr"
		failed = 1
	}
}
/^\.Nd / { description_of[page] = substr($0, 5) }
/^\.Sh / && has_commands {
	is_generated = 0
	if (page == program)
		section = $2 == "OPTIONS" ? "*" : ""
	if ($2 == "SYNOPSIS" && page != program || $2 == "COMMANDS") {
		print $0 "\n" ($2 == "COMMANDS" ? commands() : synopsis(page)) > written
		is_generated = 1
	}
}
/^\.Ss / && section == "*" { section = "" }
is_generated { next }
{ keep_text($0) }
section != "" && /^\.It Fl / {
	print head($0) > written
	next
}
{ print > written }
END {
	find_missing()
	find_missing_words()
	exit failed
}
