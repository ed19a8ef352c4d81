// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * search.js - finds threads, processes, events and functions by their names: the threads get rows,
 * and a tab has all that was found, with steps through the places where it is, in the order of
 * time.
 */

const HIT_LENGTHS = 20;		/* the view is so many times as long as the slice that was found */

/*
 * Something that was found; its places are numbers of spans or events, sorted by their start.
 * find(): returns them in any order; threads: of a hit that is a thread or process
 */
class Hit {
	constructor(what, label, of, find, threads = []) {
		Object.assign(this, { what, label, of, find, threads });
	}

	get places() {
		return this.found ??= Uint32Array.from(new Set(this.find()))
			.sort((a, b) => this.of.from[a] - this.of.from[b]);
	}

	time(i) {
		return this.of.from[this.places[i]];
	}
}

/* What threads do in a trace without scheduling. */
function slicesOf(data, threads) {
	data.byThread ??= groupedBy(data.events.source.keys(), (i) => data.events.thread[i]);
	return threads.flatMap(({ number }) => data.byThread.get(number) ?? []);
}

/* For each function whose name fits, spans with it in their stack or in that of their waker. */
function functionHits({ stacks, spans, threads }, has) {
	const found = new Map(stacks.functions.flatMap(({ name }, n) => has(visible(name)) ? [[n, []]] : []));

	for (const [s, stack] of [...stacks.off, ...stacks.wakers]) {
		for (const n of threads[spans.thread[s]].isShown ? stacks.lists[stack] : [])
			found.get(n)?.push(s);
	}
	return [...found].filter(([, list]) => list.length).map(([n, list]) =>
		new Hit('function', visible(stacks.functions[n].name), spans, () => list));
}

/* Events of all kinds, by their source: what they are called, such as the system call. */
function eventHits(data, has) {
	const { events, threads } = data, isShown = (i) => threads[events.thread[i]]?.isShown ?? true;
	const label = ({ kind, name }) => EVENT_KINDS[kind] === name ? kind : visible(name);

	data.bySource ??= groupedBy(events.source.keys(), (i) => events.source[i]);
	return [...data.bySource].map(([n, list]) => [events.sources[n], list])
		.filter(([of]) => has(EVENT_KINDS[of.kind] + ' ' + label(of)))
		.map(([of, list]) => new Hit(EVENT_KINDS[of.kind], label(of), events, () => list.filter(isShown)))
		.filter(({ places }) => places.length);
}

/* The field, and the tab of what it finds. */
class Search {
	constructor(timeline) {
		this.timeline = timeline;
		this.input = byId('search');
		this.steps = [];	/* hits that N goes through */
		this.at = null;		/* the last place: hit, and which one of it */
		on(this.input, 'input', () => this.find());
		on(this.input, 'keydown', (event) => this.key(event));
	}

	key(event) {
		if (event.key === 'Enter') {
			this.go(event.shiftKey ? -1 : 1);
		} else if (event.key === 'Escape') {
			this.input.value = '';
			this.find();
		} else {
			return;
		}
		this.timeline.canvas.focus({ preventScroll: true });
		event.preventDefault();
	}

	find() {
		const t = this.timeline, { data, model } = t, text = this.input.value.trim().toLowerCase();
		const has = (name) => name.toLowerCase().includes(text);
		const fits = (name, id) => !text || String(id) === text || has(nameLabel(name, id));
		const { spans, events } = data, hitOf = (what, name, id, threads) => fits(name, id) ? [threads[0].of ?
			new Hit(what, nameLabel(name, id), events, () => slicesOf(data, threads), threads) :
			new Hit(what, nameLabel(name, id), spans, () => runsOf(data, threads), threads)] : [];
		const threads = model.threads().filter((of) => of.of !== 'process')
			.flatMap((of) => hitOf('thread', of.name, of.id, [of]));
		const processes = [...groupedBy(model.threads(), (of) => of.process)].flatMap(([key, list]) =>
			hitOf('process', model.processNames.get(key) ?? null, list[0].pid, list));
		const others = text ? [...eventHits(data, has), ...functionHits(data, has)] : [];
		const owners = threads.length ? threads : processes;
		const isWanted = new Set(owners.flatMap((hit) => hit.threads));

		this.steps = text ? [...owners, ...others] : [];
		this.at = null;
		model.wanted = text && (isWanted.size || !others.length) ? (of) => isWanted.has(of) : null;
		t.makeRows();
		(fxtPage.tables.threads ?? fxtPage.tables['slices-threads'])?.filter((row) => fits(row.name, row.tid));
		this.tell(text, [...threads, ...processes.filter(({ threads: [first, second], label }) =>
			second || label !== nameLabel(first.name, first.id)), ...others]);
	}

	/* The kinds of things, each with the most frequent ones. */
	tell(text, hits) {
		const lists = Array.from(text ? groupedBy(hits, ({ what }) => what) : [], ([what, list]) => {
			const shares = list.map((hit) => [hit, hit.places.length]);
			const all = shares.reduce((sum, [, count]) => sum + count, 0);

			return shareList(what, shares, all, (hit) => [hit.label, () => this.start(hit)], countLabel);
		});

		byId('found').textContent = text ? plural(hits.length, 'hit') : '';
		byId('panel-found').replaceChildren(...lists);
		byId('tab-found').hidden = !lists.length;
		if (fxtPage.tabs.shown !== 'tables')
			fxtPage.tabs.show(lists.length ? 'found' : 'details');
	}

	/* Step through a single hit. */
	start(hit) {
		this.steps = [hit];
		this.at = null;
		this.go(1);
	}

	/* The place after (1) or before (-1) the last one; without a last one, from a time on. */
	next(by, time) {
		const at = this.steps.indexOf(this.at?.hit);
		let best = null;

		this.steps.forEach((hit, n) => {
			const first = atLeast(0, hit.places.length, (i) => hit.time(i) > time ||
				(hit.time(i) === time && n > at));
			const i = n === at ? this.at.i + by : by > 0 ? first : first - 1;
			const later = best && hit.time(i) - best.hit.time(best.i);

			if (i in hit.places && (!best || (by > 0 ? later < 0 : later >= 0)))
				best = { hit, i };
		});
		return best;
	}

	/* Show the next (1) or previous (-1) place, from the start of the view on. */
	go(by) {
		const t = this.timeline, { hit: last, i } = this.at ?? {};
		const next = this.next(by, last ? last.time(i) : t.view.from);

		/* After the last place follows the first one. */
		if (!next)
			this.at = null;
		this.at = next ?? this.next(by, -by * Infinity);
		if (!this.at)
			return;
		const { hit } = this.at, place = hit.places[this.at.i];
		const thread = t.data.threads[hit.of.thread[place]];

		if (thread && !(t.model.wanted?.(thread) ?? true)) {
			t.model.wanted = null;
			t.makeRows();
		}
		if (hit.of === t.data.events) {
			t.showEvent(place);
		} else {
			t.select(place, true);
			t.fit(HIT_LENGTHS);
		}
	}
}
