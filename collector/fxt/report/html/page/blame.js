// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * blame.js - a table of who had the CPU while others waited for it in the range or the view:
 * victims and culprits, by name. Cells are coloured more strongly the longer the time; a click
 * leads to the longest wait. fxt blame has the same sums.
 */

const BLAME_DELAY = 120;	/* ms without a change of the view before the table is rebuilt */
const MOST_BLAMED = 12;		/* rows, and columns */
const MOST_BLAMED_WAITS = 400000;	/* waits looked at, at most */
const ALL_OTHERS = '(others)';

/*
 * A cell for each pair of a victim's and a culprit's name; the range is that of cellsIn(). Return:
 * null if it has more than MOST_BLAMED_WAITS waits
 */
function blamePairs(data, { from, to, rows }) {
	const { spans, threads, parts } = data, pairs = new Cells(), nameOf = (t) => visible(t.name || '?');
	const waits = [...new Set([...data.allWaits.filter((s) => spans.to[s] > from && spans.from[s] < to),
				   ...[...parts.keys()].filter((s) => partsBetween(data, s, from, to).length)])]
		.filter((s) => threads[spans.thread[s]].isShown);

	if (waits.length > MOST_BLAMED_WAITS)
		return null;
	for (const s of waits) {
		const victim = nameOf(threads[spans.thread[s]]);
		const list = partsBetween(data, s, from, to).filter(({ cpu }) => isIn(rows, spans.thread[s], cpu));

		for (const wait of groupedBy(list, ({ since }) => since).values()) {
			const sums = new Map();

			for (const [who, ns] of wait.flatMap((part) => [...culprits(data, part)]))
				addTo(sums, culpritLabel(data, who, nameOf), ns);
			for (const [culprit, ns] of sums)
				pairs.add(victim + '\n' + culprit, { victim, culprit }, { ns, place: s });
		}
	}
	return pairs.list;
}

/* Names of victims or culprits; those beyond MOST_BLAMED become one. */
function fewNames(pairs, key) {
	const sums = new Map();

	for (const pair of pairs)
		addTo(sums, pair[key], pair.ns);
	return new Map(bySize(sums).map(([name], i) =>
		[name, i < MOST_BLAMED || sums.size === MOST_BLAMED + 1 ? name : ALL_OTHERS]));
}

/* The same pairs with few names: { victims, culprits, cells: by victim and culprit } */
function fewPairs(pairs) {
	const victims = fewNames(pairs, 'victim'), culprits = fewNames(pairs, 'culprit'), cells = new Cells();

	for (const pair of pairs)
		cells.add(victims.get(pair.victim) + '\n' + culprits.get(pair.culprit), {}, pair);
	return { victims: [...new Set(victims.values())], culprits: [...new Set(culprits.values())],
		 cells: cells.byKey };
}

/* The tab; made only while it is visible. */
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
			pairs.length ? '' : 'Nobody waited for a CPU in ' + what + '.';
		this.place.replaceChildren(...(pairs?.length ? this.rows(fewPairs(pairs)) : []));
	}

	rows({ victims, culprits, cells }) {
		/* Leave out the sums of all others: they would make all other cells pale. */
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
		const go = button(timeLabel(sum.ns), () => this.timeline.show(sum.place), {
			title: victim + ' waited ' + timeLabel(sum.ns) + ' in ' + plural(sum.count, 'time') +
				' while ' + culprit + ' had the CPU, at most ' + timeLabel(sum.most) });

		go.style.backgroundColor = colour;
		go.style.color = inkOn(colour);
		return element('td', [go]);
	}
}
