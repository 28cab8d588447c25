/** The pieces on the board: elements that travel, stay or fade when the position changes. */

import { colorOf, placeOf, type Color, type Square } from "./geometry";
import { pieceMarkup, type Role } from "./pieces";

/** FEN letters by square. */
export type Pieces = Readonly<Record<Square, string>>;

export interface PieceElement {
  letter: string;
  square: Square;
  element: HTMLElement;
}

export interface Change {
  /** How long a piece travels, in milliseconds; 0 for no animation. */
  duration: number;
  /** Where a dragged piece was let go: it is there already. */
  dropped: Square | null;
  /** Where the pawn of a new piece stood. */
  promotedFrom?: Square;
}

export class PieceLayer {
  readonly #layer: HTMLElement;
  #orientation: Color = "white";
  #elements: PieceElement[] = [];

  constructor(layer: HTMLElement) {
    this.#layer = layer;
  }

  at(square: Square): PieceElement | undefined {
    return this.#elements.find((piece) => piece.square === square);
  }

  turn(orientation: Color): void {
    this.#orientation = orientation;
    for (const piece of this.#elements) this.put(piece);
  }

  /** Puts a piece on its square, wherever it was dragged. */
  put(piece: PieceElement): void {
    piece.element.dataset.square = piece.square;
    piece.element.style.transform = this.#transform(piece.square);
  }

  /** Shows other pieces. Each that is missing is taken from the nearest square where it is not needed any more. */
  show(pieces: Pieces, { duration, dropped, promotedFrom }: Change): void {
    const missing = new Map(Object.entries(pieces));
    const kept: PieceElement[] = [];
    const free: PieceElement[] = [];
    for (const piece of this.#elements) {
      if (missing.get(piece.square) === piece.letter) {
        missing.delete(piece.square);
        kept.push(piece);
        // A drag that was refused may have left it elsewhere.
        this.put(piece);
      } else free.push(piece);
    }
    for (const [square, letter] of missing) {
      const travels = duration > 0 && dropped !== square;
      const nearest = nearestOf(
        free.filter((piece) => piece.letter === letter),
        square,
      );
      if (nearest) {
        free.splice(free.indexOf(nearest), 1);
        const from = nearest.square;
        nearest.square = square;
        this.put(nearest);
        if (travels) this.#travel(nearest, from, duration);
        kept.push(nearest);
      } else {
        const piece = this.#create(letter, square);
        if (travels && promotedFrom) this.#travel(piece, promotedFrom, duration);
        kept.push(piece);
      }
    }
    for (const { element, square } of free) {
      if (duration > 0 && dropped !== square) {
        element.animate([{ opacity: 1 }, { opacity: 0 }], { duration }).onfinish = () => element.remove();
      } else element.remove();
    }
    this.#elements = kept;
  }

  #create(letter: string, square: Square): PieceElement {
    const element = document.createElement("div");
    element.className = `piece ${colorOf(letter)}`;
    element.innerHTML = `<svg viewBox="0 0 100 100">${pieceMarkup(letter.toLowerCase() as Role)}</svg>`;
    this.#layer.append(element);
    const piece = { letter, square, element };
    this.put(piece);
    return piece;
  }

  #transform(square: Square): string {
    const { column, row } = placeOf(square, this.#orientation);
    return `translate(${column * 100}%, ${row * 100}%)`;
  }

  #travel(piece: PieceElement, from: Square, duration: number): void {
    piece.element.style.zIndex = "2";
    const frames = [{ transform: this.#transform(from) }, { transform: this.#transform(piece.square) }];
    piece.element.animate(frames, { duration, easing: "ease-out" }).onfinish = () => {
      piece.element.style.zIndex = "";
    };
  }
}

function nearestOf(pieces: PieceElement[], square: Square): PieceElement | undefined {
  const at = placeOf(square, "white");
  const distance = (piece: PieceElement) => {
    const { column, row } = placeOf(piece.square, "white");
    return Math.hypot(column - at.column, row - at.row);
  };
  return pieces.sort((a, b) => distance(a) - distance(b))[0];
}
