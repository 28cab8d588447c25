/** When the computer resigns, and when it offers, accepts and claims draws: as in the terminal. */

import type { Color, Eval, Position } from "../rules";

/** Centipawns for the computer. */
const LOST = -1000;
const WORSE = -150;
const LEVEL = 20;
/** It offers a draw after this many level scores in a row, from this move on, after this many quiet plies, and this many
 * plies after its last offer. */
const LEVEL_MOVES = 5;
const EARLIEST_OFFER = 40;
const QUIET_PLIES = 10;
const BETWEEN_OFFERS = 20;
/** From this move on, or with this few pieces, it accepts a draw in a level position. */
const LATE_MOVE = 30;
const FEW_PIECES = 12;

/** An evaluation for White, as centipawns for a side. */
export function pointsFor(color: Color, evaluation: Eval): number {
  const white =
    "cp" in evaluation ? evaluation.cp : evaluation.mate > 0 ? 10_000 - evaluation.mate : -10_000 - evaluation.mate;
  return color === "white" ? white : -white;
}

/** Whether the computer accepts a draw in a position with this score. */
export function accepts(points: number, position: Position): boolean {
  const isLate = position.fullmove_number >= LATE_MOVE || Object.keys(position.pieces).length <= FEW_PIECES;
  return points <= WORSE || (isLate && points <= LEVEL);
}

/** The computer's recent scores. */
export class Temper {
  #lost = 0;
  #level = 0;
  #points: number | null = null;
  #offered: number;

  /** In a resumed game earlier offers are unknown, so it acts as if it had just made one. */
  constructor(plies: number) {
    this.#offered = plies > 0 ? plies : -BETWEEN_OFFERS;
  }

  /** The score of the position before its move; none for a move from the book. */
  update(points: number | null): void {
    this.#points = points;
    this.#lost = points !== null && points <= LOST ? this.#lost + 1 : 0;
    this.#level = points !== null && Math.abs(points) <= LEVEL ? this.#level + 1 : 0;
    // The opponent has earned the mate on the board.
    if (points !== null && points <= -9999) this.#lost = 0;
  }

  resigns(level: number): boolean {
    // The opponents of the weakest levels want to practise giving mate.
    return level > 3 && this.#lost >= (level >= 7 ? 3 : 5);
  }

  claims(position: Position): boolean {
    return position.claim !== null && this.#points !== null && this.#points <= 0;
  }

  /** Whether it offers a draw with the move that leads to this position. */
  offers(position: Position, plies: number): boolean {
    const offers =
      this.#level >= LEVEL_MOVES &&
      position.fullmove_number >= EARLIEST_OFFER &&
      position.halfmove_clock >= QUIET_PLIES &&
      plies - this.#offered >= BETWEEN_OFFERS;
    if (offers) this.#offered = plies;
    return offers;
  }
}
