/** The opening explorer: what was played in the position, by the games of the archive that the server has opened. */

import { h, live } from "../dom";
import { archiveName, explore, mode, ServerError, type Explored, type ExploredMove } from "../server";
import { batch, effect, onEnd, signal } from "../signal";
import { language, t } from "../texts";
import type { Tree } from "./tree";

/** Milliseconds. While an arrow key is held down, only the last position is asked about. */
const DELAY = 60;
/** Positions whose answers are kept. */
const KEPT = 500;

/** The archive's name; `null` if there is none, or no server. */
const archive = signal<string | null>(null);
let known = false;
/** Answers by FEN. */
const answers = new Map<string, Explored>();

function askForArchive(): void {
  if (known || mode() !== "server") return;
  known = true;
  archiveName().then(
    (name) => {
      archive.value = name;
    },
    () => {
      // The next visit tries again.
      known = false;
    },
  );
}

function keep(fen: string, explored: Explored): void {
  const [oldest] = answers.keys();
  if (answers.size >= KEPT && oldest !== undefined) answers.delete(oldest);
  answers.set(fen, explored);
}

const grouped = (count: number) => count.toLocaleString(language());

/** The shares of the results, as a bar with words. */
function resultBar({ white_wins, draws, black_wins }: ExploredMove): HTMLElement | null {
  const all = white_wins + draws + black_wins;
  if (all === 0) return null;
  const percent = (count: number) => Math.round((100 * count) / all);
  const words = t("wdl", { white: percent(white_wins), draw: percent(draws), black: percent(black_wins) });
  const part = (kind: "white" | "draw" | "black", count: number) =>
    count > 0
      ? h(
          "span",
          { class: `wdl-${kind}`, style: { "flex-grow": String(count / all) } },
          count / all >= 0.2 ? `${percent(count)}` : "",
        )
      : null;
  return h(
    "div",
    { class: "wdl-row", role: "img", "aria-label": words, title: words },
    part("white", white_wins),
    part("draw", draws),
    part("black", black_wins),
  );
}

/** All moves of a position together. */
function total({ games, moves }: Explored): ExploredMove {
  const sum = (count: (move: ExploredMove) => number) => moves.reduce((all, move) => all + count(move), 0);
  return {
    uci: null,
    san: null,
    games,
    white_wins: sum((move) => move.white_wins),
    draws: sum((move) => move.draws),
    black_wins: sum((move) => move.black_wins),
    unknown: sum((move) => move.unknown),
    average_rating: null,
    last_played: null,
  };
}

export function explorerPanel(tree: Tree, playLine: (uci: string[]) => void): HTMLElement {
  askForArchive();
  const open = signal(true);
  const shown = signal<{ fen: string; explored: Explored } | null>(null);
  const problem = signal("");
  const busy = signal(false);
  const show = (fen: string, explored: Explored) =>
    batch(() => {
      shown.value = { fen, explored };
      problem.value = "";
      busy.value = false;
    });

  effect(() => {
    const { fen } = tree.position(tree.current.value);
    if (!archive.value || !open.value) return;
    const answer = answers.get(fen);
    if (answer) {
      show(fen, answer);
      return;
    }
    busy.value = true;
    const abort = new AbortController();
    const ask = async () => {
      try {
        const explored = await explore({ fen }, abort.signal);
        if (abort.signal.aborted) return;
        keep(fen, explored);
        show(fen, explored);
      } catch (error) {
        if (abort.signal.aborted) return;
        batch(() => {
          shown.value = null;
          busy.value = false;
          // The server was started again without an archive.
          if (error instanceof ServerError && error.status === 404) archive.value = null;
          else problem.value = error instanceof ServerError ? error.message : t("explorerAway");
        });
      }
    };
    const timer = setTimeout(() => void ask(), DELAY);
    onEnd(() => {
      clearTimeout(timer);
      abort.abort();
    });
  });

  const play = (uci: string) => {
    // While the answer is on its way, the moves are those of another position.
    if (shown.peek()?.fen === tree.position().fen) playLine([uci]);
  };
  const row = (explored: ExploredMove, name: HTMLElement | string) => {
    const { uci, average_rating, last_played } = explored;
    const year = /^\d{4}/.exec(last_played ?? "")?.[0];
    return h(
      "tr",
      uci ? { class: "explored", onclick: () => play(uci) } : null,
      h("th", { scope: "row" }, name),
      h("td", { class: "count" }, grouped(explored.games)),
      h("td", { class: "results" }, resultBar(explored)),
      h("td", { class: "count" }, average_rating ?? ""),
      h("td", { class: "count" }, year ?? ""),
    );
  };
  const moveRow = (explored: ExploredMove) => {
    if (!explored.san) return row(explored, t("exploredEnd"));
    const games = t("exploredGames", { count: grouped(explored.games) });
    // A click on it is a click on its row.
    return row(
      explored,
      h("button", { type: "button", class: "pv-move", "aria-label": `${explored.san}, ${games}` }, explored.san),
    );
  };

  const body = h("tbody");
  const foot = h("tfoot");
  const table = h(
    "table",
    { class: "explorer-moves", hidden: () => !shown.value?.explored.moves.length },
    h("caption", { class: "hidden-text" }, t("explorer")),
    h(
      "thead",
      null,
      h(
        "tr",
        null,
        h("th", { scope: "col" }, t("exploredMove")),
        h("th", { scope: "col", class: "count" }, t("games")),
        h("th", { scope: "col", class: "results" }, t("result")),
        h("th", { scope: "col", class: "count", title: t("exploredRatingTitle") }, t("exploredRating")),
        h("th", { scope: "col", class: "count", title: t("exploredYearTitle") }, t("exploredYear")),
      ),
    ),
    body,
    foot,
  );
  const scroll = h(
    "div",
    { class: "explorer-list", "aria-busy": () => String(busy.value) },
    table,
    live(h("p", { class: "quiet", role: "status" }), () => {
      if (problem.value) return problem.value;
      return shown.value?.explored.moves.length === 0 ? t("exploredNone") : "";
    }),
  );
  effect(() => {
    const explored = shown.value?.explored;
    // After a move from the list is played by keyboard, the focus stays in the list.
    const goesOn = body.contains(document.activeElement);
    body.replaceChildren(...(explored?.moves.map(moveRow) ?? []));
    foot.replaceChildren(...(explored && explored.moves.length > 1 ? [row(total(explored), t("exploredAll"))] : []));
    scroll.scrollTop = 0;
    if (goesOn) (body.querySelector("button") ?? summary).focus({ preventScroll: true });
  });
  const summary = live(h("summary"), () => `${t("explorer")} · ${archive.value ?? ""}`);
  const panel: HTMLDetailsElement = h(
    "details",
    {
      class: "notes explorer",
      open: true,
      hidden: () => archive.value === null,
      ontoggle: () => {
        open.value = panel.open;
      },
    },
    summary,
    scroll,
  );
  return panel;
}
