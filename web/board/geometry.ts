/** Squares and where they are on the board, as it is turned. */

export type Color = "white" | "black";
/** A square's name: `a1` to `h8`. */
export type Square = string;

export const FILES = "abcdefgh";

/** All squares in reading order for White: a8, b8, … h1. */
export const SQUARES: readonly Square[] = Array.from({ length: 64 }, (_, i) => `${FILES[i % 8]}${8 - (i >> 3)}`);

export interface Place {
  /** 0 is the left column. */
  column: number;
  /** 0 is the top row. */
  row: number;
}

export function placeOf(square: Square, orientation: Color): Place {
  const file = square.charCodeAt(0) - 97;
  const rank = square.charCodeAt(1) - 49;
  return orientation === "white" ? { column: file, row: 7 - rank } : { column: 7 - file, row: rank };
}

export function squareAt(column: number, row: number, orientation: Color): Square | null {
  if (column < 0 || column > 7 || row < 0 || row > 7) return null;
  return orientation === "white" ? `${FILES[column]}${8 - row}` : `${FILES[7 - column]}${row + 1}`;
}

export function isDark(square: Square): boolean {
  return (square.charCodeAt(0) + square.charCodeAt(1)) % 2 === 0;
}

export function colorOf(letter: string): Color {
  return letter === letter.toUpperCase() ? "white" : "black";
}
