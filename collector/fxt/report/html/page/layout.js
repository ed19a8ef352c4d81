// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * layout.js - the theme, and the pane beside the timeline: its size, its side, its tabs. The
 * browser keeps what the user chose for all pages, if it lets a page store anything.
 */

const chosen = new Map();	/* in this page, if the browser stores nothing */

/* Read a choice, or store it if there is a value. Return: the choice, or null */
function stored(name, value) {
	if (value !== undefined)
		chosen.set(name, String(value));
	try {
		if (value !== undefined)
			localStorage.setItem('fxt-' + name, value);
		return localStorage.getItem('fxt-' + name);
	} catch {
		return chosen.get(name) ?? null;
	}
}

/* --- the theme ---------------------------------------------------------------------------- */

const DARK = window.matchMedia('(prefers-color-scheme: dark)');

function applyTheme() {
	const wanted = byId('theme').value;

	document.documentElement.dataset.theme = wanted === 'auto' ?
		DARK.matches ? 'dark' : 'light' : wanted;
}

/* Follow the system's theme until the user chooses one; changed() is called after each change. */
function startTheme(changed) {
	const theme = stored('theme');

	if (['light', 'dark'].includes(theme))
		byId('theme').value = theme;
	applyTheme();
	on('theme', 'change', () => {
		stored('theme', byId('theme').value);
		applyTheme();
		changed();
	});
	on(DARK, 'change', () => {
		applyTheme();
		changed();
	});
}

/* --- menus ------------------------------------------------------------------------------- */

/* A menu closes when the user goes elsewhere, or presses Escape. */
function startMenus() {
	const menus = [...document.querySelectorAll('.menu')];
	const leave = (event) => {
		for (const menu of menus) {
			if (!menu.contains(event.target))
				menu.open = false;
		}
	};

	on(document, 'pointerdown focusin', leave);
	for (const menu of menus) {
		on(menu, 'keydown', (event) => {
			if (event.key !== 'Escape' || !menu.open)
				return;
			menu.open = false;
			menu.firstElementChild.focus();
			event.stopPropagation();
		});
	}
}

/* --- tabs --------------------------------------------------------------------------------- */

/* One panel of the pane is visible; arrows go to the others. */
class Tabs {
	constructor() {
		this.list = byId('tabs');
		this.onShow = () => {};
		this.panels = [...document.querySelectorAll('.panel')];
		this.buttons = this.panels.map((panel) => this.tabOf(panel));
		this.list.replaceChildren(...this.buttons);
		on(this.list, 'keydown', (event) => this.key(event));
		this.show('details');
	}

	tabOf(panel) {
		const name = panel.id.replace('panel-', '');
		const tab = button(panel.dataset.title, () => this.show(name), {
			role: 'tab', id: 'tab-' + name, 'aria-controls': panel.id });

		panel.setAttribute('role', 'tabpanel');
		panel.tabIndex = 0;
		panel.setAttribute('aria-labelledby', tab.id);
		tab.hidden = panel.hidden;
		return tab;
	}

	/* Show the tab of a panel that only some recordings have. */
	add(name) {
		byId('tab-' + name).hidden = false;
	}

	/* The first tab to show: the findings, if there are any. */
	get first() {
		return byId('tab-findings').dataset.count ? 'findings' :
			byId('tab-findings').hidden ? 'tables' : 'details';
	}

	/* By name: details, findings, latency, flame, tables. */
	show(name) {
		if (!this.buttons.some((button) => button.id === 'tab-' + name && !button.hidden))
			return;
		this.panels.forEach((panel, i) => {
			const isShown = panel.id === 'panel-' + name;

			panel.hidden = !isShown;
			this.buttons[i].setAttribute('aria-selected', String(isShown));
			this.buttons[i].tabIndex = isShown ? 0 : -1;
		});
		if (this.shown !== name)
			byId('pane').style.minHeight = '';
		this.shown = name;
		this.onShow(name);
	}

	key(event) {
		const buttons = this.buttons.filter((button) => !button.hidden);
		const at = buttons.indexOf(event.target), count = buttons.length;
		const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: count - 1 }[event.key];

		if (at < 0 || to === undefined)
			return;
		buttons[(to + count) % count].click();
		buttons[(to + count) % count].focus();
		event.preventDefault();
		event.stopPropagation();
	}
}

/* --- the size and the side of the pane ----------------------------------------------------- */

const PANE_LEAST = 90, STAGE_LEAST = 120;	/* pixels */
const PANE_SHARE = 0.4;			/* of the page at most, until the user drags */
const PANE_STEP = 24;				/* pixels for an arrow */

/* The pane beside the timeline: a splitter resizes it, and the menu chooses its side. */
class Pane {
	constructor() {
		this.work = byId('work');
		this.pane = byId('pane');
		this.splitter = byId('splitter');
		on(this.splitter, 'pointerdown', (event) => this.down(event));
		on(this.splitter, 'pointermove', (event) => this.move(event));
		on(this.splitter, 'pointerup pointercancel', () => this.up());
		on(this.splitter, 'keydown', (event) => this.key(event));
		on('dock', 'change', (event) => {
			stored('dock', event.target.value);
			this.apply();
		});
		byId('dock').value = stored('dock') === 'right' ? 'right' : 'bottom';
		new ResizeObserver(() => this.apply()).observe(this.work);
		new ResizeObserver(() => this.tell()).observe(this.pane);
		this.apply();
	}

	get isRight() {
		return byId('dock').value === 'right';
	}

	get room() {
		return this.isRight ? this.work.clientWidth : this.work.clientHeight;
	}

	get size() {
		return this.isRight ? this.pane.offsetWidth : this.pane.offsetHeight;
	}

	/*
	 * Sizes are shares of the page, so that a choice fits other screens; without a choice, the
	 * pane is as high as its content.
	 */
	apply() {
		const share = Number(stored('pane-' + byId('dock').value));
		const most = Math.max(PANE_LEAST, this.room - STAGE_LEAST);
		const size = Math.round(Math.min(most, Math.max(PANE_LEAST, (share || PANE_SHARE) *
							       this.room))) + 'px';

		this.work.dataset.dock = byId('dock').value;
		this.hasChoice = share > 0;
		Object.assign(this.pane.style, { width: this.isRight ? size : '', minHeight: '',
			height: !this.isRight && share ? size : '', maxHeight: this.isRight || share ? '' : size });
		this.splitter.setAttribute('aria-orientation',
					   this.isRight ? 'vertical' : 'horizontal');
		this.tell();
	}

	/* Never shrink the pane for new content: that would move the timeline with each click. */
	tell() {
		if (!this.isRight && !this.hasChoice)
			this.pane.style.minHeight = this.size + 'px';
		this.splitter.setAttribute('aria-valuenow',
					   String(Math.round(100 * this.size / (this.room || 1))));
	}

	resize(size) {
		stored('pane-' + byId('dock').value, Math.max(0, size) / this.room);
		this.apply();
	}

	place(event) {
		return this.isRight ? event.clientX : event.clientY;
	}

	down(event) {
		this.drag = { from: this.place(event), size: this.size };
		this.splitter.setPointerCapture(event.pointerId);
	}

	move(event) {
		if (this.drag)
			this.resize(this.drag.size + this.drag.from - this.place(event));
	}

	up() {
		this.drag = null;
	}

	key(event) {
		const by = { ArrowUp: 1, ArrowLeft: 1, ArrowDown: -1, ArrowRight: -1 }[event.key];

		if (!by)
			return;
		this.resize(this.size + by * PANE_STEP);
		event.preventDefault();
		event.stopPropagation();
	}
}
