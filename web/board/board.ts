/**
 * `<tabiya-board>`: a chessboard that knows no rules. The page gives it pieces and legal moves; it shows them, lets
 * people move by mouse, touch or keyboard, and says what they did. See README.md for its properties and events.
 */

import { colorOf, FILES, placeOf, squareAt, SQUARES, type Color, type Square } from "./geometry";
import { Grid, type Target } from "./grid";
import { PieceLayer, type Pieces } from "./piece-layer";
import { pieceMarkup, type Role } from "./pieces";
import { Pointer } from "./pointer";
import { promotionChooser, type Promotion } from "./promotion";
import { shapesMarkup, type Shape } from "./shapes";
import { style } from "./style";
import { englishTexts, type BoardTexts } from "./texts";

export type { BoardTexts, Color, Pieces, Role, Shape, Square, Target };
export { englishTexts, FILES, pieceMarkup, SQUARES };

export type LegalMoves = ReadonlyMap<Square, readonly Target[]>;

export interface MoveDetail {
  from: Square;
  to: Square;
  promotion?: Promotion;
}

/** A sentence on the board, and the squares it speaks of. */
export interface Reason {
  squares: readonly Square[];
  message: string;
  /** The language of the sentence, if it is not the page's. */
  lang?: string;
}

const ARROW_KEYS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

const MARKUP = `<div class="board">
<div class="grid" role="grid"></div><div class="coordinates" aria-hidden="true"></div>
<div class="pieces" aria-hidden="true"></div><svg class="shapes" viewBox="0 0 8 8" aria-hidden="true"></svg>
<div class="sentence" aria-hidden="true"></div></div>`;

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
  readonly #board: HTMLElement;
  readonly #gridElement: HTMLElement;
  readonly #shapeLayer: SVGElement;
  readonly #sentence: HTMLElement;
  readonly #grid: Grid;
  readonly #layer: PieceLayer;
  readonly #pointer: Pointer;
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
  #reason: Reason | null = null;
  #selected: Square | null = null;
  #dropped: Square | null = null;
  #texts: BoardTexts = englishTexts;
  #promotion: { close: () => void } | null = null;

  constructor() {
    super();
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    this.#root.adoptedStyleSheets = [sheet];
    this.#root.innerHTML = MARKUP;
    const part = <T extends Element>(name: string) => this.#root.querySelector<T>(`.${name}`)!;
    this.#board = part("board");
    this.#gridElement = part("grid");
    this.#shapeLayer = part("shapes");
    this.#sentence = part("sentence");
    this.#layer = new PieceLayer(part("pieces"));
    this.#grid = new Grid(this.#gridElement, part("coordinates"));
    this.#buildGrid();
    this.#pointer = this.#createPointer();
    this.#gridElement.addEventListener("click", (event) => this.#click(event));
    this.#gridElement.addEventListener("keydown", (event) => this.#key(event));
    this.#gridElement.addEventListener("focusin", (event) => {
      const square = (event.target as HTMLElement).dataset.square;
      if (square) this.#grid.setFocus(square);
    });
  }

  // Properties -------------------------------------------------------------------------------------------------------

  get pieces(): Pieces {
    return this.#pieces;
  }
  /** Pieces that changed squares travel there. */
  set pieces(pieces: Pieces) {
    this.setPieces(pieces);
  }

  get orientation(): Color {
    return this.#orientation;
  }
  set orientation(color: Color) {
    if (color === this.#orientation) return;
    this.#orientation = color;
    this.#pointer.cancel();
    this.#promotion?.close();
    this.#buildGrid();
    this.#layer.turn(color);
    this.#paint();
    this.#paintShapes();
  }

  get legal(): LegalMoves {
    return this.#legal;
  }
  set legal(moves: LegalMoves) {
    this.#legal = moves;
    this.#promotion?.close();
    this.#paint();
  }

  /** Whose pieces may be moved by the person at the board. */
  get movable(): Color | "both" | null {
    return this.#movable;
  }
  set movable(color: Color | "both" | null) {
    this.#movable = color;
    this.toggleAttribute("data-movable", color !== null || this.editable);
    if (color === null) {
      this.#pointer.cancel();
      this.#selected = null;
      this.#promotion?.close();
    }
    this.#paint();
  }

  get turn(): Color {
    return this.#turn;
  }
  set turn(color: Color) {
    this.#turn = color;
  }

  /** Whether moves may be entered while it is the other side's turn. */
  get premovable(): boolean {
    return this.#premovable;
  }
  set premovable(value: boolean) {
    this.#premovable = value;
    if (!value) this.cancelPremove();
  }

  get premove(): MoveDetail | null {
    return this.#premove;
  }

  get lastMove(): readonly Square[] {
    return this.#lastMove;
  }
  set lastMove(squares: readonly Square[]) {
    this.#lastMove = squares;
    this.#paint();
  }

  get check(): Square | null {
    return this.#check;
  }
  set check(square: Square | null) {
    this.#check = square;
    this.#paint();
  }

  /** What the user drew. */
  get shapes(): readonly Shape[] {
    return this.#shapes;
  }
  set shapes(shapes: readonly Shape[]) {
    this.#shapes = [...shapes];
    this.#paintShapes();
  }

  /** What the page draws: an engine's arrows, glyphs. */
  get autoShapes(): readonly Shape[] {
    return this.#autoShapes;
  }
  set autoShapes(shapes: readonly Shape[]) {
    this.#autoShapes = shapes;
    this.#paintShapes();
  }

  get reason(): Reason | null {
    return this.#reason;
  }
  set reason(reason: Reason | null) {
    this.#reason = reason;
    this.#sentence.textContent = reason?.message ?? "";
    this.#sentence.lang = reason?.lang ?? "";
    const rows = (reason?.squares ?? []).map((square) => placeOf(square, this.#orientation).row);
    const atTop = rows.length > 0 && rows.reduce((sum, row) => sum + row, 0) / rows.length > 3.5;
    this.#sentence.className = `sentence ${atTop ? "top" : "bottom"}`;
    this.#paint();
  }

  get selected(): Square | null {
    return this.#selected;
  }
  set selected(square: Square | null) {
    this.#select(square);
  }

  get texts(): BoardTexts {
    return this.#texts;
  }
  set texts(texts: BoardTexts) {
    this.#texts = texts;
    this.#gridElement.setAttribute("aria-label", texts.board);
    this.#paint();
  }

  /** Sets the pieces; `animate: false` for a new game or a jump. */
  setPieces(pieces: Pieces, options: { animate?: boolean; promotedFrom?: Square } = {}): void {
    this.#pointer.cancel();
    this.#promotion?.close();
    const animates =
      options.animate !== false && this.isConnected && !matchMedia("(prefers-reduced-motion: reduce)").matches;
    const duration = animates ? this.animation : 0;
    this.#layer.show(pieces, { duration, dropped: this.#dropped, promotedFrom: options.promotedFrom });
    this.#dropped = null;
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
    this.#grid.setFocus(square);
    this.#grid.get(square)?.focus();
  }

  override focus(): void {
    this.focusSquare(this.#grid.focused);
  }

  // Painting ---------------------------------------------------------------------------------------------------------

  #buildGrid(): void {
    const hadFocus = this.#root.activeElement?.classList.contains("square");
    this.#gridElement.setAttribute("aria-label", this.#texts.board);
    this.#grid.build(this.#orientation);
    if (hadFocus) this.#grid.get(this.#grid.focused)?.focus();
  }

  #paint(): void {
    const marks = {
      pieces: this.#pieces,
      selected: this.#selected,
      targets: (this.#selected && this.#legal.get(this.#selected)) || [],
      lastMove: this.#lastMove,
      check: this.#check,
      premove: this.#premove ? [this.#premove.from, this.#premove.to] : [],
      reason: this.#reason?.squares ?? [],
    };
    this.#grid.paint(marks, this.#texts);
  }

  #paintShapes(preview?: Shape | null): void {
    const shapes = [...this.#autoShapes, ...this.#shapes, ...(preview ? [preview] : [])];
    this.#shapeLayer.innerHTML = shapesMarkup(shapes, this.#orientation);
  }

  #setShapes(shapes: Shape[]): void {
    this.#shapes = shapes;
    this.#paintShapes();
    this.#emit("shapes", shapes);
  }

  #toggleShape(shape: Shape): void {
    const same = (other: Shape) => other.from === shape.from && other.to === shape.to;
    const before = this.#shapes.find(same);
    const others = this.#shapes.filter((other) => !same(other));
    this.#setShapes(before?.color === shape.color ? others : [...others, shape]);
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

  #target(from: Square | null, square: Square): Target | undefined {
    return from === null ? undefined : this.#legal.get(from)?.find(({ to }) => to === square);
  }

  #select(square: Square | null): void {
    if (this.#reason) this.reason = null;
    this.#selected = square;
    this.#paint();
    if (square) this.#emit("pick", { square });
  }

  /** A square was clicked, or chosen by the keyboard. */
  #activate(square: Square): void {
    if (this.editable) {
      this.#emit("edit", { from: null, to: square });
      return;
    }
    const from = this.#selected;
    // Another piece of one's own is picked instead, unless the move is one (castling onto the rook).
    if (from && from !== square && (this.#target(from, square) || !this.#mayPick(square))) {
      this.#attempt(from, square);
      return;
    }
    if (from === square) this.#select(null);
    else if (this.#mayPick(square)) this.#select(square);
    else {
      this.cancelPremove();
      if (this.#reason) this.reason = null;
      this.#emit("miss", { square });
    }
  }

  #attempt(from: Square, to: Square): void {
    const letter = this.#pieces[from];
    if (letter && colorOf(letter) !== this.#turn) {
      this.#selected = null;
      this.#dropped = null;
      if (this.#premovable) {
        this.#premove = { from, to };
        this.#emit("premove", this.#premove);
      }
      this.#paint();
      return;
    }
    const target = this.#target(from, to);
    if (!target) {
      this.#dropped = null;
      this.#select(null);
      this.#emit("illegal", { from, to });
      return;
    }
    if (target.promotion && !this.autoQueen) {
      this.#choosePromotion(from, to);
      return;
    }
    this.#selected = null;
    this.#paint();
    this.#emit("move", target.promotion ? { from, to, promotion: "q" } : { from, to });
  }

  #choosePromotion(from: Square, to: Square): void {
    const place = placeOf(to, this.#orientation);
    const moving = this.#layer.at(from);
    moving?.element.classList.add("ghost");
    const back = this.#root.activeElement as HTMLElement | null;
    const chooser = promotionChooser(colorOf(this.#pieces[from]!), place, this.#texts, (role) => {
      close();
      if (!role) return;
      this.#dropped = to;
      this.#emit("move", { from, to, promotion: role });
    });
    const close = () => {
      for (const part of chooser) part.remove();
      moving?.element.classList.remove("ghost");
      if (moving) this.#layer.put(moving);
      this.#promotion = null;
      this.#selected = null;
      this.#paint();
      if (back?.isConnected) back.focus();
    };
    this.#promotion = { close };
    this.#board.append(...chooser);
    chooser[1].querySelector<HTMLButtonElement>('[data-role="q"]')!.focus();
  }

  #createPointer(): Pointer {
    const board = this;
    return new Pointer(this.#board, {
      get selected() {
        return board.#selected;
      },
      get editable() {
        return board.editable;
      },
      get drawable() {
        return board.drawable;
      },
      squareAt: (column, row) => squareAt(column, row, this.#orientation),
      pieceAt: (square) => this.#layer.at(square),
      mayPick: (square) => this.#mayPick(square),
      isTarget: (square) => this.#target(this.#selected, square) !== undefined,
      activate: (square) => this.#activate(square),
      select: (square) => this.#select(square),
      drop: (from, to) => {
        this.#dropped = to;
        this.#attempt(from, to);
        this.#dropped = null;
      },
      edit: (from, to) => {
        if (from) this.#dropped = to;
        this.#emit("edit", { from, to });
      },
      put: (piece) => this.#layer.put(piece),
      cancelPremove: () => this.cancelPremove(),
      clearShapes: () => {
        if (this.#shapes.length > 0) this.#setShapes([]);
      },
      toggleShape: (shape) => this.#toggleShape(shape),
      preview: (shape) => this.#paintShapes(shape),
      dragging: (over, isDragging) => {
        this.toggleAttribute("data-dragging", isDragging);
        this.#grid.paintOver(over);
      },
    });
  }

  // Keyboard and assistive technology --------------------------------------------------------------------------------

  #click(event: MouseEvent): void {
    // Pointers have their own gestures; this is Enter, Space or a screen reader.
    if (this.#pointer.takeHandled() && event.detail > 0) return;
    const square = (event.target as HTMLElement).closest<HTMLElement>(".square")?.dataset.square;
    if (square) this.#activate(square);
  }

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === " " || event.key === "Enter") {
      event.stopPropagation();
      return;
    }
    if (event.key === "Escape" && (this.#selected || this.#premove || this.#reason)) {
      event.stopPropagation();
      this.cancelPremove();
      this.#select(null);
      return;
    }
    const { column, row } = placeOf(this.#grid.focused, this.#orientation);
    const step = ARROW_KEYS[event.key];
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
