/** Evaluates every position of a game with the engine, and lets the rules judge the moves. */

import { engine, rules } from "./app";
import type { Line, PositionEval, Review } from "./rules";

/** Accuracy as people read it: "87 %". */
export function accuracyText(permille: number | null): string {
  return permille === null ? "–" : `${Math.round(permille / 10)} %`;
}

export interface GameReview {
  done: number;
  all: number;
  result: Review | null;
}

/** Reports after every position. Stops quietly when the signal says so; throws if the engine fails. */
export async function reviewGame(
  pgn: string,
  line: Required<Line>,
  nodes: number,
  progress: (review: GameReview) => void,
  stop: AbortSignal,
): Promise<Review | null> {
  const evals: PositionEval[] = [];
  const all = line.moves.length + 1;
  progress({ done: 0, all, result: null });
  for (let ply = 0; ply < all; ply++) {
    const moves = line.moves.slice(0, ply);
    const position = rules().position({ fen: line.fen, moves });
    const { outcome } = position;
    if (outcome && outcome.winner) evals.push({ eval: { mate: 0 }, best: [], depth: 0 });
    else if (outcome) evals.push({ eval: { cp: 0 }, best: [], depth: 0 });
    else {
      const { info } = await engine().think({ fen: line.fen, moves, limits: { nodes } }).best;
      if (stop.aborted) return null;
      evals.push({ eval: info?.eval ?? { cp: 0 }, best: info?.uci ?? [], depth: info?.depth ?? 0 });
    }
    progress({ done: ply + 1, all, result: null });
  }
  const result = rules().review(pgn, evals);
  progress({ done: all, all, result });
  return result;
}
