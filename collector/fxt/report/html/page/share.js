// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * share.js - what users pass on to others: the address with the view, texts, tables and pictures.
 * The part of the address after # makes another browser show the same. Its times are ns since the
 * start of the page.
 */

const ADDRESS_DELAY = 150;		/* ms without a change before the address follows */

/* The address of a span: its thread, and when it begins. */
function spanAddress(data, s) {
	return data.threads[data.spans.thread[s]].key + '@' + Math.round(data.spans.from[s]) +
		(data.threads[data.spans.thread[s]].isIdle ? '@' + data.spans.cpu[s] : '');
}

/* The span of an address; -1: none */
function spanOf(data, address) {
	const [key, from, cpu] = address.split('@'), t = data.threads.find((of) => of?.key === key);
	const track = t?.isIdle ? data.cpuTracks.get(Number(cpu)) :
		t ? data.threadTracks[t.number] : undefined;
	const at = track ? track.positionAt(Number(from)) : -1;

	return at >= 0 ? track.span(at) : -1;
}

/* Choices that the address has unless they are the usual ones. */
const CONTROLS = { scope: 'scope', clock: 'clock', group: 'grouping', sort: 'order', find: 'search' };
const SETS = { pin: 'kept', hide: 'hidden' };		/* of threads */
const CHOSEN = ['at', 'event', 'range', 'rows', 'cpus'];	/* the browser goes back from one to another */

function usualChoice({ options }) {
	return options?.[0].value ?? '';
}

function keysOfThreads({ threads }, numbers) {
	return [...numbers].map((number) => threads[number].key).join(' ');
}

function threadsOfKeys({ threads }, keys) {
	const wanted = new Set(keys.split(' '));

	return new Set(threads.filter((t) => wanted.has(t?.key)).map(({ number }) => number));
}

/* Set a control; null, or a value that the page does not have, is the usual choice. */
function choose(control, value) {
	const before = control.value;

	control.value = value ?? usualChoice(control);
	if (control.selectedIndex === -1)
		control.value = usualChoice(control);
	if (control.value !== before)
		control.dispatchEvent(new CustomEvent(control.options ? 'change' : 'input', { detail: 'address' }));
}

/* The tab of an address that names none. */
function usualTab(parts) {
	return parts.has('at') || parts.has('range') ? 'details' : fxtPage.tabs.first;
}

/* Keeps the state of the page in its address, and restores it from there. */
class Address {
	constructor(timeline) {
		this.timeline = timeline;
		this.last = location.hash;	/* address that this page applied or wrote last */
		this.isTold = false;	/* was a change of the selection completed? */
		/* Call after each change; the address follows once a movement has ended. */
		this.changed = afterRest(ADDRESS_DELAY, () => this.write());
		on(window, 'hashchange', () => this.apply());
	}

	parts() {
		const t = this.timeline, { data, model, event, range } = t, { events } = data, { from, to } = t.view;
		const all = { view: from > 0 || to < data.end ? Math.round(from) + '-' + Math.round(to) : '',
			at: t.selected >= 0 ? spanAddress(data, t.selected) : '',
			event: event >= 0 ? events.source[event] + '@' + Math.round(events.from[event]) : '',
			range: range ? Math.round(range.from) + '-' + Math.round(range.to) : '',
			rows: keysOfThreads(data, range?.rows?.threads ?? []), cpus: [...range?.rows?.cpus ?? []].join(' ') };

		for (const [name, id] of Object.entries(CONTROLS))
			all[name] = byId(id).value === usualChoice(byId(id)) ? '' : byId(id).value;
		for (const [name, key] of Object.entries(SETS))
			all[name] = keysOfThreads(data, model[key]);
		const parts = new URLSearchParams(Object.entries(all).filter(([, text]) => text));

		for (const { time, text } of t.notes)
			parts.append('note', Math.round(time) + ' ' + text);
		return parts;
	}

	write() {
		const parts = this.parts(), chosen = CHOSEN.map((name) => parts.get(name)).join();
		const isStep = this.isTold && this.chosen !== undefined && chosen !== this.chosen;

		if (fxtPage.tabs.shown !== usualTab(parts))
			parts.set('tab', fxtPage.tabs.shown);
		if (fxtPage.tabs.shown === 'tables')
			parts.set('table', shownTable());
		const text = String(parts), hash = text ? '#' + text : '';

		/* Otherwise the user has just entered another address, which must be applied first. */
		if (location.hash === this.last && location.hash !== hash && (this.isTold || chosen === this.chosen)) {
			history[isStep ? 'pushState' : 'replaceState'](null, '', location.href.split('#')[0] + hash);
			this.last = location.hash;
			if (location.href.startsWith('about:srcdoc'))
				parent.postMessage(text, '*');	/* fxt diff's page has two */
		}
		if (this.isTold)
			this.chosen = chosen;
		this.isTold = false;
	}

	/* Show what the address says. Return: does it say anything? */
	apply() {
		const t = this.timeline, parts = new URLSearchParams(location.hash.slice(1));
		const times = (name) => (parts.get(name) ?? '').split('-').map(Number);
		const [from, to] = times('view'), [a, b] = times('range'), words = (name) => parts.get(name) ?? '';
		const at = parts.has('at') ? spanOf(t.data, parts.get('at')) : -1, { events } = t.data;
		const [source, time] = words('event').split('@').map(Number);
		const rows = { threads: threadsOfKeys(t.data, words('rows')),
			       cpus: new Set(words('cpus').split(' ').filter(Boolean).map(Number)) };

		this.last = location.hash;
		for (const [name, id] of Object.entries(CONTROLS))
			choose(byId(id), parts.get(name));
		t.changeRows((model) => Object.entries(SETS).forEach(([name, key]) => {
			model[key] = threadsOfKeys(t.data, words(name));
		}));
		t.notes = parts.getAll('note').map((note) => ({ time: parseInt(note, 10), text: note.replace(/^\S* /, '') }));
		t.range = null;
		t.showAll();
		t.select(at, true);
		if (to > from)
			t.setView(from, to);
		if (b >= a)
			t.setRange(a, b, rows.threads.size + rows.cpus.size ? rows : undefined);
		t.event = parts.has('event') ? events.from.findIndex((ns, i) =>
			events.source[i] === source && Math.round(ns) === time) : -1;
		t.onTell();
		this.chosen = CHOSEN.map((name) => parts.get(name)).join();
		fxtPage.tabs.show(parts.get('tab') ?? usualTab(parts));
		if (parts.has('table'))
			showTable(parts.get('table'));
		return [...parts.keys()].length > 0;
	}
}

/* For old browsers, and those that deny the clipboard to pages from files. */
function copyOldWay(text) {
	const area = element('textarea');

	area.value = text;
	document.body.append(area);
	area.select();
	document.execCommand('copy');
	area.remove();
}

/* Copy a text; the button says when it is done. */
async function copyText(text, button) {
	const label = button.textContent;

	try {
		await navigator.clipboard.writeText(text);
	} catch {
		copyOldWay(text);
	}
	button.textContent = 'Copied';
	setTimeout(() => {
		button.textContent = label;
	}, 1200);
}

/* The details as lines of text. */
function detailsText() {
	const pairs = [...byId('details').querySelectorAll('dl div')].map((pair) =>
		pair.children[0].textContent + ': ' + pair.children[1].textContent);
	const lists = [...byId('details').querySelectorAll('.lists section')].flatMap((section) => [
		'', section.querySelector('h2').textContent,
		...[...section.querySelectorAll('li')].map((li) => '  ' + [...li.children]
			.map((part) => part.textContent).filter((text) => text).join('  '))]);

	return pairs.concat(lists).join('\n') + '\n';
}

/* A table as comma-separated values, with the exact numbers of the report. */
function tableCsv(columns, rows) {
	const cell = (value) => {
		const text = String(value ?? '');

		return /[",\r\n]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
	};

	/* Title columns by their keys in JSON: these have units and differ from each other. */
	return [columns.map(({ key, type }) => (key.replace(/_$/, '') || type)
		.replace('khz', 'mhz').replace(/^mean$/, 'mean_ns')), ...rows.map((row) =>
		columns.map((column) => column.of(row)))].map((line) =>
		line.map(cell).join(',') + '\r\n').join('');
}

/* A picture: the title, the timeline, and the legend. */
function pictureOf({ canvas, width, pageHeight, theme }) {
	const picture = element('canvas'), c = beginChart(picture, width, pageHeight + 2 * RULER, theme);
	const title = byId('title').textContent + ', ' + byId('window').textContent;
	let x = 6;

	write(c, theme.text, fitText(c, title, width - 12), x, RULER / 2);
	c.drawImage(canvas, 0, RULER, width, pageHeight);
	for (const { firstElementChild: sample, textContent: text } of byId('legend').children) {
		if (sample)
			c.drawImage(sample, x, pageHeight + RULER + 6, 22, 14);
		x += sample ? 28 : 0;
		write(c, theme.text, text, x, pageHeight + RULER * 1.5);
		x += c.measureText(text).width + 16;
	}
	return picture;
}

function savePicture(timeline) {
	pictureOf(timeline).toBlob((blob) => {
		const link = element('a', [], { download: byId('title').textContent
			.replace(/.*\//, '').replace(/[^\w.-]/g, '_') + '.png' });

		link.href = URL.createObjectURL(blob);
		link.click();
		setTimeout(() => URL.revokeObjectURL(link.href), 1000);
	}, 'image/png');
}

/* Paper has the view as a picture in light colours, and the first rows of all tables. */
function startPrinting(redraw) {
	const draw = (...pictures) => {
		redraw();
		fxtPage.timeline?.draw();
		byId('printed').replaceChildren(...pictures.map((make) => make()));
		for (const table of Object.values(fxtPage.tables))
			table.scrolled();
	};

	on(window, 'beforeprint', () => {
		document.documentElement.dataset.theme = 'light';
		draw(() => fxtPage.timeline ? pictureOf(fxtPage.timeline) : '');
	});
	on(window, 'afterprint', () => {
		applyTheme();
		draw();
	});
}
