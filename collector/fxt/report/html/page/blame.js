// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * blame.js - a table of who had the CPU while others waited for it: victims and culprits, by name.
 *
 * In:  waits and tracks of CPUs, in the range or the view. Out: cells, coloured more strongly the
 * longer the time; a click leads to the longest wait. fxt blame has the same sums.
 */

const BLAME_DELAY = 120;	/* ms without a change of the view before the table is rebuilt */
const MOST_BLAMED = 12;		/* rows, and columns */
const MOST_BLAMED_WAITS = 400000;	/* waits looked at, at most */
const ALL_OTHERS = '(others)';

/* Adds a part of a wait. */
function blame(pairs, victim, culprit, ns, span) {
	if (ns <= 0)
		return;
	if (!pairs.has(victim))
		pairs.set(victim, new Map());
	const of = pairs.get(victim), sum = of.get(culprit) ?? { ns: 0, count: 0, most: 0, span };

	sum.ns += ns;
	sum.count++;
	if (ns > sum.most) {
		sum.most = ns;
		sum.span = span;
	}
	of.set(culprit, sum);
}

/**
 * blamePairs() - for each victim's name a map of culprits: { ns, count (of parts of waits), most (ns of
 * one of these), span (of that one) }
 *
 * range: as cellsIn() has it. Return: null if there are more than MOST_BLAMED_WAITS waits in it.
 */
function blamePairs(data, { from, to, rows }) {
	const { spans, threads, parts } = data, pairs = new Map();
	const waits = [...new Set([...data.allWaits.filter((s) => spans.to[s] > from && spans.from[s] < to),
				   ...parts.keys()])]
		.filter((s) => threads[spans.thread[s]].isShown);
	const nameOf = (t) => visible(t.name || '?');

	if (waits.length > MOST_BLAMED_WAITS)
		return null;
	for (const s of waits) {
		for (const part of partsBetween(data, s, from, to).filter(({ cpu }) =>
			isIn(rows, spans.thread[s], cpu))) {
			for (const [who, ns] of culprits(data, part))
				blame(pairs, nameOf(threads[spans.thread[s]]), culpritLabel(data, who, nameOf), ns, s);
		}
	}
	return pairs;
}

/* Names by their sums, the largest first; those beyond MOST_BLAMED become one entry. */
function largest(sums) {
	const names = bySize(sums).map(([name]) => name);

	return new Map(names.map((name, i) =>
		[name, i < MOST_BLAMED || names.length === MOST_BLAMED + 1 ? name : ALL_OTHERS]));
}

/* The same pairs, with few names: { victims, culprits, cells: by victim and culprit }. */
function fewPairs(pairs) {
	const waited = new Map(), took = new Map(), cells = new Map();

	for (const [victim, of] of pairs) {
		for (const [culprit, { ns }] of of) {
			addTo(waited, victim, ns);
			addTo(took, culprit, ns);
		}
	}
	const rows = largest(waited), columns = largest(took);

	for (const [victim, of] of pairs) {
		for (const [culprit, sum] of of) {
			const key = rows.get(victim) + '\n' + columns.get(culprit);
			const cell = cells.get(key) ?? { ns: 0, count: 0, most: -1, span: -1 };

			cells.set(key, { ns: cell.ns + sum.ns, count: cell.count + sum.count,
					 most: Math.max(cell.most, sum.most),
					 span: sum.most > cell.most ? sum.span : cell.span });
		}
	}
	return { victims: [...new Set(rows.values())], culprits: [...new Set(columns.values())], cells };
}

/** class BlameTable - the tab; made only while it is visible */
class BlameTable {
	constructor(timeline) {
		this.timeline = timeline;
		this.place = byId('blame-table');
		/* The view, the range or the theme changed, or the tab is shown. */
		this.changed = afterRest(BLAME_DELAY, () => this.make());
	}

	make() {
		if (fxtPage.tabs.shown !== 'blame')
			return;
		const { data, view, range } = this.timeline, pairs = blamePairs(data, range ?? view);
		const what = range ? 'the range' : 'view';

		byId('blame-told').textContent = !pairs ? 'More than ' + countLabel(MOST_BLAMED_WAITS) +
			' waits are in ' + what + ': zoom in, or mark a range.' :
			pairs.size ? '' : 'Nobody waited for a CPU in ' + what + '.';
		this.place.replaceChildren(...(pairs?.size ? this.rows(fewPairs(pairs)) : []));
	}

	rows({ victims, culprits, cells }) {
		/* Exclude the sums of all others, which would make all other cells pale. */
		const most = Math.max(1, ...[...cells].map(([key, { ns }]) =>
			key.split('\n').includes(ALL_OTHERS) ? 0 : ns));

		return [element('tr', [element('td'), ...culprits.map((name) =>
			element('th', [element('span', name)], { scope: 'col', title: name }))]),
			...victims.map((victim) => element('tr', [
				element('th', victim, { scope: 'row', title: victim }),
				...culprits.map((culprit) => this.cell(victim, culprit,
					cells.get(victim + '\n' + culprit), most))]))];
	}

	cell(victim, culprit, sum, most) {
		if (!sum)
			return element('td');
		const { theme } = this.timeline;
		const colour = mix(theme.colour('heat-low'), theme.colour('heat-high'),
				   Math.min(1, sum.ns / most));
		const go = button(timeLabel(sum.ns), () => this.timeline.select(sum.span, true), {
			title: victim + ' waited ' + timeLabel(sum.ns) + ' in ' + plural(sum.count, 'time') +
				' while ' + culprit + ' had the CPU, at most ' + timeLabel(sum.most) });

		go.style.backgroundColor = colour;
		go.style.color = inkOn(colour);
		return element('td', [go]);
	}
}
