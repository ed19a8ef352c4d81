// SPDX-License-Identifier: GPL-2.0-or-later
/* input.js - turns keys and mouse into requests to the timeline. */

const MOVES = { w: 'zoom', s: 'zoom', a: 'move', d: 'move' };
const ZOOM_RATE = 0.004, MOVE_RATE = 0.0012;	/* of a ms */
const FIRST_PRESS = 50;				/* ms, least duration of a press */
const CLICK_PIXELS = 4;
const ROWS_PIXELS = 20;				/* dragged down or up, to limit a range to rows */
const EDGE_STEP = 0.05;				/* of the height */

/* W A S D zoom and move while they are pressed. */
class Keys {
	constructor(timeline, pointer, search) {
		this.timeline = timeline;
		this.pointer = pointer;
		this.search = search;
		this.pressed = new Set();
		this.last = 0;
		on(window, 'keydown', (event) => this.down(event));
		on(window, 'keyup', (event) => this.pressed.delete(event.key.toLowerCase()));
		on(window, 'blur', () => this.pressed.clear());
	}

	down(event) {
		const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;

		if (event.ctrlKey || event.altKey || event.metaKey ||
		    event.target.closest?.('input, select, dialog'))
			return;
		if (MOVES[key]) {
			this.press(key);
			event.preventDefault();
		} else if (this.command(key, event)) {
			event.preventDefault();
		}
	}

	press(key) {
		if (this.pressed.has(key))
			return;
		const isFirst = !this.pressed.size;

		this.pressed.add(key);
		this.apply(key, FIRST_PRESS);
		if (isFirst) {
			this.last = performance.now();
			requestAnimationFrame((now) => this.frame(now));
		}
	}

	frame(now) {
		const ms = Math.min(100, Math.max(0, now - this.last));

		this.last = now;
		for (const key of this.pressed)
			this.apply(key, ms);
		if (this.pressed.size)
			requestAnimationFrame((next) => this.frame(next));
	}

	apply(key, ms) {
		if (key === 'w' || key === 's')
			this.timeline.zoom(Math.exp((key === 'w' ? -1 : 1) * ZOOM_RATE * ms), this.pointer.time());
		else
			this.timeline.move((key === 'a' ? -1 : 1) * MOVE_RATE * ms);
	}

	/* Return: was it the key of a command? */
	command(key, { target, shiftKey }) {
		const t = this.timeline, isOnCanvas = target === t.canvas || target === document.body;
		const commands = {
			'f': () => t.fit(),
			'0': () => t.showAll(),
			'/': () => byId('search').focus(),
			'?': () => byId('keys').showModal(),
			't': () => goToTime(t),
			'm': () => noteAt(t, t.event >= 0 ? t.data.events.from[t.event] : t.selected >= 0 ?
				t.data.spans.from[t.selected] : this.pointer.time()),
			'z': () => t.zoomToRange(),
			'p': () => t.keepSelected(),
			'h': () => t.hideSelected(),
			'y': () => explainSelected(t),
			'c': () => t.changeRows((model) => model.toggleAll()),
			'g': () => t.changeRows((model) => model.toggleCpus()),
			'[': () => t.growCpus(-EDGE_STEP),
			']': () => t.growCpus(EDGE_STEP),
			'n': () => this.search.go(shiftKey ? -1 : 1),
			'Escape': () => t.clear(),
		};
		const onCanvas = {
			'ArrowLeft': () => shiftKey ? t.extend(-1) : t.step(-1),
			'ArrowRight': () => shiftKey ? t.extend(1) : t.step(1),
			'ArrowUp': () => t.stepRow(-1),
			'ArrowDown': () => t.stepRow(1),
			'Home': () => t.showAll(),
		};
		const command = commands[key] ?? (isOnCanvas ? onCanvas[key] : null);

		command?.();
		if (command && key.startsWith('Arrow'))
			t.onPick();
		return !!command;
	}
}

/* Hovering, dragging, clicking, the wheel. */
class Pointer {
	constructor(timeline) {
		const canvas = timeline.canvas;

		this.timeline = timeline;
		this.x = this.place = null;
		this.drag = null;
		this.tooltip = new Tooltip(timeline);
		on(canvas, 'pointerdown', (event) => this.down(event));
		on(canvas, 'pointermove', (event) => this.move(event));
		on(canvas, 'pointerup', (event) => this.up(event));
		on(canvas, 'pointercancel', () => (this.drag = null));
		on(canvas, 'pointerleave', () => {
			this.x = this.place = null;
			this.tooltip.hide();
		});
		canvas.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
		on(timeline.scroller, 'scroll', () => timeline.keepMoving());
	}

	/* Keys, the wheel or a link have changed what is under the mouse. */
	changed() {
		if (this.place && !this.drag)
			this.tooltip.show(this.place);
	}

	/* The time at the mouse; without a mouse, in the middle. */
	time() {
		const { from, to } = this.timeline.view;

		return this.x === null || this.x < LABELS ? (from + to) / 2 : this.timeline.timeAt(this.x);
	}

	/* Marks a range; on the ruler, with shift or the middle button, moves. */
	down(event) {
		const t = this.timeline;

		if (event.button > 1)
			return;
		const isMove = event.shiftKey || event.button === 1 || event.offsetY < RULER;

		this.drag = { x: event.offsetX, y: event.offsetY, view: t.view, isFar: false, isMove,
			      isLabel: event.offsetX < LABELS,
			      isEdge: event.button === 0 && t.isEdgeAt(event.offsetY) };
		t.canvas.setPointerCapture(event.pointerId);
		if (event.button === 1)
			event.preventDefault();
	}

	move(event) {
		const t = this.timeline, { offsetX, offsetY, clientX, clientY } = event;

		this.x = offsetX;
		this.place = { offsetX, offsetY, clientX, clientY };
		if (!this.drag) {
			t.canvas.style.cursor = t.isEdgeAt(event.offsetY) ? 'row-resize' : '';
			this.tooltip.show(event);
			return;
		}
		if (this.drag.isEdge) {
			this.drag.isFar = true;
			t.setCpus(event.offsetY - RULER);
			return;
		}
		const by = event.offsetX - this.drag.x, { from, to } = this.drag.view;
		const time = by / (t.width - LABELS) * (to - from);

		this.tooltip.hide();
		this.drag.isFar ||= Math.abs(by) > CLICK_PIXELS;
		if (this.drag.isFar && this.drag.isMove)
			t.setView(from - time, to - time);
		else if (this.drag.isFar && !this.drag.isLabel)
			t.setRange(t.timeAt(this.drag.x), t.timeAt(event.offsetX),
				   Math.abs(event.offsetY - this.drag.y) > ROWS_PIXELS ?
					   t.rowsBetween(this.drag.y, event.offsetY) : undefined);
	}

	up(event) {
		const t = this.timeline, { drag } = this;

		this.drag = null;
		if (drag?.isFar && drag.isEdge)
			return;
		if (drag?.isFar && !drag.isMove && !drag.isLabel)
			t.sumUp();
		if (drag && !drag.isFar && !openFlag(t, event.offsetX, event.offsetY) &&
		    !t.toggleAt(event.offsetX, event.offsetY))
			t.selectAt(event.offsetX, event.offsetY);
	}

	/* Without a key, the wheel scrolls the rows, as usual. */
	wheel(event) {
		const t = this.timeline, sideways = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;

		if (event.ctrlKey)
			t.zoom(Math.exp(event.deltaY * 0.002), this.time());
		else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))
			t.move(sideways / t.width);
		else if (!t.scrollAt(event.offsetY, event.deltaY))
			return;
		event.preventDefault();
	}
}
