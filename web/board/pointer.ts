/** Mouse, pen and touch: clicks, drags, and shapes that are drawn with the right button. */

import type { Square } from "./geometry";
import type { PieceElement } from "./piece-layer";
import type { Shape } from "./shapes";

/** What the board does with gestures. */
export interface PointerHost {
  readonly selected: Square | null;
  readonly editable: boolean;
  readonly drawable: boolean;
  /** The square at a place from 0 to 8 in both directions. */
  squareAt(column: number, row: number): Square | null;
  pieceAt(square: Square): PieceElement | undefined;
  mayPick(square: Square): boolean;
  /** Whether the selected piece may go there. */
  isTarget(square: Square): boolean;
  activate(square: Square): void;
  select(square: Square | null): void;
  /** A piece was dragged to another square. */
  drop(from: Square, to: Square): void;
  edit(from: Square | null, to: Square | null): void;
  /** Puts a piece back on its square. */
  put(piece: PieceElement): void;
  cancelPremove(): void;
  clearShapes(): void;
  toggleShape(shape: Shape): void;
  /** Shows a shape while it is drawn. */
  preview(shape: Shape | null): void;
  dragging(over: Square | null, isDragging: boolean): void;
}

interface Drag {
  pointer: number;
  from: Square;
  piece: PieceElement;
  startX: number;
  startY: number;
  moved: boolean;
  wasSelected: boolean;
  touch: boolean;
}

export class Pointer {
  readonly #board: HTMLElement;
  readonly #host: PointerHost;
  #drag: Drag | null = null;
  #drawing: { pointer: number; from: Square; color: Shape["color"] } | null = null;
  #handled = false;

  constructor(board: HTMLElement, host: PointerHost) {
    this.#board = board;
    this.#host = host;
    board.addEventListener("pointerdown", (event) => this.#down(event));
    board.addEventListener("pointermove", (event) => this.#move(event));
    board.addEventListener("pointerup", (event) => this.#up(event));
    board.addEventListener("pointercancel", () => this.cancel());
    board.addEventListener("contextmenu", (event) => event.preventDefault());
    // Keeps the focus where it is when the mouse is used, so that the arrow keys still belong to the page.
    board.addEventListener("mousedown", (event) => event.preventDefault());
  }

  /** Whether a click has been handled as a gesture already. */
  takeHandled(): boolean {
    const handled = this.#handled;
    this.#handled = false;
    return handled;
  }

  cancel(): void {
    this.#drawing = null;
    const drag = this.#drag;
    if (!drag) return;
    this.#end(drag);
    this.#host.put(drag.piece);
  }

  #squareFrom(event: PointerEvent): Square | null {
    const box = this.#board.getBoundingClientRect();
    const column = Math.floor(((event.clientX - box.left) / box.width) * 8);
    const row = Math.floor(((event.clientY - box.top) / box.height) * 8);
    return this.#host.squareAt(column, row);
  }

  #down(event: PointerEvent): void {
    const host = this.#host;
    const square = this.#squareFrom(event);
    if (!square || this.#drag || this.#drawing) return;
    if (event.button === 2) {
      host.cancelPremove();
      if (!host.drawable) return;
      const color = event.shiftKey ? "red" : event.altKey ? "blue" : event.ctrlKey ? "yellow" : "green";
      this.#drawing = { pointer: event.pointerId, from: square, color };
      this.#board.setPointerCapture(event.pointerId);
      return;
    }
    if (event.button !== 0) return;
    this.#handled = true;
    if (!host.editable) host.clearShapes();
    const piece = host.pieceAt(square);
    if (!piece || !host.mayPick(square) || host.isTarget(square)) {
      host.activate(square);
      return;
    }
    const wasSelected = host.selected === square;
    if (!host.editable && !wasSelected) host.select(square);
    const { pointerId: pointer, clientX: startX, clientY: startY } = event;
    const touch = event.pointerType === "touch";
    this.#drag = { pointer, from: square, piece, startX, startY, moved: false, wasSelected, touch };
    this.#board.setPointerCapture(pointer);
  }

  #move(event: PointerEvent): void {
    const drawing = this.#drawing;
    if (drawing?.pointer === event.pointerId) {
      const to = this.#squareFrom(event);
      if (to) this.#host.preview(shapeOf(drawing.from, to, drawing.color));
      return;
    }
    const drag = this.#drag;
    if (drag?.pointer !== event.pointerId) return;
    if (!drag.moved && Math.hypot(event.clientX - drag.startX, event.clientY - drag.startY) < 4) return;
    const { element } = drag.piece;
    if (!drag.moved) {
      drag.moved = true;
      element.getAnimations().forEach((animation) => animation.cancel());
      element.classList.add("dragging");
      element.classList.toggle("touch", drag.touch);
    }
    const box = this.#board.getBoundingClientRect();
    const half = box.width / 16;
    element.style.transform = `translate(${event.clientX - box.left - half}px, ${event.clientY - box.top - half}px)`;
    const over = this.#squareFrom(event);
    this.#host.dragging(over === drag.from ? null : over, true);
  }

  #up(event: PointerEvent): void {
    const host = this.#host;
    const drawing = this.#drawing;
    const to = this.#squareFrom(event);
    if (drawing?.pointer === event.pointerId) {
      this.#drawing = null;
      if (to) host.toggleShape(shapeOf(drawing.from, to, drawing.color));
      else host.preview(null);
      return;
    }
    const drag = this.#drag;
    if (drag?.pointer !== event.pointerId) return;
    this.#end(drag);
    if (!drag.moved) {
      host.put(drag.piece);
      if (host.editable) host.edit(null, drag.from);
      else if (drag.wasSelected) host.select(null);
    } else if (host.editable) {
      if (to !== drag.from) host.edit(drag.from, to);
      host.put(drag.piece);
    } else {
      if (to && to !== drag.from) host.drop(drag.from, to);
      // If the page has accepted the move, the piece belongs to its new square now; otherwise it goes back.
      host.put(drag.piece);
    }
  }

  #end(drag: Drag): void {
    this.#drag = null;
    drag.piece.element.classList.remove("dragging", "touch");
    this.#host.dragging(null, false);
  }
}

/** A circle, or an arrow to another square. */
function shapeOf(from: Square, to: Square, color: Shape["color"]): Shape {
  return from === to ? { from, color } : { from, to, color };
}
