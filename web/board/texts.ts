/** The words that screen readers speak. */

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
  ["p", "pawn"],
  ["n", "knight"],
  ["b", "bishop"],
  ["r", "rook"],
  ["q", "queen"],
  ["k", "king"],
];

export const englishTexts: BoardTexts = {
  board: "Chessboard",
  pieces: Object.fromEntries(
    names.flatMap(([letter, name]) => [
      [letter.toUpperCase(), `white ${name}`],
      [letter, `black ${name}`],
    ]),
  ),
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
