// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * notes.js - flags in the ruler: the user's notes { time (ns since the start of the page), text },
 * and findings; and a dialog that goes to a time. Notes also have a line over all rows, which
 * pictures show.
 */

const FLAG = 7, NOTE_WIDTH = 160;	/* pixels, of a flag and of its text at most */

/* Ask for a text in a dialog. Return: null if the user cancels */
function ask(what, text) {
	const dialog = byId('ask');

	byId('ask-what').textContent = what;
	byId('ask-text').value = text;
	dialog.returnValue = '';
	dialog.showModal();
	byId('ask-text').select();
	return new Promise((resolve) => {
		dialog.onclose = () => resolve(dialog.returnValue ? byId('ask-text').value.trim() : null);
	});
}

/* The notes, and each finding that has a time. */
function flags({ notes, data, model }) {
	return [...notes, ...model.report.findings.filter((f) => f.longest_from_ns).map((f) =>
		({ time: Number(BigInt(f.longest_from_ns) - data.base), text: visible(f.text), finding: f }))];
}

function flagAt(t, x, y) {
	return y < RULER && x >= LABELS ? flags(t).find(({ time }) => x >= t.xAt(time) - 3 && x <= t.xAt(time) + FLAG + 2) : undefined;
}

/* Show the finding at a place, or change the note. Return: is there one? */
function openFlag(t, x, y) {
	const flag = flagAt(t, x, y);

	if (flag?.finding)
		findingLinks(flag.finding)[0][1](t);
	else if (flag)
		noteAt(t, flag.time);
	return Boolean(flag);
}

function drawFlags(t) {
	const c = t.context;

	for (const { time, text, finding } of flags(t)) {
		const x = t.xAt(time), shown = finding ? '' : fitText(c, text, NOTE_WIDTH);

		box(c, t.theme.colour(finding ? 'preempted' : 'accent'), x, 0, 1, finding ? RULER : t.pageHeight);
		c.fillRect(x, 2, FLAG + (shown && c.measureText(shown).width + 6), RULER - 12);
		write(c, t.theme.page, shown, x + FLAG, (RULER - 8) / 2);
	}
}

/* Ask for the text of a note at a time; an empty text removes the note. */
async function noteAt(t, time) {
	const near = t.notes.find((note) => Math.abs(t.xAt(note.time) - t.xAt(time)) < FLAG);
	const text = await ask('Note at ' + startLabel((near ?? { time }).time), near?.text ?? '');

	if (text === null)
		return;
	t.notes = t.notes.filter((note) => note !== near).concat(text ? { time: near?.time ?? time, text } : []);
	t.onTell();
	t.schedule();
}

/* Ask for a time, or for two of a range, and show it. */
async function goToTime(t, hint = '') {
	const text = await ask(hint + 'Go to a time, or mark from one to another: ' + CLOCKS[clock.mode].axis, '');
	const [from, to = from] = (text?.match(/[\d.:]+/g) ?? []).map((time) => timeOf(time, t.data.end)), { view } = t;

	if (!text)
		return;
	if (!(from <= to)) {
		goToTime(t, 'Not a time: "' + text + '". ');
	} else if (to > from) {
		t.setRange(from, to);
		t.zoomToRange();
		t.sumUp();
	} else {
		t.setView(from - (view.to - view.from) / 2, from + (view.to - view.from) / 2);
	}
}
