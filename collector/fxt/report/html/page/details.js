// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * details.js - describes the selected span: rows, and buttons that lead to related ones.
 */
'use strict';

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
	const { spans, threads, base } = timeline.data, t = threads[spans.thread[span]];
	const before = beforeOf(timeline, span);
	const at = base + BigInt(Math.round(spans.from[span]));
	const rows = [
		['thread', nameLabel(t.name, t.id === '0' ? null : t.id)],
		['process', t.process === '0' ? '?' : nameLabel(
			timeline.processNames.get(t.process) ?? null, t.pid)],
		...familyRows(timeline.data, t),
		['state', t.id === '0' ? 'idle' : stateName(spans, span)],
		['duration', timeLabel(spans.to[span] - spans.from[span])],
		['start', secondsLabel(at)],
		['time since start', (spans.from[span] / 1e9).toFixed(9) + ' s'],
	];

	if (spans.cpu[span] !== NO_CPU)
		rows.push(['CPU', String(spans.cpu[span])]);
	if (before >= 0)
		rows.push(['previous state', stateName(spans, before) + ', ' +
			   timeLabel(spans.to[before] - spans.from[before])]);
	return rows.concat(stackRows(timeline.data, span));
}

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

function detailList(rows) {
	const list = element('dl');

	for (const [name, value, kind] of rows) {
		const pair = element('div', undefined, kind ? { class: kind } : {});

		pair.append(element('dt', name), element('dd', value));
		list.append(pair);
	}
	return list;
}

function tellSelected(timeline, span) {
	const place = byId('details');

	if (span < 0) {
		place.replaceChildren(element('p', 'Nothing is selected.', { class: 'hint' }));
		return;
	}
	const list = detailList(detailRows(timeline, span));
	const moves = element('div', undefined, { class: 'moves' });

	moves.append(moveButton('← Previous', () => timeline.step(-1)),
		     moveButton('Next →', () => timeline.step(1)),
		     moveButton('Fit', () => timeline.fit()), ...wakeButtons(timeline, span),
		     ...familyButtons(timeline, span));
	place.replaceChildren(list, moves);
}
