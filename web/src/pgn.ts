/** PGN from moves in the page. */

import { rules } from "./app";
import type { GameTreeInput, TreeNodeInput } from "./rules";

export const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

export function today(): string {
  const now = new Date();
  return [now.getFullYear(), String(now.getMonth() + 1).padStart(2, "0"), String(now.getDate()).padStart(2, "0")].join(
    ".",
  );
}

export function isUsualStart(fen: string): boolean {
  return fen.split(" ").slice(0, 4).join(" ") === START.split(" ").slice(0, 4).join(" ");
}

export function startTags(start: string, chess960 = false): [string, string][] {
  if (isUsualStart(start)) return [];
  return [...(chess960 ? [["Variant", "Chess960"] as [string, string]] : []), ["SetUp", "1"], ["FEN", start]];
}

/** A game without variations. */
export function linePgn(start: string, moves: readonly string[], tags: [string, string][], result: string): string {
  const nodes: TreeNodeInput[] = [{ id: 0, parent: null, children: moves.length ? [1] : [], uci: null }];
  moves.forEach((uci, i) => nodes.push({ id: i + 1, parent: i, children: i + 1 < moves.length ? [i + 2] : [], uci }));
  const chess960 = rules().position({ fen: start }).chess960;
  const game: GameTreeInput = { tags: [...tags, ...startTags(start, chess960)], result, start, nodes };
  return rules().writeGame(game);
}
