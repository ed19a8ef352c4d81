// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * details.js - describes the selected span: rows, and buttons that lead to related ones.
 */
'use strict';

const MOST_LINES = 12;		/* of a list of shares */

function moveButton(text, go) {
	const button = element('button', text, { type: 'button' });

	button.addEventListener('click', go);
	return button;
}

/* The span before: how long the thread had waited, and for what, if known. */
function beforeOf(timeline, span) {
	const { spans } = timeline.data, track = timeline.data.threadTracks[spans.thread[span]];
	const at = track ? track.position(span) : -1;

	return at > 0 ? track.span(at - 1) : -1;
}

function stateName(spans, span) {
	return STATES[String.fromCharCode(spans.state[span])]?.name ?? 'unknown';
}

function detailRows(timeline, span) {
	const { spans, threads } = timeline.data, t = threads[spans.thread[span]];
	const before = beforeOf(timeline, span), end = endOfSleep(timeline.data, span);
	const rows = [
		['thread', nameLabel(t.name, t.id === '0' ? null : t.id)],
		['process', timeline.processLabel(t)],
		...familyRows(timeline.data, t),
		['state', t.id === '0' ? 'idle' : stateName(spans, span)],
		['duration', timeLabel(spans.to[span] - spans.from[span])],
		...startRows(timeline.data, spans.from[span]),
	];

	if (spans.cpu[span] !== NO_CPU)
		rows.push(['CPU', String(spans.cpu[span])]);
	if (before >= 0)
		rows.push(['previous state', stateName(spans, before) + ', ' +
			   timeLabel(spans.to[before] - spans.from[before])]);
	if (end >= 0)
		rows.push(['ended by', wakerLabel(timeline.data, end) ?? 'unknown']);
	return rows.concat(stackRows(timeline.data, span));
}

/* The time of something, as the menu has it; the time since boot is that of other tools. */
function startRows(data, from) {
	return [['start', startLabel(from)],
		...clock.mode === 'boot' ? [] :
			[['since boot', secondsLabel(data.base + BigInt(Math.round(from)))]]];
}

/* --- who had the CPU ------------------------------------------------------------------------- */

/* A line with a bar for a share, a time, and a button if it leads somewhere. */
function shareLine(text, ns, all, go) {
	const line = element('li'), bar = element('span', undefined, { class: 'bar' });
	const part = element('span');

	part.style.width = 100 * Math.min(1, all ? ns / all : 0) + '%';
	bar.append(part);
	line.append(go ? moveButton(text, go) : element('span', text), bar,
		    element('span', timeLabel(ns), { class: 'number' }),
		    element('span', shareLabel(all ? ns / all : 0), { class: 'number' }));
	return line;
}

/** shareList() - a title, and lines of shareLine() */
function shareList(title, lines) {
	const list = element('ul', undefined, { class: 'shares', 'aria-label': title });
	const box = element('section');

	list.append(...lines);
	box.append(element('h2', title), list);
	return box;
}

/* The first run of a thread that kept another one from running in a wait. */
function firstRunIn({ spans, threadTracks }, s, thread) {
	const track = threadTracks[thread];
	let i = track.firstEndingAfter(spans.from[s]);

	while (track.kind[i] !== RUNNING && i < track.count - 1)
		i++;
	return track.span(i);
}

/* Who had the CPU during a wait. */
function meanwhileLists(timeline, s) {
	const { data } = timeline, { spans } = data, all = spans.to[s] - spans.from[s];

	if (!isWait(spans.kind[s]))
		return [];
	return [shareList('Who had ' + waitPlace(data, s) + ' meanwhile', culpritsOf(data, s)
		.slice(0, MOST_LINES).map(([who, ns]) => shareLine(culpritLabel(data, who), ns, all,
			who >= 0 ? () => timeline.select(firstRunIn(data, s, who), true) : undefined)))];
}

/* --- buttons --------------------------------------------------------------------------------- */

/* Buttons to the waker and to the threads that it woke; an interrupt has no button. */
function wakeButtons(timeline, span) {
	const { spans, threads } = timeline.data, irq = spans.irq[timeline.causeOf(span)];
	const interrupts = irq ? [element('span', 'Woken by ' + IRQS[irq])] : [];

	return interrupts.concat(timeline.wakeupsOf(span).slice(0, 12).map((woken) => {
		const isCause = spans.thread[woken] === spans.thread[span];
		const number = isCause ? spans.waker[woken] : spans.thread[woken];
		const t = threads[number], name = nameLabel(t.name, t.id === '0' ? null : t.id);
		const to = isCause ? timeline.runningAt(number, spans.from[woken]) : woken;

		return to < 0 ? element('span', 'Woken by ' + name) :
			moveButton((isCause ? 'Woken by ' : 'Woke ') + name,
				   () => timeline.select(to, true));
	}));
}

/* Keeps the row of a thread beside the CPUs, or hides it. */
function rowButtons(timeline, span) {
	const { model, data } = timeline, number = data.spans.thread[span];
	const isKept = model.kept.has(number);

	if (data.threads[number].isIdle || !data.threads[number].isShown)
		return [];
	return [moveButton(isKept ? 'Unpin (P)' : 'Pin (P)', () => timeline.keepSelected()),
		moveButton('Hide (H)', () => timeline.hideSelected())];
}

function detailList(rows) {
	const list = element('dl');

	for (const [name, value, kind] of rows) {
		const pair = element('div', undefined, kind ? { class: kind } : {});

		pair.append(element('dt', name), element('dd', value));
		list.append(pair);
	}
	return list;
}

/** showDetails() - buttons, then [name, value] rows, with lists beside them */
function showDetails(moves, rows, lists) {
	const parts = element('div', undefined, { class: 'parts' });

	const copy = element('button', 'Copy', { type: 'button',
		title: 'Copy the details as text' });

	copy.addEventListener('click', () => copyText(detailsText(), copy));
	moves.classList.add('moves');
	moves.append(copy);
	parts.append(detailList(rows), lists);
	byId('details').replaceChildren(moves, parts);
}

/** tellSelected() - describes the selected span; -1: none */
function tellSelected(timeline, span) {
	const place = byId('details');

	if (span < 0) {
		place.replaceChildren(element('p', 'Nothing is selected. Click a slice to describe it, or ' +
			'drag over the timeline to sum up a range.', { class: 'hint' }));
		return;
	}
	const lists = element('div', undefined, { class: 'lists' });
	const moves = element('div', undefined, { class: 'moves' });

	moves.append(moveButton('← Previous', () => timeline.step(-1)),
		     moveButton('Next →', () => timeline.step(1)),
		     moveButton('Fit', () => timeline.fit()),
		     moveButton('Why (Y)', () => explainSelected(timeline)), ...rowButtons(timeline, span), ...wakeButtons(timeline, span),
		     ...familyButtons(timeline, span));
	lists.append(...meanwhileLists(timeline, span));
	showDetails(moves, detailRows(timeline, span), lists);
}
