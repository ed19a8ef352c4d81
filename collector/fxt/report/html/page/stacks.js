// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stacks.js - where threads slept or were preempted, what woke them, and what they ran.
 */

const SLEEPS = [SLEEPING, UNINTERRUPTIBLE, OTHER];
const MOST_FUNCTIONS = 24;	/* in the details of a slice */
const MOST_SAMPLED = 3;		/* innermost functions there, by samples */

/**
 * class Stacks - stacks by the number of the span that they are of
 *
 * functions: by number: { name, isKernel }. lists: by number of the stack: numbers of functions,
 * innermost first, or null. off: stacks of threads that were off the CPU; wakers: of what ended
 * their sleeps. samples: time, thread (their numbers), stack and ns of each, in the order of time.
 */
class Stacks {
	constructor(functions, lists) {
		this.functions = functions;
		this.lists = lists;
		this.off = new Map();
		this.wakers = new Map();
		this.samples = { time: [], thread: [], stack: [], ns: [] };
	}

	/* Innermost first. */
	names(stack) {
		return this.lists[stack].map((i) => visible(this.functions[i].name));
	}
}

/* The first span of a thread that ends at or after a time; the end of its spans if none does. */
function firstEndingAt(spans, thread, time) {
	const first = spans.first[thread], end = spans.first[thread + 1];

	return first + atLeast(0, end - first, (i) => spans.to[first + i] >= time);
}

function isSleep(spans, s) {
	return SLEEPS.includes(spans.kind[s]);
}

/* The span before a switch-in that the stack belongs to; the wait after a wakeup is skipped. */
function offBefore(spans, thread, time) {
	const s = firstEndingAt(spans, thread, time), before = s - 1;

	if (s === spans.first[thread + 1] || spans.to[s] !== time)
		return -1;
	if (spans.kind[s] === RUNNABLE && before >= spans.first[thread] &&
	    spans.to[before] === spans.from[s] && isSleep(spans, before))
		return before;
	return spans.kind[s] === PREEMPTED || isSleep(spans, s) ? s : -1;
}

/* The sleep that the thread's next wakeup ends, which follows just after the stack. */
function sleepAt(spans, thread, time) {
	const end = spans.first[thread + 1];
	let s = firstEndingAt(spans, thread, time);

	while (s < end && !isSleep(spans, s))
		s++;
	/* Without a wakeup, the sleep continues. */
	return s + 1 < end && spans.kind[s + 1] === RUNNABLE ? s : -1;
}

function readSamples(column, { time, thread, stack, ns }) {
	while (column.hasMore) {
		time.push(column.nextDelta());
		thread.push(column.next());
		stack.push(column.next());
		ns.push(column.next());
	}
}

/* Return: a Stacks */
function readStacks({ stacks: column, samples }, { functions, stacks: lists }, spans) {
	const stacks = new Stacks(functions, lists);

	while (column.hasMore) {
		const time = column.nextDelta(), thread = column.next(), code = column.next();
		const isIn = code % 2 === 1, stack = (code - code % 2) / 2;
		const span = isIn ? offBefore(spans, thread, time) : sleepAt(spans, thread, time);

		if (span >= 0)
			(isIn ? stacks.off : stacks.wakers).set(span, stack);
	}
	readSamples(samples, stacks.samples);
	return stacks;
}

/* --- the details of a slice ------------------------------------------------------------------ */

function stackLabel(stacks, stack) {
	const names = stacks.names(stack), rest = names.length - MOST_FUNCTIONS;

	if (!names.length)
		return '(unknown)';
	return names.slice(0, MOST_FUNCTIONS).join(' < ') +
		(rest > 0 ? ' and ' + plural(rest, 'caller') : '');
}

/* The functions in which samples of a run were taken: "futex_wait 3, main 1 of 5 samples" */
function sampledLabel(data, span) {
	const { spans, stacks } = data, counts = new Map();
	let all = 0;

	eachSample(data, { from: spans.from[span], to: spans.to[span] }, (thread, stack) => {
		if (thread.number !== spans.thread[span])
			return;
		addTo(counts, stacks.names(stack)[0] ?? '(unknown)', 1);
		all++;
	});
	return all && bySize(counts).slice(0, MOST_SAMPLED)
		.map(([name, count]) => name + ' ' + count).join(', ') + ' of ' + plural(all, 'sample');
}

/*
 * Rows of details: the stack of a sleep or preemption and that of its waker, and the samples of a
 * run.
 */
function stackRows(data, span) {
	const { stacks } = data, rows = [];

	if (stacks.off.has(span))
		rows.push([data.spans.kind[span] === PREEMPTED ? 'preempted in' : 'slept in',
			   stackLabel(stacks, stacks.off.get(span)), 'wide']);
	if (stacks.wakers.has(span))
		rows.push(['woken from', stackLabel(stacks, stacks.wakers.get(span)), 'wide']);
	const ran = data.spans.kind[span] === RUNNING && sampledLabel(data, span);

	if (ran)
		rows.push(['ran in', ran, 'wide']);
	return rows;
}

/* --- flame graphs ---------------------------------------------------------------------------- */

/*
 * There is a row for each depth, the outermost function first. The width of a function is the time
 * of all spans, or samples, whose stacks have it there. A library for this would be larger than the
 * rest of the page.
 */
const FRAME_PIXELS = 1;		/* narrower functions are not drawn */
const FRAME_HEIGHT = 19;
const FLAME_DELAY = 60;		/* ms without a change of the view before it is redrawn */
const MOST_GROUPS = 100;	/* choices of each kind: names, processes, threads */

/* --- the tree -------------------------------------------------------------------------------- */

/* A function at a depth: ns, number of spans or samples, and the functions that it calls. */
class FlameNode {
	constructor(name, isKernel, parent) {
		this.name = name;
		this.isKernel = isKernel;
		this.parent = parent;
		this.depth = parent ? parent.depth + 1 : 0;
		this.ns = 0;
		this.count = 0;
		this.children = new Map();
	}

	add(ns) {
		this.ns += ns;
		this.count++;
	}

	child({ name, isKernel }) {
		const key = (isKernel ? 'k' : 'u') + name;
		let node = this.children.get(key);

		if (!node) {
			node = new FlameNode(name, isKernel, this);
			this.children.set(key, node);
		}
		return node;
	}

	/* The functions that it calls, always in the same order. */
	sorted() {
		return [...this.children.values()].sort((a, b) =>
			a.name < b.name ? -1 : a.name > b.name ? 1 : a.isKernel - b.isKernel);
	}
}

/* Idle kernel threads wait for work, and would fill most of each graph. */
function isIdleWait(spans, s) {
	return spans.state[s] === 'I'.charCodeAt(0);
}

/* The kinds of graphs, and the stacks that each is made of. */
const FLAME_KINDS = {
	slept: { of: (stacks) => stacks.off, isWanted: (kind) => kind !== PREEMPTED },
	preempted: { of: (stacks) => stacks.off, isWanted: (kind) => kind === PREEMPTED },
	wakers: { of: (stacks) => stacks.wakers, isWanted: () => true },
};

const WHOLE_TRACE = { from: -Infinity, to: Infinity };

/* Calls add(thread, stack, ns) for what threads ran between two times. */
function eachSample({ threads, stacks }, { from, to }, add) {
	const { time, thread, stack, ns } = stacks.samples;
	const end = atLeast(0, time.length, (i) => time[i] >= to);

	for (let i = atLeast(0, end, (n) => time[n] >= from); i < end; i++)
		if (threads[thread[i]].isShown)
			add(threads[thread[i]], stack[i], ns[i]);
}

/* Calls add(thread, stack, ns) for each stack of a kind, with its time between two times. */
function eachStack(data, kind, { from, to }, hasIdle, add) {
	const { spans, threads, stacks } = data;

	if (kind === 'ran') {
		eachSample(data, { from, to }, add);
		return;
	}
	for (const [span, stack] of FLAME_KINDS[kind].of(stacks)) {
		const ns = Math.min(to, spans.to[span]) - Math.max(from, spans.from[span]);
		const thread = threads[spans.thread[span]];

		if (ns > 0 && thread.isShown && FLAME_KINDS[kind].isWanted(spans.kind[span]) &&
		    (hasIdle || !isIdleWait(spans, span)))
			add(thread, stack, ns);
	}
}

/* Add up the stacks of threads of which isOf() is true, between two times. */
function flameTree(data, kind, isOf, part, hasIdle) {
	const { stacks } = data, root = new FlameNode('all', false, null);

	eachStack(data, kind, part, hasIdle, (thread, stack, ns) => {
		const list = stacks.lists[stack];
		let node = root;

		if (!isOf(thread))
			return;
		node.add(ns);
		for (let i = list.length - 1; i >= 0; i--) {
			node = node.child(stacks.functions[list[i]]);
			node.add(ns);
		}
		if (!list.length)
			root.child({ name: '(unknown)', isKernel: false }).add(ns);
	});
	return root;
}

/* --- whose stacks ------------------------------------------------------------------------------ */

/* What a thread belongs to: [value, label] of each group. */
function flameGroups(timeline, t) {
	const process = timeline.model.processNames.get(t.process) ?? null;

	return [['name ' + t.name, 'name ' + nameLabel(t.name)],
		['process ' + t.process, 'process ' + nameLabel(process, t.pid)],
		['thread ' + t.key, 'thread ' + nameLabel(t.name, t.id)]];
}

/* Choices [value, label] for a kind of graph, those with the most time first. */
function groupOptions(timeline, kind, hasIdle) {
	const times = new Map(), sums = new Map(), labels = new Map();

	eachStack(timeline.data, kind, WHOLE_TRACE, hasIdle,
		  (thread, stack, ns) => addTo(times, thread, ns));
	for (const [thread, ns] of times) {
		for (const [value, label] of flameGroups(timeline, thread)) {
			labels.set(value, label);
			addTo(sums, value, ns);
		}
	}
	return ['name', 'process', 'thread'].flatMap((kind) =>
		bySize(sums).filter(([value]) => value.startsWith(kind + ' ')).slice(0, MOST_GROUPS)
			.map(([value]) => [value, labels.get(value)]));
}

/* --- the graph ----------------------------------------------------------------------------------- */

/* The colour of a function, always the same; programs and kernel have different hues. */
function frameColour(node) {
	let hash = 0;

	for (const c of node.name)
		hash = (hash * 31 + c.codePointAt(0)) % 1009;
	return 'hsl(' + (node.isKernel ? 14 + hash % 34 : 195 + hash % 40) + ' 72% ' +
		(66 + hash % 10) + '%)';
}

/* The section of the page. */
class FlameGraph {
	constructor(timeline) {
		this.timeline = timeline;
		this.place = byId('flame');
		this.zoomed = null;
		/* The timeline shows another part, or another range is marked. */
		this.viewChanged = afterRest(FLAME_DELAY, () => byId('flame-view').checked && this.build());
		for (const id of ['flame-of', 'flame-view'])
			on(id, 'change', () => this.build());
		for (const id of ['flame-kind', 'flame-idle'])
			on(id, 'change', () => this.setGroups());
		on('flame-shape', 'change', () => this.draw());
		on('flame-search', 'input', () => this.draw());
		on('flame-reset', 'click', () => this.zoom(this.root));
		on(this.place, 'click', (event) => {
			if (event.target.node)
				this.zoom(event.target.node, true);
		});
		on(this.place, 'keydown', (event) => this.key(event));
		on(this.place, 'pointerover focusin', (event) => this.tell(event.target.node));
		new ResizeObserver(() => this.draw()).observe(this.place);
		this.setGroups();
	}

	/* Fill the choice of threads for the chosen kind of graph. */
	setGroups() {
		const select = byId('flame-of'), before = select.value;

		select.length = 1;
		select.append(...options(groupOptions(this.timeline, byId('flame-kind').value,
			byId('flame-idle').checked)));
		select.value = before;
		select.selectedIndex = Math.max(0, select.selectedIndex);
		this.build();
	}

	build() {
		const { data, view, range } = this.timeline, wanted = byId('flame-of').value;
		const path = this.path(this.zoomed);
		const isOf = (t) => !wanted ||
			flameGroups(this.timeline, t).some(([value]) => value === wanted);

		const part = byId('flame-view').checked ? range ?? view : WHOLE_TRACE;

		this.root = flameTree(data, byId('flame-kind').value, isOf, part,
				      byId('flame-idle').checked);
		this.zoomed = this.root;
		for (const key of path)
			this.zoomed = this.zoomed.children.get(key) ?? this.zoomed;
		this.draw();
	}

	/* The keys from the outermost function to a node. */
	path(node) {
		const keys = [];

		for (let at = node; at?.parent; at = at.parent)
			keys.unshift((at.isKernel ? 'k' : 'u') + at.name);
		return keys;
	}

	/* Give a function the whole width; isFocused: it gets the focus, too. */
	zoom(node, isFocused) {
		this.zoomed = node;
		this.draw();
		if (isFocused)
			this.place.querySelector('.zoomed')?.focus({ preventScroll: true });
	}

	/* --- drawing ---------------------------------------------------------------------- */

	draw() {
		const text = byId('flame-search').value.trim().toLowerCase(), frames = [];
		const width = this.place.clientWidth;

		this.isMatch = (node) => text && node.parent && node.name.toLowerCase().includes(text);
		for (let at = this.zoomed.parent; at; at = at.parent)
			frames.unshift(this.frame(at, 0, width, 'above'));
		this.depth = 0;
		this.addFrames(frames, this.zoomed, 0, width);
		const isFlame = byId('flame-shape').value === 'flame';

		for (const { style, node } of frames)
			style.top = (isFlame ? this.depth - node.depth : node.depth) *
				FRAME_HEIGHT + 'px';
		this.place.style.height = (this.depth + 1) * FRAME_HEIGHT + 'px';
		this.place.replaceChildren(...frames);
		byId('flame-found').textContent = text ? shareLabel(this.root.ns ?
			this.matched(this.root) / this.root.ns : 0) + ' matches' : '';
		this.tell(this.zoomed);
	}

	addFrames(frames, node, left, width) {
		frames.push(this.frame(node, left, width, node === this.zoomed ? 'zoomed' : ''));
		this.depth = Math.max(this.depth, node.depth);
		for (const child of node.sorted()) {
			const wide = width * child.ns / node.ns;

			if (wide >= FRAME_PIXELS)
				this.addFrames(frames, child, left, wide);
			left += wide;
		}
	}

	frame(node, left, width, kind) {
		const frame = element('button', visible(node.name), {
			type: 'button', title: this.label(node),
			tabindex: node === this.zoomed ? '0' : '-1',
			class: 'frame ' + kind + (this.isMatch(node) ? ' match' : '') +
				(node.parent ? '' : ' root'),
		});

		frame.node = node;
		frame.style.left = left + 'px';
		frame.style.width = Math.max(FRAME_PIXELS, width - 1) + 'px';
		frame.style.backgroundColor = node.parent && !this.isMatch(node) ?
			frameColour(node) : '';
		return frame;
	}

	/* ns of the functions that match, each stack once. */
	matched(node) {
		let ns = 0;

		if (this.isMatch(node))
			return node.ns;
		for (const child of node.children.values())
			ns += this.matched(child);
		return ns;
	}

	label(node) {
		return visible(node.name) + ': ' + timeLabel(node.ns) + ', ' +
			plural(node.count, byId('flame-kind').value === 'ran' ? 'sample' : 'time') + ', ' +
			shareLabel(this.root.ns ? node.ns / this.root.ns : 0);
	}

	tell(node) {
		if (node)
			byId('flame-frame').textContent = this.label(node);
	}

	/* --- keys -------------------------------------------------------------------------- */

	/* The function to which an arrow key leads. */
	neighbour(node, key) {
		const siblings = node.parent?.sorted() ?? [node], at = siblings.indexOf(node);

		/* In a flame the callers are below. */
		if (byId('flame-shape').value === 'flame')
			key = { ArrowUp: 'ArrowDown', ArrowDown: 'ArrowUp' }[key] ?? key;
		switch (key) {
		case 'ArrowUp':
			return node.parent;
		case 'ArrowDown':
			return [...node.children.values()].sort((a, b) => b.ns - a.ns)[0];
		case 'ArrowLeft':
			return siblings[at - 1];
		default:
			return siblings[at + 1];
		}
	}

	key(event) {
		if (event.key === 'Escape') {
			this.zoom(this.root, true);
		} else if (event.key.startsWith('Arrow') && event.target.node) {
			const to = this.neighbour(event.target.node, event.key);

			[...this.place.children].find((frame) => to && frame.node === to)?.focus();
		} else {
			return;
		}
		event.preventDefault();
		event.stopPropagation();
	}
}

/* Show the tab if the page has stacks. Return: a FlameGraph or null */
function startFlame(timeline) {
	const { off, wakers, samples } = timeline.data.stacks, kinds = byId('flame-kind');

	if (!off.size && !wakers.size && !samples.time.length)
		return null;
	if (!samples.time.length)
		kinds.remove(kinds.options.length - 1);
	else if (!off.size)
		kinds.value = 'ran';
	fxtPage.tabs.add('flame');
	return new FlameGraph(timeline);
}
