/** The report on a whole game: a graph, accuracy, mistakes to click through, and "learn from your mistakes". */

import { announce, engine, rules, toast } from "../app";
import { button, h, live, svg } from "../dom";
import { accuracyText, reviewGame, type GameReview } from "../review";
import type { Color, Review } from "../rules";
import { effect, onEnd, signal, type Signal } from "../signal";
import { colorName, t } from "../texts";
import { evalText } from "./move-tree";
import { parseInput, type Node, type Tree } from "./tree";

/** A mistake to correct: the page shows the position before it and waits for a better move. */
export interface Exercise {
  color: Color;
  /** Indices into the review's moves. */
  left: number[];
  index: number;
  solved: boolean;
  message: string;
}

export interface Report {
  panel: HTMLElement;
  exercise: Signal<Exercise | null>;
  /** A move was made while an exercise waits. Returns whether it was taken as an answer. */
  answer(uci: string, san: string): boolean;
  run(): Promise<void>;
}

export function createReport(tree: Signal<Tree>, pause: (paused: boolean) => void): Report {
  const review = signal<GameReview | null>(null);
  const exercise = signal<Exercise | null>(null);
  let controller: AbortController | null = null;
  onEnd(() => controller?.abort());

  const nodeAt = (ply: number): Node => {
    let node = tree.peek().root;
    for (let i = 0; i < ply && node.children[0]; i++) [node] = node.children as [Node];
    return node;
  };

  const run = async () => {
    const line = tree.peek().line(tree.peek().mainLine().at(-1) ?? tree.peek().root);
    if (line.moves.length === 0) {
      toast(t("noMoves"));
      return;
    }
    controller?.abort();
    const mine = new AbortController();
    controller = mine;
    pause(true);
    exercise.value = null;
    try {
      const before = tree.peek();
      const result = await reviewGame(
        before.pgn(),
        line,
        60_000,
        (progress) => {
          if (!mine.signal.aborted) review.value = progress;
        },
        mine.signal,
      );
      if (result && tree.peek() === before && before.version.peek() >= 0) annotate(before, result);
    } catch (error) {
      review.value = null;
      if (!mine.signal.aborted) toast(error instanceof Error ? error.message : String(error));
    } finally {
      if (controller === mine) pause(false);
    }
  };

  /** Puts glyphs, evaluations and better lines into the tree. */
  const annotate = (target: Tree, result: Review) => {
    const judged = parseInput(result.annotated);
    if ("error" in judged) return;
    const merge = (into: Node, from: Node) => {
      into.eval = from.eval;
      if (from.nags.length && !into.nags.length) into.nags = from.nags;
      if (from.comments.length) into.comments = from.comments;
      for (const child of from.children) {
        const same = into.children.find(({ uci }) => uci === child.uci);
        if (same) merge(same, child);
        else {
          child.parent = into;
          into.children.push(child);
        }
      }
    };
    let id = 1_000_000;
    const renumber = (node: Node) => {
      node.id = id++;
      node.children.forEach(renumber);
    };
    judged.tree.root.children.forEach(renumber);
    merge(target.root, judged.tree.root);
    target.changed();
  };

  const stop = () => {
    controller?.abort();
    controller = null;
    review.value = null;
    engine().stop();
    pause(false);
  };

  const show = (index: number) => {
    tree.peek().current.value = nodeAt(index + 1);
  };
  const mistakes = (result: Review, color?: Color) =>
    result.moves.flatMap((move, i) => (move.judgement && (!color || move.color === color) ? [i] : []));

  const startExercise = (color: Color) => {
    const result = review.peek()?.result;
    if (!result) return;
    const left = mistakes(result, color);
    if (left.length === 0) {
      toast(t("noMistakesFor", { color: colorName(color) }));
      return;
    }
    ask(color, left);
  };
  const ask = (color: Color, left: number[]) => {
    const [index, ...rest] = left;
    if (index === undefined) {
      exercise.value = null;
      pause(false);
      toast(t("learnDone"));
      return;
    }
    pause(true);
    const move = review.peek()!.result!.moves[index]!;
    const message = t("findBetter", {
      move: `${move.number}${color === "white" ? "." : "…"} ${move.san}`,
      color: colorName(color),
    });
    exercise.value = { color, left: rest, index, solved: false, message };
    tree.peek().current.value = nodeAt(index);
    announce(message);
  };
  const solve = (san: string) => {
    const now = exercise.peek();
    if (now) exercise.value = { ...now, solved: true, message: t("goodFind", { move: san }) };
  };

  const answer = (uci: string, san: string): boolean => {
    const now = exercise.peek();
    const move = now && review.peek()?.result?.moves[now.index];
    if (!now || !move || now.solved || tree.peek().current.peek() !== nodeAt(now.index)) return false;
    const refuse = () => {
      exercise.value = { ...now, message: t("notBetter", { move: san }) };
      announce(t("notBetter", { move: san }));
    };
    const { fen, moves } = tree.peek().line();
    if (san.replace(/[+#]/, "") === move.best?.replace(/[+#]/, "") || uci === move.best) {
      solve(san);
      announce(t("goodFind", { move: san }));
      return true;
    }
    if (uci === move.uci) {
      refuse();
      return true;
    }
    // Another move may be as good: the engine looks at it.
    const outcome = rules().position({ fen, moves: [...moves, uci] }).outcome;
    if (outcome) {
      if (outcome.winner === now.color) solve(san);
      else refuse();
      return true;
    }
    void engine()
      .think({ fen, moves: [...moves, uci], limits: { nodes: 60_000 } })
      .best.then(
        ({ info }) => {
          if (exercise.peek() !== now || !info) return;
          const value = (evaluation: { cp: number } | { mate: number }) => {
            const white =
              "cp" in evaluation ? 1 / (1 + Math.exp(-0.00368208 * evaluation.cp)) : evaluation.mate > 0 ? 1 : 0;
            return now.color === "white" ? white : 1 - white;
          };
          const previous =
            now.index === 0 ? review.peek()!.result!.start.eval : review.peek()!.result!.moves[now.index - 1]!.eval;
          if (value(info.eval) >= value(previous) - 0.05) {
            solve(san);
            announce(t("goodFind", { move: san }));
          } else refuse();
        },
        () => {},
      );
    return true;
  };

  const graph = (result: Review) => {
    const values = [result.start.win_permille, ...result.moves.map((move) => move.win_permille)].map(
      (share) => share / 10,
    );
    const width = Math.max(1, values.length - 1);
    const points = values.map((value, i) => `${((i / width) * 100).toFixed(2)},${(100 - value).toFixed(1)}`);
    const picture = svg(
      "svg",
      { viewBox: "0 0 100 100", preserveAspectRatio: "none", class: "graph", role: "img", "aria-label": t("graph") },
      svg("rect", { width: 100, height: 100, class: "graph-black" }),
      svg("polygon", { points: `0,100 ${points.join(" ")} 100,100`, class: "graph-white" }),
      svg("line", { x1: 0, x2: 100, y1: 50, y2: 50, class: "graph-middle" }),
      ...result.moves.flatMap((move, i) =>
        move.judgement
          ? [
              svg("line", {
                x1: ((i + 1) / width) * 100,
                x2: ((i + 1) / width) * 100,
                y1: 0,
                y2: 100,
                class: `graph-mark ${move.judgement}`,
              }),
            ]
          : [],
      ),
    );
    const cursor = svg("line", { y1: 0, y2: 100, class: "graph-cursor" });
    picture.append(cursor);
    effect(() => {
      const { ply } = tree.value.current.value;
      const x = String((Math.min(ply, width) / width) * 100);
      cursor.setAttribute("x1", x);
      cursor.setAttribute("x2", x);
    });
    picture.addEventListener("click", (event) => {
      const box = picture.getBoundingClientRect();
      tree.peek().current.value = nodeAt(Math.round(((event.clientX - box.left) / box.width) * width));
    });
    return picture;
  };

  const sides = (result: Review) => {
    const row = (label: string, cell: (color: Color) => string | number) =>
      h(
        "tr",
        null,
        h("th", { scope: "row" }, label),
        h("td", null, String(cell("white"))),
        h("td", null, String(cell("black"))),
      );
    return h(
      "table",
      { class: "sides" },
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          h("td"),
          h("th", { scope: "col" }, colorName("white")),
          h("th", { scope: "col" }, colorName("black")),
        ),
      ),
      h(
        "tbody",
        null,
        row(t("accuracy"), (color) => accuracyText(result[color].accuracy_permille)),
        row(t("average"), (color) => result[color].centipawn_loss ?? "–"),
        row(t("inaccuracies"), (color) => result[color].inaccuracies),
        row(t("mistakes"), (color) => result[color].mistakes),
        row(t("blunders"), (color) => result[color].blunders),
      ),
    );
  };

  const panel = live(h("section", { class: "report", "aria-label": t("report") }), () => {
    const now = review.value;
    const task = exercise.value;
    if (task) {
      const move = now!.result!.moves[task.index]!;
      return h(
        "div",
        { class: "exercise" },
        h("p", { role: "status" }, task.message),
        h(
          "div",
          { class: "row" },
          task.solved
            ? button(t("nextOne"), () => ask(task.color, task.left), { icon: "next", class: "primary" })
            : button(t("showSolution"), () => solve(move.best_line || move.best || "")),
          button(t("close"), () => {
            exercise.value = null;
            pause(false);
          }),
        ),
      );
    }
    if (!now) return button(t("makeReport"), () => void run(), { icon: "chart", class: "primary", id: "make-report" });
    if (!now.result) {
      return [
        h("progress", { max: now.all, value: now.done, "aria-label": t("report") }),
        h("p", { class: "quiet" }, t("reviewing", { done: now.done, all: now.all })),
        button(t("stopReport"), stop),
      ];
    }
    const { result } = now;
    const marks = mistakes(result);
    return [
      graph(result),
      sides(result),
      h(
        "div",
        { class: "mistakes" },
        marks.map((i) => {
          const move = result.moves[i]!;
          return h(
            "button",
            { type: "button", class: `move ${move.judgement}`, title: move.comment ?? "", onclick: () => show(i) },
            `${move.number}${move.color === "white" ? "." : "…"} ${move.san} ${evalText(move.eval)}`,
          );
        }),
      ),
      h("p", { class: "quiet" }, t("learnFrom")),
      h(
        "div",
        { class: "row" },
        (["white", "black"] as const).map((color) =>
          button(colorName(color), () => startExercise(color), {
            icon: "bulb",
            disabled: () => mistakes(result, color).length === 0,
          }),
        ),
      ),
    ];
  });

  effect(() => {
    void tree.value;
    controller?.abort();
    review.value = null;
    exercise.value = null;
  });
  return { panel, exercise, answer, run };
}
