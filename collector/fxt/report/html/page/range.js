// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * range.js - the details of a range of time that the user marked.
 *
 * In:  the sums of account.js. Out: rows, lists with links, and buttons.
 */
'use strict';

/* The threads with the largest sums; a click goes to what they do first in the range. */
function threadLines(timeline, sum, field, all) {
	const { threads, threadTracks } = timeline.data;
	const list = sum.threads.filter((t) => t[field] > 0)
		.sort((a, b) => b[field] - a[field]).slice(0, MOST_LINES);

	return list.map((of) => {
		const t = threads[of.thread], track = threadTracks[of.thread];

		return shareLine(nameLabel(t.name, t.id), of[field], all, () =>
			timeline.select(track.span(track.firstEndingAfter(sum.from)), true));
	});
}

function rangeRows(data, sum) {
	const length = sum.to - sum.from, { waits } = sum, { spans, threads } = data;
	const all = length * data.cpus.length, share = (key) => shareLabel(all ?
		sum.cpus.reduce((ns, cpu) => ns + cpu[key], 0) / all : 0);
	const rows = [
		['length', timeLabel(length)],
		...startRows(data, sum.from),
		['threads', byId('scope').hidden ? 'all' : byId('scope').textContent],
		['CPUs busy', share('busy') + ', idle ' + share('idle') + ', unknown ' + share('unknown') +
			' of ' + plural(data.cpus.length, 'CPU')],
		['switches', countLabel(sum.switches)],
		['waits that end', countLabel(waits.count)],
	];

	if (waits.longest >= 0) {
		const s = waits.longest, t = threads[spans.thread[s]];

		rows.push(['longest wait', timeLabel(spans.to[s] - spans.from[s]) + ', ' +
			   nameLabel(t.name, t.id)]);
	}
	return rows;
}

/** tellRange() - shows the sums of a range */
function tellRange(timeline, { from, to }) {
	const { data } = timeline, sum = summarize(data, from, to), length = to - from;
	const moves = element('div', undefined, { class: 'moves' });
	const lists = element('div', undefined, { class: 'lists' });
	const { longest, wakers, count } = sum.waits;
	const add = (title, lines) => {
		if (lines.length)
			lists.append(shareList(title, lines));
	};

	moves.append(moveButton('Zoom to it (Z)', () => timeline.zoomToRange()));
	if (longest >= 0)
		moves.append(moveButton('Longest wait', () => timeline.select(longest, true)));
	moves.append(moveButton('Clear (Esc)', () => timeline.clear()));
	add('Run time', threadLines(timeline, sum, 'run', length));
	add('Waiting for a CPU', threadLines(timeline, sum, 'wait', length));
	add('CPUs', sum.cpus.sort((a, b) => b.busy - a.busy).slice(0, MOST_LINES)
		.map(({ cpu, busy }) => shareLine('CPU ' + cpu, busy, length)));
	if (wakers.length)
		lists.append(countList('Wakers', wakers.slice(0, MOST_LINES), count));
	showDetails(moves, rangeRows(data, sum), lists);
}

/* Names with counts. */
function countList(title, counts, all) {
	return shareList(title, counts.map(([name, count]) => {
		const line = shareLine(name, count, all);

		line.children[2].textContent = countLabel(count);
		return line;
	}));
}
