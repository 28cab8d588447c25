/**
 * `<tabiya-board>`: a chessboard that knows no rules. The page gives it pieces and legal moves; it shows them, lets
 * people move by mouse, touch or keyboard, and says what they did. See README.md for its properties and events.
 */

import { colorOf, FILES, isDark, placeOf, squareAt, SQUARES, type Color, type Square } from "./geometry";
import { pieceMarkup, type Role } from "./pieces";
import { promotionChooser } from "./promotion";
import { shapesMarkup, type Shape } from "./shapes";
import { style } from "./style";

export type { Color, Role, Shape, Square };
export { pieceMarkup };

/** FEN letters by square. */
export type Pieces = Readonly<Record<Square, string>>;

/** Where a piece may go. */
export interface Target {
  to: Square;
  capture?: boolean;
  /** Ask for the piece to promote to. */
  promotion?: boolean;
}

export type LegalMoves = ReadonlyMap<Square, readonly Target[]>;

export interface MoveDetail {
  from: Square;
  to: Square;
  promotion?: "q" | "r" | "b" | "n";
}

/** The words of the board, to be replaced for another language. */
export interface BoardTexts {
  board: string;
  /** By FEN letter: "white pawn". */
  pieces: Record<string, string>;
  empty: string;
  selected: string;
  target: string;
  capture: string;
  lastMove: string;
  check: string;
  premove: string;
  promote: string;
  roles: Record<"q" | "r" | "b" | "n", string>;
}

const names: [string, string][] = [
  ["p", "pawn"], ["n", "knight"], ["b", "bishop"], ["r", "rook"], ["q", "queen"], ["k", "king"],
];

export const englishTexts: BoardTexts = {
  board: "Chessboard",
  pieces: Object.fromEntries(names.flatMap(([letter, name]) => [
    [letter.toUpperCase(), `white ${name}`], [letter, `black ${name}`],
  ])),
  empty: "empty",
  selected: "selected",
  target: "can be reached",
  capture: "can be captured",
  lastMove: "last move",
  check: "in check",
  premove: "premove",
  promote: "Promote to",
  roles: { q: "queen", r: "rook", b: "bishop", n: "knight" },
};

interface PieceElement {
  letter: string;
  square: Square;
  element: HTMLElement;
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

const ARROW_KEYS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
};

export class TabiyaBoard extends HTMLElement {
  /** How long a piece travels, in milliseconds; 0 for no animation. */
  animation = 180;
  /** Promote to a queen without asking. */
  autoQueen = false;
  /** Draw arrows and circles with the right button. */
  drawable = true;
  /** Pieces may be put anywhere, also off the board: `edit` events instead of moves. */
  editable = false;

  readonly #root = this.attachShadow({ mode: "open" });
  #board!: HTMLElement;
  #grid!: HTMLElement;
  #pieceLayer!: HTMLElement;
  #shapeLayer!: SVGElement;
  #sentence!: HTMLElement;
  #squares = new Map<Square, HTMLButtonElement>();
  #elements: PieceElement[] = [];
  #pieces: Pieces = {};
  #orientation: Color = "white";
  #legal: LegalMoves = new Map();
  #movable: Color | "both" | null = null;
  #turn: Color = "white";
  #premovable = false;
  #premove: MoveDetail | null = null;
  #lastMove: readonly Square[] = [];
  #check: Square | null = null;
  #shapes: Shape[] = [];
  #autoShapes: readonly Shape[] = [];
  #reason: { squares: readonly Square[]; message: string } | null = null;
  #selected: Square | null = null;
  #focus: Square = "e2";
  #drag: Drag | null = null;
  #drawing: { pointer: number; from: Square; color: Shape["color"] } | null = null;
  #dropped: Square | null = null;
  #pointerHandled = false;
  #texts: BoardTexts = englishTexts;
  #promotion: { close: () => void } | null = null;

  constructor() {
    super();
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    this.#root.adoptedStyleSheets = [sheet];
    this.#root.innerHTML = `<div class="board"><div class="grid" role="grid"></div><div class="coordinates" aria-hidden="true"></div>
<div class="pieces" aria-hidden="true"></div><svg class="shapes" viewBox="0 0 8 8" aria-hidden="true"></svg><div class="sentence" aria-hidden="true"></div></div>`;
    this.#board = this.#root.querySelector(".board")!;
    this.#grid = this.#root.querySelector(".grid")!;
    this.#pieceLayer = this.#root.querySelector(".pieces")!;
    this.#shapeLayer = this.#root.querySelector(".shapes")!;
    this.#sentence = this.#root.querySelector(".sentence")!;
    this.#buildGrid();
    this.#board.addEventListener("pointerdown", (event) => this.#down(event));
    this.#board.addEventListener("pointermove", (event) => this.#move(event));
    this.#board.addEventListener("pointerup", (event) => this.#up(event));
    this.#board.addEventListener("pointercancel", () => this.#cancelDrag());
    this.#board.addEventListener("contextmenu", (event) => event.preventDefault());
    // Keeps the focus where it is when the mouse is used, so that the arrow keys still belong to the page.
    this.#board.addEventListener("mousedown", (event) => event.preventDefault());
    this.#grid.addEventListener("click", (event) => this.#click(event));
    this.#grid.addEventListener("keydown", (event) => this.#key(event));
    this.#grid.addEventListener("focusin", (event) => {
      const square = (event.target as HTMLElement).dataset.square;
      if (square) this.#setFocusSquare(square);
    });
  }

  // Properties -------------------------------------------------------------------------------------------------------

  get pieces(): Pieces { return this.#pieces; }
  /** Pieces that changed squares travel there. */
  set pieces(pieces: Pieces) { this.setPieces(pieces); }

  get orientation(): Color { return this.#orientation; }
  set orientation(color: Color) {
    if (color === this.#orientation) return;
    this.#orientation = color;
    this.#cancelDrag();
    this.#promotion?.close();
    this.#buildGrid();
    for (const piece of this.#elements) this.#put(piece);
    this.#paint();
    this.#paintShapes();
  }

  get legal(): LegalMoves { return this.#legal; }
  set legal(moves: LegalMoves) { this.#legal = moves; this.#promotion?.close(); this.#paint(); }

  /** Whose pieces may be moved by the person at the board. */
  get movable(): Color | "both" | null { return this.#movable; }
  set movable(color: Color | "both" | null) {
    this.#movable = color;
    this.toggleAttribute("data-movable", color !== null || this.editable);
    if (color === null) { this.#cancelDrag(); this.#selected = null; this.#promotion?.close(); }
    this.#paint();
  }

  get turn(): Color { return this.#turn; }
  set turn(color: Color) { this.#turn = color; }

  /** Whether moves may be entered while it is the other side's turn. */
  get premovable(): boolean { return this.#premovable; }
  set premovable(value: boolean) { this.#premovable = value; if (!value) this.cancelPremove(); }

  get premove(): MoveDetail | null { return this.#premove; }

  get lastMove(): readonly Square[] { return this.#lastMove; }
  set lastMove(squares: readonly Square[]) { this.#lastMove = squares; this.#paint(); }

  get check(): Square | null { return this.#check; }
  set check(square: Square | null) { this.#check = square; this.#paint(); }

  /** What the user drew. */
  get shapes(): readonly Shape[] { return this.#shapes; }
  set shapes(shapes: readonly Shape[]) { this.#shapes = [...shapes]; this.#paintShapes(); }

  /** What the page draws: an engine's arrows, glyphs. */
  get autoShapes(): readonly Shape[] { return this.#autoShapes; }
  set autoShapes(shapes: readonly Shape[]) { this.#autoShapes = shapes; this.#paintShapes(); }

  /** A sentence on the board, and the squares it speaks of. */
  get reason(): { squares: readonly Square[]; message: string } | null { return this.#reason; }
  set reason(reason: { squares: readonly Square[]; message: string } | null) {
    this.#reason = reason;
    this.#sentence.textContent = reason?.message ?? "";
    const rows = (reason?.squares ?? []).map((square) => placeOf(square, this.#orientation).row);
    const atTop = rows.length > 0 && rows.reduce((sum, row) => sum + row, 0) / rows.length > 3.5;
    this.#sentence.className = `sentence ${atTop ? "top" : "bottom"}`;
    this.#paint();
  }

  get selected(): Square | null { return this.#selected; }
  set selected(square: Square | null) { this.#select(square); }

  get texts(): BoardTexts { return this.#texts; }
  set texts(texts: BoardTexts) { this.#texts = texts; this.#grid.setAttribute("aria-label", texts.board); this.#paint(); }

  /** Sets the pieces; `animate: false` for a new game or a jump. */
  setPieces(pieces: Pieces, options: { animate?: boolean; promotedFrom?: Square } = {}): void {
    this.#cancelDrag();
    this.#promotion?.close();
    const animate = options.animate !== false && this.animation > 0 && this.isConnected &&
      !matchMedia("(prefers-reduced-motion: reduce)").matches;
    const missing = new Map(Object.entries(pieces));
    const kept: PieceElement[] = [];
    const free: PieceElement[] = [];
    for (const piece of this.#elements) {
      if (missing.get(piece.square) === piece.letter) {
        missing.delete(piece.square);
        kept.push(piece);
        // A drag that was refused may have left it elsewhere.
        this.#put(piece);
      } else free.push(piece);
    }
    for (const [square, letter] of missing) {
      const distance = (piece: PieceElement) => {
        const [a, b] = [placeOf(piece.square, "white"), placeOf(square, "white")];
        return Math.hypot(a.column - b.column, a.row - b.row);
      };
      const [nearest] = free.filter((piece) => piece.letter === letter).sort((a, b) => distance(a) - distance(b));
      if (nearest) {
        free.splice(free.indexOf(nearest), 1);
        const from = nearest.square;
        nearest.square = square;
        this.#put(nearest);
        if (animate && this.#dropped !== square) this.#travel(nearest, from);
        kept.push(nearest);
      } else {
        const piece = this.#createPiece(letter, square);
        if (animate && options.promotedFrom && this.#dropped !== square) this.#travel(piece, options.promotedFrom);
        kept.push(piece);
      }
    }
    for (const piece of free) {
      if (animate && this.#dropped !== piece.square) {
        piece.element.animate([{ opacity: 1 }, { opacity: 0 }], { duration: this.animation }).onfinish = () => piece.element.remove();
      } else piece.element.remove();
    }
    this.#dropped = null;
    this.#elements = kept;
    this.#pieces = pieces;
    if (this.#selected && !pieces[this.#selected]) this.#selected = null;
    this.#paint();
  }

  /** Plays the premove if it is legal now, and forgets it. Returns whether it was played. */
  playPremove(): boolean {
    const move = this.#premove;
    if (!move) return false;
    this.cancelPremove();
    const target = this.#legal.get(move.from)?.find(({ to }) => to === move.to);
    if (!target) return false;
    this.#emit("move", target.promotion ? { ...move, promotion: move.promotion ?? "q" } : move);
    return true;
  }

  cancelPremove(): void {
    if (!this.#premove) return;
    this.#premove = null;
    this.#paint();
    this.#emit("premove", null);
  }

  /** Moves the keyboard's focus to a square. */
  focusSquare(square: Square): void {
    this.#setFocusSquare(square);
    this.#squares.get(square)?.focus();
  }

  override focus(): void { this.focusSquare(this.#focus); }

  // Painting ---------------------------------------------------------------------------------------------------------

  #buildGrid(): void {
    const hadFocus = this.#root.activeElement?.classList.contains("square");
    this.#grid.setAttribute("aria-label", this.#texts.board);
    this.#grid.replaceChildren();
    this.#squares.clear();
    // Apart from the buttons, whose names are longer.
    const layer = this.#root.querySelector(".coordinates")!;
    layer.replaceChildren();
    const coordinate = (kind: string, square: Square, text: string, side: "top" | "left", index: number) => {
      const span = document.createElement("span");
      span.className = `${kind} ${isDark(square) ? "on-dark" : "on-light"}`;
      span.textContent = text;
      span.style[side] = `${index * 12.5}%`;
      layer.append(span);
    };
    for (let row = 0; row < 8; row++) {
      const line = document.createElement("div");
      line.setAttribute("role", "row");
      for (let column = 0; column < 8; column++) {
        const square = squareAt(column, row, this.#orientation)!;
        const cell = document.createElement("div");
        cell.setAttribute("role", "gridcell");
        const button = document.createElement("button");
        button.type = "button";
        button.className = `square ${isDark(square) ? "dark" : "light"}`;
        button.dataset.square = square;
        button.tabIndex = square === this.#focus ? 0 : -1;
        if (column === 0) coordinate("rank", square, square[1]!, "top", row);
        if (row === 7) coordinate("file", square, square[0]!, "left", column);
        this.#squares.set(square, button);
        cell.append(button);
        line.append(cell);
      }
      this.#grid.append(line);
    }
    if (hadFocus) this.#squares.get(this.#focus)?.focus();
  }

  #createPiece(letter: string, square: Square): PieceElement {
    const element = document.createElement("div");
    element.className = `piece ${colorOf(letter)}`;
    element.innerHTML = `<svg viewBox="0 0 100 100">${pieceMarkup(letter.toLowerCase() as Role)}</svg>`;
    this.#pieceLayer.append(element);
    const piece = { letter, square, element };
    this.#put(piece);
    return piece;
  }

  #transform(square: Square): string {
    const { column, row } = placeOf(square, this.#orientation);
    return `translate(${column * 100}%, ${row * 100}%)`;
  }

  #put(piece: PieceElement): void {
    piece.element.dataset.square = piece.square;
    piece.element.style.transform = this.#transform(piece.square);
  }

  #travel(piece: PieceElement, from: Square): void {
    piece.element.style.zIndex = "2";
    const frames = [{ transform: this.#transform(from) }, { transform: this.#transform(piece.square) }];
    piece.element.animate(frames, { duration: this.animation, easing: "ease-out" }).onfinish = () => {
      piece.element.style.zIndex = "";
    };
  }

  #paint(): void {
    const targets = new Map((this.#selected ? this.#legal.get(this.#selected) ?? [] : []).map((t) => [t.to, t]));
    const premove = this.#premove ? [this.#premove.from, this.#premove.to] : [];
    const { texts } = this;
    for (const [square, button] of this.#squares) {
      const target = targets.get(square);
      const letter = this.#pieces[square];
      const flags: [string, boolean, string][] = [
        ["selected", square === this.#selected, texts.selected],
        ["target", target !== undefined, ""],
        ["capture", target?.capture === true || (target !== undefined && letter !== undefined), ""],
        ["last", this.#lastMove.includes(square), texts.lastMove],
        ["check", square === this.#check, texts.check],
        ["premove", premove.includes(square), texts.premove],
        ["reason", this.#reason?.squares.includes(square) === true, ""],
      ];
      const words = [square, letter ? texts.pieces[letter] ?? letter : texts.empty];
      for (const [name, on, word] of flags) {
        button.classList.toggle(name, on);
        if (on && word) words.push(word);
      }
      if (target) words.push(button.classList.contains("capture") ? texts.capture : texts.target);
      button.setAttribute("aria-label", words.join(", "));
      button.setAttribute("aria-pressed", String(square === this.#selected));
    }
  }

  #paintShapes(preview?: Shape): void {
    const shapes = [...this.#autoShapes, ...this.#shapes, ...(preview ? [preview] : [])];
    this.#shapeLayer.innerHTML = shapesMarkup(shapes, this.#orientation);
  }

  // Moving -----------------------------------------------------------------------------------------------------------

  #emit(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  #mayPick(square: Square): boolean {
    const letter = this.#pieces[square];
    if (!letter) return false;
    if (this.editable) return true;
    const color = colorOf(letter);
    if (this.#movable !== "both" && this.#movable !== color) return false;
    return color === this.#turn || this.#premovable;
  }

  #select(square: Square | null): void {
    if (this.#reason) this.reason = null;
    this.#selected = square;
    this.#paint();
    if (square) this.#emit("pick", { square });
  }

  /** A square was clicked, or chosen by the keyboard. */
  #activate(square: Square): void {
    if (this.editable) { this.#emit("edit", { from: null, to: square }); return; }
    const from = this.#selected;
    if (from && from !== square) {
      const target = this.#legal.get(from)?.some(({ to }) => to === square);
      // Another piece of one's own is picked instead, unless the move is one (castling onto the rook).
      if (target || !this.#mayPick(square)) { this.#attempt(from, square); return; }
    }
    if (from === square) this.#select(null);
    else if (this.#mayPick(square)) this.#select(square);
    else { this.cancelPremove(); if (this.#reason) this.reason = null; this.#emit("miss", { square }); }
  }

  #attempt(from: Square, to: Square): void {
    const letter = this.#pieces[from];
    if (letter && colorOf(letter) !== this.#turn) {
      this.#selected = null;
      if (this.#premovable) {
        this.#premove = { from, to };
        this.#emit("premove", this.#premove);
      }
      this.#dropped = null;
      this.#paint();
      return;
    }
    const target = this.#legal.get(from)?.find((candidate) => candidate.to === to);
    if (!target) {
      this.#dropped = null;
      this.#select(null);
      this.#emit("illegal", { from, to });
      return;
    }
    if (target.promotion && !this.autoQueen) { this.#choosePromotion(from, to); return; }
    this.#selected = null;
    this.#paint();
    this.#emit("move", target.promotion ? { from, to, promotion: "q" } : { from, to });
  }

  #choosePromotion(from: Square, to: Square): void {
    const { column, row } = placeOf(to, this.#orientation);
    const moving = this.#elements.find((piece) => piece.square === from);
    moving?.element.classList.add("ghost");
    const back = this.#root.activeElement as HTMLElement | null;
    const chooser = promotionChooser(colorOf(this.#pieces[from]!), column, row, this.#texts.promote, this.#texts.roles, (role) => {
      close();
      if (!role) return;
      this.#dropped = to;
      this.#emit("move", { from, to, promotion: role });
    });
    const close = () => {
      for (const part of chooser) part.remove();
      moving?.element.classList.remove("ghost");
      if (moving) this.#put(moving);
      this.#promotion = null;
      this.#selected = null;
      this.#paint();
      if (back?.isConnected) back.focus();
    };
    this.#promotion = { close };
    this.#board.append(...chooser);
    chooser[1].querySelector<HTMLButtonElement>('[data-role="q"]')!.focus();
  }

  // Pointer ----------------------------------------------------------------------------------------------------------

  #squareFrom(event: PointerEvent): Square | null {
    const box = this.#board.getBoundingClientRect();
    const column = Math.floor(((event.clientX - box.left) / box.width) * 8);
    const row = Math.floor(((event.clientY - box.top) / box.height) * 8);
    return squareAt(column, row, this.#orientation);
  }

  #down(event: PointerEvent): void {
    const square = this.#squareFrom(event);
    if (!square || this.#drag || this.#drawing) return;
    if (event.button === 2) {
      if (this.#premove) this.cancelPremove();
      if (!this.drawable) return;
      const color = event.shiftKey ? "red" : event.altKey ? "blue" : event.ctrlKey ? "yellow" : "green";
      this.#drawing = { pointer: event.pointerId, from: square, color };
      this.#board.setPointerCapture(event.pointerId);
      return;
    }
    if (event.button !== 0) return;
    this.#pointerHandled = true;
    if (this.#shapes.length > 0 && !this.editable) { this.#shapes = []; this.#paintShapes(); this.#emit("shapes", []); }
    const from = this.#selected;
    const isTarget = from !== null && this.#legal.get(from)?.some(({ to }) => to === square) === true;
    const piece = this.#elements.find((candidate) => candidate.square === square);
    if (!piece || !this.#mayPick(square) || isTarget) { this.#activate(square); return; }
    const wasSelected = from === square;
    if (!this.editable && !wasSelected) this.#select(square);
    this.#drag = {
      pointer: event.pointerId, from: square, piece, startX: event.clientX, startY: event.clientY,
      moved: false, wasSelected, touch: event.pointerType === "touch",
    };
    this.#board.setPointerCapture(event.pointerId);
  }

  #move(event: PointerEvent): void {
    const drawing = this.#drawing;
    if (drawing?.pointer === event.pointerId) {
      const to = this.#squareFrom(event);
      if (to) this.#paintShapes(to === drawing.from ? { from: to, color: drawing.color } : { from: drawing.from, to, color: drawing.color });
      return;
    }
    const drag = this.#drag;
    if (drag?.pointer !== event.pointerId) return;
    if (!drag.moved && Math.hypot(event.clientX - drag.startX, event.clientY - drag.startY) < 4) return;
    if (!drag.moved) {
      drag.moved = true;
      drag.piece.element.getAnimations().forEach((animation) => animation.cancel());
      drag.piece.element.classList.add("dragging");
      drag.piece.element.classList.toggle("touch", drag.touch);
      this.toggleAttribute("data-dragging", true);
    }
    const box = this.#board.getBoundingClientRect();
    const size = box.width / 8;
    const [x, y] = [event.clientX - box.left - size / 2, event.clientY - box.top - size / 2];
    drag.piece.element.style.transform = `translate(${x}px, ${y}px)`;
    const over = this.#squareFrom(event);
    for (const [square, button] of this.#squares) button.classList.toggle("over", square === over && square !== drag.from);
  }

  #up(event: PointerEvent): void {
    const drawing = this.#drawing;
    if (drawing?.pointer === event.pointerId) {
      this.#drawing = null;
      const to = this.#squareFrom(event);
      if (to) this.#toggleShape(to === drawing.from ? { from: to, color: drawing.color } : { from: drawing.from, to, color: drawing.color });
      else this.#paintShapes();
      return;
    }
    const drag = this.#drag;
    if (drag?.pointer !== event.pointerId) return;
    const to = this.#squareFrom(event);
    this.#endDrag(drag);
    if (!drag.moved) {
      this.#put(drag.piece);
      if (this.editable) this.#emit("edit", { from: null, to: drag.from });
      else if (drag.wasSelected) this.#select(null);
      return;
    }
    if (this.editable) {
      if (to !== drag.from) { this.#dropped = to; this.#emit("edit", { from: drag.from, to }); }
      this.#put(drag.piece);
      return;
    }
    if (!to || to === drag.from) { this.#put(drag.piece); return; }
    // If the page accepts the move, the piece stays where it was dropped; otherwise it goes back.
    this.#dropped = to;
    this.#attempt(drag.from, to);
    if (drag.piece.square === drag.from) this.#put(drag.piece);
    this.#dropped = null;
  }

  #endDrag(drag: Drag): void {
    this.#drag = null;
    drag.piece.element.classList.remove("dragging", "touch");
    this.removeAttribute("data-dragging");
    for (const button of this.#squares.values()) button.classList.remove("over");
  }

  #cancelDrag(): void {
    this.#drawing = null;
    const drag = this.#drag;
    if (!drag) return;
    this.#endDrag(drag);
    this.#put(drag.piece);
  }

  #toggleShape(shape: Shape): void {
    const same = (other: Shape) => other.from === shape.from && other.to === shape.to;
    const before = this.#shapes.find(same);
    this.#shapes = this.#shapes.filter((other) => !same(other));
    if (before?.color !== shape.color) this.#shapes.push(shape);
    this.#paintShapes();
    this.#emit("shapes", this.#shapes);
  }

  // Keyboard and assistive technology --------------------------------------------------------------------------------

  #click(event: MouseEvent): void {
    // Pointers are handled above; this is Enter, Space or a screen reader.
    const byPointer = this.#pointerHandled && event.detail > 0;
    this.#pointerHandled = false;
    if (byPointer) return;
    const square = (event.target as HTMLElement).closest<HTMLElement>(".square")?.dataset.square;
    if (square) this.#activate(square);
  }

  #setFocusSquare(square: Square): void {
    const before = this.#squares.get(this.#focus);
    if (before) before.tabIndex = -1;
    this.#focus = square;
    const button = this.#squares.get(square);
    if (button) button.tabIndex = 0;
  }

  #key(event: KeyboardEvent): void {
    const step = ARROW_KEYS[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === " " || event.key === "Enter") { event.stopPropagation(); return; }
    if (event.key === "Escape" && (this.#selected || this.#premove || this.#reason)) {
      event.stopPropagation();
      this.cancelPremove();
      this.#select(null);
      return;
    }
    const { column, row } = placeOf(this.#focus, this.#orientation);
    let square: Square | null = null;
    if (step) square = squareAt(column + step[0], row + step[1], this.#orientation);
    else if (event.key === "Home") square = squareAt(0, row, this.#orientation);
    else if (event.key === "End") square = squareAt(7, row, this.#orientation);
    else return;
    event.preventDefault();
    event.stopPropagation();
    if (square) this.focusSquare(square);
  }
}

if (!customElements.get("tabiya-board")) customElements.define("tabiya-board", TabiyaBoard);

export { FILES, SQUARES };
