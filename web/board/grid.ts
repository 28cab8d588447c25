/** The 64 squares: buttons with names for assistive technology, and coordinates beside them. */

import { isDark, squareAt, type Color, type Square } from "./geometry";
import type { Pieces } from "./piece-layer";
import type { BoardTexts } from "./texts";

/** Where a piece may go. */
export interface Target {
  to: Square;
  capture?: boolean;
  /** Ask for the piece to promote to. */
  promotion?: boolean;
}

export interface SquareMarks {
  pieces: Pieces;
  selected: Square | null;
  /** Where the selected piece may go. */
  targets: readonly Target[];
  lastMove: readonly Square[];
  check: Square | null;
  premove: readonly Square[];
  reason: readonly Square[];
}

export class Grid {
  readonly #grid: HTMLElement;
  readonly #coordinates: HTMLElement;
  readonly #squares = new Map<Square, HTMLButtonElement>();
  /** The one square that the Tab key reaches. */
  focused: Square = "e2";

  constructor(grid: HTMLElement, coordinates: HTMLElement) {
    this.#grid = grid;
    this.#coordinates = coordinates;
  }

  get(square: Square): HTMLButtonElement | undefined {
    return this.#squares.get(square);
  }

  build(orientation: Color): void {
    this.#grid.replaceChildren();
    this.#squares.clear();
    // Apart from the buttons, whose names are longer.
    this.#coordinates.replaceChildren();
    for (let row = 0; row < 8; row++) {
      const line = document.createElement("div");
      line.setAttribute("role", "row");
      for (let column = 0; column < 8; column++) {
        const square = squareAt(column, row, orientation)!;
        const cell = document.createElement("div");
        cell.setAttribute("role", "gridcell");
        cell.append(this.#button(square));
        line.append(cell);
        if (column === 0) this.#coordinate("rank", square, square[1]!, "top", row);
        if (row === 7) this.#coordinate("file", square, square[0]!, "left", column);
      }
      this.#grid.append(line);
    }
  }

  #button(square: Square): HTMLButtonElement {
    const button = document.createElement("button");
    button.type = "button";
    button.className = `square ${isDark(square) ? "dark" : "light"}`;
    button.dataset.square = square;
    button.tabIndex = square === this.focused ? 0 : -1;
    this.#squares.set(square, button);
    return button;
  }

  #coordinate(kind: string, square: Square, text: string, side: "top" | "left", index: number): void {
    const span = document.createElement("span");
    span.className = `${kind} ${isDark(square) ? "on-dark" : "on-light"}`;
    span.textContent = text;
    span.style[side] = `${index * 12.5}%`;
    this.#coordinates.append(span);
  }

  paint(marks: SquareMarks, texts: BoardTexts): void {
    const targets = new Map(marks.targets.map((target) => [target.to, target]));
    for (const [square, button] of this.#squares) {
      const target = targets.get(square);
      const letter = marks.pieces[square];
      const captures = target !== undefined && (target.capture === true || letter !== undefined);
      const flags: [string, boolean, string][] = [
        ["selected", square === marks.selected, texts.selected],
        ["target", target !== undefined, ""],
        ["capture", captures, ""],
        ["last", marks.lastMove.includes(square), texts.lastMove],
        ["check", square === marks.check, texts.check],
        ["premove", marks.premove.includes(square), texts.premove],
        ["reason", marks.reason.includes(square), ""],
      ];
      const words = [square, letter ? (texts.pieces[letter] ?? letter) : texts.empty];
      for (const [name, on, word] of flags) {
        button.classList.toggle(name, on);
        if (on && word) words.push(word);
      }
      if (target) words.push(captures ? texts.capture : texts.target);
      button.setAttribute("aria-label", words.join(", "));
      button.setAttribute("aria-pressed", String(square === marks.selected));
    }
  }

  /** Marks the square that a dragged piece is over. */
  paintOver(over: Square | null): void {
    for (const [square, button] of this.#squares) button.classList.toggle("over", square === over);
  }

  /** Makes a square the one that the Tab key reaches. */
  setFocus(square: Square): void {
    const before = this.#squares.get(this.focused);
    if (before) before.tabIndex = -1;
    this.focused = square;
    const button = this.#squares.get(square);
    if (button) button.tabIndex = 0;
  }
}
