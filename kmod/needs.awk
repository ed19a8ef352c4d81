# SPDX-License-Identifier: GPL-2.0
#
# Reports in one line what a kernel's headers lack or have changed.
#
# In:  the compiler's messages about needs.c, in English.
# Out: one line for the first error; the input if there is none.
#
# exit status: 0 no error; 1 there was one.

# The last comment before a line that names something of the kernel, if no empty line
# comes between.
function need_before(file, line,	text, need) {
	while (line-- > 0 && (getline text < file) > 0) {
		if (text ~ /^[ \t]*$/)
			need = ""
		else if (text ~ /^[ \t]*\/\* (CONFIG_[A-Z_]+|include\/[^ ]+: .*) \*\/$/)
			need = text
	}
	gsub(/^[ \t]*\/\* | \*\/$/, "", need)
	return need
}

# "FILE:LINE:COLUMN: ..."
function find_need(text,	at) {
	split(text, at, ":")
	return at[2] ~ /^[0-9]+$/ ? need_before(at[1], at[2]) : ""
}

!errors {
	lines[NR] = $0
}

/(^|: )(fatal )?error: / && !errors++ {
	where = said = $0
	sub(/: .*/, "", where)
	sub(/.*error: /, "", said)
	sub(/ \[-W[^]]*\]$/, "", said)
	gsub(/ [{]aka [^}]*[}]/, "", said)
	need = find_need($0)
}

# The compiler reports an error in a macro's arguments at the macro, then at its user.
/: note: in expansion of macro/ && errors == 1 && need == "" {
	need = find_need($0)
}

END {
	if (!errors) {
		for (i = 1; i <= NR; i++)
			print lines[i]
		exit 0
	}
	if (need ~ /^CONFIG/)
		told = "this kernel is built without " need ", which the module needs; use one that has it"
	else if (need != "")
		told = need " is not there, or not as this module knows it (" said "); a newer fxt_sched may know it"
	else
		told = where ": " said "; this kernel lacks or has changed that, a newer fxt_sched may know it"
	print "fxt_sched: " told
	exit 1
}
