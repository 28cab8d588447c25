/**
 * The rules of chess for the page: our Rust crates as WebAssembly, behind typed functions.
 *
 * `loadRules` fetches and starts the module once; after that every call is synchronous and takes well under a
 * millisecond. Names of fields are those of the JSON that `tabiya --json` and the server's API print.
 *
 * Bad input never throws a trap: functions that can fail return `{ ok: false, error }`, or throw a `RulesError` where
 * the caller could have known better (a FEN that came from the rules themselves).
 */

export type Color = "white" | "black";
export type Role = "pawn" | "knight" | "bishop" | "rook" | "queen" | "king";
/** A square's name: `a1` to `h8`. */
export type Square = string;
/** A FEN letter: `P` is a white pawn, `n` a black knight. */
export type PieceLetter = string;

/** A sentence for people, ready to show, and the squares it names. */
export interface Problem {
  message: string;
  squares: Square[];
}

export type Checked<T> = ({ ok: true } & T) | { ok: false; error: Problem };

/** A position and how it came about. Repetitions are seen only among `moves`. */
export interface Line {
  /** The starting position; the usual one if it is missing. X-FEN or Shredder-FEN, so Chess960 too. */
  fen?: string;
  /** Moves in UCI notation. */
  moves?: string[];
}

export interface LegalMove {
  /** UCI notation; castling is the king's two squares (`e1g1`), in Chess960 the king's and the rook's (`b1a1`). */
  uci: string;
  san: string;
  role: Role;
  from: Square;
  /** Where the piece ends; for castling, where the king ends. */
  to: Square;
  captures: Role | null;
  /** The square of the captured piece; differs from `to` for en passant. */
  capture_square: Square | null;
  promotion: Role | null;
  castling: { side: "O-O" | "O-O-O"; rook_from: Square; rook_to: Square } | null;
  en_passant: boolean;
  /** Whether the move gives check. */
  check: boolean;
}

export interface Outcome {
  result: "1-0" | "0-1" | "1/2-1/2";
  reason: "checkmate" | "stalemate" | "dead position" | "seventy-five moves" | "fivefold repetition";
  winner: Color | null;
  /** "Checkmate: White wins." */
  message: string;
}

export interface Opening {
  eco: string;
  name: string;
  /** After how many plies of the line it was reached. */
  plies: number;
}

export interface Position {
  fen: string;
  /** Polyglot's Zobrist key in hexadecimal. */
  key: string;
  turn: Color;
  /** FEN letters by square. */
  pieces: Record<Square, PieceLetter>;
  /** The square of the king in check. */
  check: Square | null;
  checkers: Square[];
  moves: LegalMove[];
  outcome: Outcome | null;
  /** The draw that the side to move may claim. */
  claim: "threefold repetition" | "fifty moves" | null;
  repetitions: number;
  halfmove_clock: number;
  fullmove_number: number;
  en_passant: Square | null;
  /** Whether castling needs king-and-rook notation. */
  chess960: boolean;
  /** The last named opening on the way, if the line starts at the usual position. */
  opening: Opening | null;
  /** The last move, for its squares. */
  last_move: PlayedMove | null;
  /** What is left on the board beyond the other side's pieces, in pawns: positive if White has more. */
  material: number;
  /** Captured pieces by their letters: white pieces that Black took, and the other way round. */
  captured: { white: PieceLetter[]; black: PieceLetter[] };
  /** Which sides have mating material: they win if the other runs out of time; without it the game is drawn. */
  mating_material: { white: boolean; black: boolean };
}

export interface PlayedMove {
  uci: string;
  san: string;
  from: Square;
  to: Square;
  /** "The knight on g1 captures the pawn on e2, with check." For screen readers. */
  words: string;
}

export interface Explanation {
  legal: boolean;
  uci: string | null;
  /** What a legal move does, or which rule an illegal one breaks: a whole sentence. */
  message: string;
  /** The squares of the pieces that forbid the move. */
  squares: Square[];
}

export type Eval = { cp: number } | { mate: number };

export interface Shape {
  color: "green" | "red" | "yellow" | "blue";
  from: Square;
  /** Missing for a circle. */
  to?: Square;
}

/** A move of a game tree. Node 0 is the start and has no move. */
export interface TreeNode {
  id: number;
  parent: number | null;
  /** Nodes of the next moves, the main line first. */
  children: number[];
  /** `null` for the root, and `0000` for a null move. */
  uci: string | null;
  san: string | null;
  /** "12." or "12..." */
  number: string | null;
  fen: string;
  nags: number[];
  /** Comments before the move, only at the beginning of a line. */
  comments_before: string[];
  /** Comments after the move, as written, with commands such as `[%clk 0:01:00]`. */
  comments: string[];
  /** The comments without their commands. */
  text: string;
  /** The clock after the move, in milliseconds. */
  clock: number | null;
  /** The time for the move, in milliseconds. */
  elapsed: number | null;
  /** The evaluation for White. */
  eval: Eval | null;
  shapes: Shape[];
}

/** What a tree needs to become PGN: the rest of a `TreeNode` is derived. */
export type TreeNodeInput = Pick<TreeNode, "id" | "parent" | "children" | "uci"> &
  Partial<Pick<TreeNode, "nags" | "comments" | "comments_before">>;

export interface GameTree {
  /** In the order of the file. */
  tags: [string, string][];
  result: "1-0" | "0-1" | "1/2-1/2" | "*" | null;
  start: string;
  nodes: TreeNode[];
  /** What is wrong after the last legal move, if anything; the nodes before it are there. */
  error: PgnError | null;
}

export interface GameTreeInput {
  tags: [string, string][];
  result?: string | null;
  start?: string;
  nodes: TreeNodeInput[];
}

export interface PgnError {
  line: number;
  column: number;
  message: string;
}

/** An entry of a collection. Games are found again by their bytes: `bytes.subarray(offset, offset + length)`. */
export interface GameSummary {
  offset: number;
  length: number;
  tags: Record<string, string>;
  result: string | null;
  /** Plies of the main line. */
  plies: number;
  /** The first moves, for a list. */
  opening_moves: string;
  opening: { eco: string; name: string } | null;
  error: PgnError | null;
}

/** An evaluated position of a game, for `review`: the start, and the position after each move of the main line. */
export interface PositionEval {
  /** For White. */
  eval: Eval;
  /** The best line in UCI notation; empty if the game is over. */
  best: string[];
  depth: number;
}

export interface ReviewSide {
  /** Of a thousand. */
  accuracy_permille: number | null;
  centipawn_loss: number | null;
  inaccuracies: number;
  mistakes: number;
  blunders: number;
}

export interface ReviewMove {
  number: number;
  color: Color;
  san: string;
  uci: string | null;
  /** The evaluation after the move, and White's winning chances, of a thousand. */
  eval: Eval;
  win_permille: number;
  judgement: "inaccuracy" | "mistake" | "blunder" | null;
  /** "(0.10 → -1.44) Mistake. Nf3 was best." */
  comment: string | null;
  best: string | null;
  best_line: string;
}

export interface Review {
  white: ReviewSide;
  black: ReviewSide;
  start: { eval: Eval; win_permille: number };
  moves: ReviewMove[];
  /** Each side's worst move, if it is bad: its index in `moves`, its name (`14... Qxb2??`), and why. */
  worst: { white: WorstMove | null; black: WorstMove | null };
  /** The game with evaluations, glyphs and better lines as comments. */
  annotated: string;
}

export interface WorstMove {
  ply: number;
  name: string;
  /** "Loses the queen; Nf3 was best." */
  message: string;
}

/** The rules refuse a call: a fault of the caller, not of a user. */
export class RulesError extends Error {}

interface Exports {
  memory: WebAssembly.Memory;
  /** Makes room for a request; its bytes belong to the next `call`. */
  allocate(length: number): number;
  /** Answers a request, and returns the address of the answer: its length in four bytes, then its text. */
  call(address: number, length: number): number;
  /** Gives an answer back. */
  release(address: number): void;
}

type Request = { op: string } & Record<string, unknown>;

export class Rules {
  readonly #exports: Exports;
  readonly #encoder = new TextEncoder();
  readonly #decoder = new TextDecoder();

  constructor(instance: WebAssembly.Instance) {
    this.#exports = instance.exports as unknown as Exports;
  }

  /** The position after a line, with all that follows from it. */
  position(line: Line = {}): Position {
    return this.#must({ op: "position", ...line });
  }

  /** Like `position`, for a line that a person typed or a link carries. */
  tryPosition(line: Line): Checked<{ position: Position }> {
    const answer = this.#call<Position>({ op: "position", ...line });
    return answer.ok ? { ok: true, position: answer.value } : answer;
  }

  /** Plays a move in any notation: `e2e4`, `Nf3`, `0-0`, `exd8=Q`, `e2-e4`. */
  play(line: Line, move: string): Checked<{ move: PlayedMove; position: Position }> {
    const answer = this.#call<{ move: PlayedMove; position: Position }>({
      op: "play",
      ...line,
      move,
    });
    return answer.ok ? { ok: true, ...answer.value } : answer;
  }

  /** Says in words what a move does, or why it is illegal. The move may be two squares: `f1c4`. */
  why(line: Line, move: string): Explanation {
    return this.#must({ op: "why", ...line, move });
  }

  /** Says why the piece on a square has no legal move, or that it has some. */
  whyNoMoves(line: Line, square: Square): Explanation {
    return this.#must({ op: "why_no_moves", ...line, square });
  }

  /** A line in SAN: each move, and all with numbers (`14... Qxb2 15. Nd2`). Stops at the first illegal move. */
  line(line: Line): { san: string[]; uci: string[]; text: string; fen: string } {
    return this.#must({ op: "line", ...line });
  }

  /** The position that the side to move would face if it passed; `null` in check. For "show the threat". */
  nullMove(line: Line): string | null {
    return this.#must<{ fen: string | null }>({ op: "null_move", ...line }).fen;
  }

  /** The last named opening of a line. */
  opening(line: Line): Opening | null {
    return this.#must<{ opening: Opening | null }>({ op: "opening", ...line }).opening;
  }

  /** The Chess960 starting position with this number, 0 to 959 (518 is the usual one). */
  chess960(number: number): string {
    return this.#must<{ fen: string }>({ op: "chess960", number }).fen;
  }

  /**
   * Checks an editor's setup. `pieces` are FEN letters by square; castling is a FEN field (`KQkq`, `HAha` or `-`).
   * Returns the FEN in any case, so that the editor can show it, and everything that is wrong.
   */
  setup(setup: {
    pieces: Record<Square, PieceLetter>;
    turn: Color;
    castling?: string;
    en_passant?: Square | null;
    halfmove_clock?: number;
    fullmove_number?: number;
  }): { fen: string; ok: boolean; problems: Problem[] } {
    return this.#must({ op: "setup", ...setup });
  }

  /** Squares that a lone piece reaches among others, whoever is to move and whether or not there are kings. */
  loneMoves(
    pieces: Record<Square, PieceLetter>,
    square: Square,
  ): {
    /** Squares the piece can go to. */
    targets: Square[];
    /** Those of them where it captures. */
    captures: Square[];
    /** Squares it would reach on an empty board, but does not, with the reason. */
    blocked: { square: Square; message: string; squares: Square[] }[];
  } {
    return this.#must({ op: "lone_moves", pieces, square });
  }

  /** The games of a PGN text, also of broken ones. For files, pass their bytes. */
  games(pgn: string | Uint8Array): GameSummary[] {
    return this.#must<{ games: GameSummary[] }>({ op: "games" }, pgn).games;
  }

  /** The first game of a PGN text as a tree; `null` if there is none. */
  readGame(pgn: string | Uint8Array): GameTree | null {
    return this.#must<{ game: GameTree | null }>({ op: "read_game" }, pgn).game;
  }

  /** Writes a tree as PGN. Throws if a move in it is illegal. */
  writeGame(game: GameTreeInput): string {
    return this.#must<{ pgn: string }>({ op: "write_game", game }).pgn;
  }

  /** Judges the main line of a game by the evaluations of its positions. */
  review(pgn: string, evals: PositionEval[]): Review {
    return this.#must({ op: "review", evals }, pgn);
  }

  #must<T>(request: Request, bytes?: string | Uint8Array): T {
    const answer = this.#call<T>(request, bytes);
    if (!answer.ok) throw new RulesError(answer.error.message);
    return answer.value;
  }

  /** A request is one line of JSON, then any bytes. */
  #call<T>(request: Request, bytes: string | Uint8Array = ""): { ok: true; value: T } | { ok: false; error: Problem } {
    const head = this.#encoder.encode(`${JSON.stringify(request)}\n`);
    const body = typeof bytes === "string" ? this.#encoder.encode(bytes) : bytes;
    const length = head.length + body.length;
    const address = this.#exports.allocate(length);
    // The memory may have grown, so look it up again after every call.
    const room = new Uint8Array(this.#exports.memory.buffer, address, length);
    room.set(head);
    room.set(body, head.length);
    const answer = this.#exports.call(address, length);
    const { buffer } = this.#exports.memory;
    const size = new DataView(buffer).getUint32(answer, true);
    const text = this.#decoder.decode(new Uint8Array(buffer, answer + 4, size));
    this.#exports.release(answer);
    return JSON.parse(text) as { ok: true; value: T } | { ok: false; error: Problem };
  }
}

/** Fetches and starts the rules; or starts them from bytes, for tests in Node. */
export async function loadRules(source: string | URL | BufferSource): Promise<Rules> {
  if (typeof source === "string" || source instanceof URL) {
    const response = await fetch(source);
    if (!response.ok) {
      throw new RulesError(`The rules could not be loaded: ${response.status}. Reload the page.`);
    }
    const { instance } = await WebAssembly.instantiateStreaming(response, {});
    return new Rules(instance);
  }
  const { instance } = await WebAssembly.instantiate(source, {});
  return new Rules(instance);
}
