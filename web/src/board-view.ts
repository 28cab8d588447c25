/** Between the rules and the board: positions become pieces and legal moves, gestures become moves. */

import { TabiyaBoard, type LegalMoves, type MoveDetail, type Target } from "../board/board";
import { announce, playSound, rules } from "./app";
import type { LegalMove, Line, Position } from "./rules";
import { settings } from "./settings";
import { effect } from "./signal";
import { boardTexts, outcomeText, rulesText } from "./texts";

export function createBoard(): TabiyaBoard {
  const board = document.createElement("tabiya-board") as TabiyaBoard;
  board.id = "board";
  effect(() => {
    const { coordinates, animation, legalDots, autoQueen } = settings.value;
    if (coordinates) board.removeAttribute("coordinates");
    else board.setAttribute("coordinates", "none");
    board.animation = animation ? 180 : 0;
    board.autoQueen = autoQueen;
    board.classList.toggle("no-dots", !legalDots);
    board.texts = boardTexts();
  });
  return board;
}

/** Castling may be shown by the king's two squares or by the rook; a plain move to the same square goes first. */
export function findMove(position: Position, { from, to, promotion }: MoveDetail): LegalMove | null {
  const letters: Record<string, string> = { queen: "q", rook: "r", bishop: "b", knight: "n" };
  const moves = position.moves.filter(
    (move) => move.from === from && (move.promotion === null || letters[move.promotion] === (promotion ?? "q")),
  );
  return (
    moves.find((move) => move.to === to && !move.castling) ??
    moves.find((move) => move.castling && (move.to === to || move.castling.rook_from === to)) ??
    null
  );
}

export function legalMoves(position: Position): LegalMoves {
  const legal = new Map<string, Target[]>();
  const add = (from: string, target: Target) => {
    const targets = legal.get(from) ?? [];
    if (!targets.some(({ to }) => to === target.to)) targets.push(target);
    legal.set(from, targets);
  };
  for (const move of position.moves) {
    add(move.from, { to: move.to, capture: move.captures !== null, promotion: move.promotion !== null });
    if (move.castling) add(move.from, { to: move.castling.rook_from });
  }
  return legal;
}

export interface ShowOptions {
  movable: "white" | "black" | "both" | null;
  animate?: boolean;
  premovable?: boolean;
}

export function showPosition(board: TabiyaBoard, position: Position, options: ShowOptions): void {
  const last = position.last_move;
  board.reason = null;
  board.turn = position.turn;
  board.setPieces(position.pieces, {
    animate: options.animate ?? true,
    promotedFrom: last && last.uci.length === 5 ? last.from : undefined,
  });
  board.lastMove = last ? [last.from, last.to] : [];
  board.check = position.check;
  const mine = options.movable === "both" || options.movable === position.turn;
  board.legal = mine ? legalMoves(position) : new Map();
  board.movable = options.movable;
  board.premovable = options.premovable ?? false;
}

/** Shows a sentence of the rules on the board, and says it. */
export function say(board: TabiyaBoard, sentence: string, squares: string[]): void {
  const { message, lang } = rulesText(sentence);
  board.reason = { message, squares, lang };
  announce(message, lang);
}

/** Shows why a move is refused, on the squares that forbid it, and says it. */
export function explain(board: TabiyaBoard, line: Line, move: string): void {
  const { message, squares } = rules().why(line, move);
  say(board, message, squares.length ? squares : [move.slice(0, 2)]);
}

/** A piece was picked that cannot move: says why. */
export function explainStuck(board: TabiyaBoard, line: Line, square: string): void {
  if (
    board.legal.has(square) ||
    board.turn !== (board.pieces[square] === board.pieces[square]?.toUpperCase() ? "white" : "black")
  )
    return;
  const { message, squares } = rules().whyNoMoves(line, square);
  say(board, message, squares);
}

/** Sound and words for the last move of a position. */
export function announceMove(position: Position): void {
  const last = position.last_move;
  if (!last) return;
  const words = rulesText(last.words);
  announce(`${last.san}. ${words.message}${position.outcome ? ` ${outcomeText(position.outcome)}` : ""}`);
  playSound(position.outcome ? "end" : position.check ? "check" : last.san.includes("x") ? "capture" : "move");
}
