/** The live analysis: a search of the current position, its lines, the evaluation bar and the arrows. */

import type { Shape } from "../../board/board";
import { engine, engineState, rules, toast } from "../app";
import { button, h, live } from "../dom";
import { EngineError, type Search, type SearchInfo } from "../engine";
import { set, settings } from "../settings";
import { effect, onEnd, signal, type Signal } from "../signal";
import { t } from "../texts";
import { evalText } from "./move-tree";
import type { Tree } from "./tree";

export interface Analysis {
  readonly infos: Signal<SearchInfo[]>;
  readonly threat: Signal<boolean>;
  /** Another part of the page needs the engine. */
  readonly paused: Signal<boolean>;
  /** The best move now, in UCI notation. */
  best(): string | null;
  arrows(): Shape[];
  panel: HTMLElement;
  bar: HTMLElement;
}

function short(count: number): string {
  if (count >= 1e9) return `${(count / 1e9).toFixed(1)} G`;
  if (count >= 1e6) return `${(count / 1e6).toFixed(1)} M`;
  return count >= 1e3 ? `${Math.round(count / 1e3)} k` : String(count);
}

/** The share of the bar that is White's. */
function whiteShare(info: SearchInfo | undefined): number {
  if (!info) return 0.5;
  if ("mate" in info.eval) return info.eval.mate > 0 ? 1 : 0;
  return 1 / (1 + Math.exp(-0.00368208 * info.eval.cp));
}

export function startAnalysis(
  tree: Tree,
  orientation: () => "white" | "black",
  playLine: (uci: string[]) => void,
): Analysis {
  const infos = signal<SearchInfo[]>([]);
  const threat = signal(false);
  const paused = signal(false);
  /** Whether a search is under way: the lines grow. */
  const running = signal(false);
  let search: Search | null = null;

  const lines = () => Math.min(5, Math.max(1, settings.value.lines));
  const stop = () => {
    search?.stop();
    search = null;
    running.value = false;
  };

  effect(() => {
    const node = tree.current.value;
    const on = settings.value.engineOn && !paused.value;
    const multipv = lines();
    const wantsThreat = threat.value;
    stop();
    infos.value = [];
    if (!on) return;
    const line = tree.line(node);
    const position = rules().position(line);
    if (position.outcome) return;
    const fen = wantsThreat ? rules().nullMove(line) : null;
    if (wantsThreat && !fen) {
      toast(t("inCheckNoThreat"));
      threat.value = false;
      return;
    }
    const request = fen ? { fen, moves: [], multipv } : { ...line, multipv };
    const mine = engine().think(request, (info) => {
      if (search !== mine) return;
      // A new depth begins with the first line: older ones of it are out of date only when they arrive.
      const next = [...infos.peek()];
      next[info.multipv - 1] = info;
      infos.value = next;
    });
    search = mine;
    running.value = true;
    mine.best.then(
      () => {
        if (search === mine) {
          search = null;
          running.value = false;
        }
      },
      (error: unknown) => {
        if (search !== mine) return;
        search = null;
        running.value = false;
        if (!(error instanceof EngineError && error.replaced))
          toast(error instanceof Error ? error.message : String(error));
      },
    );
  });
  onEnd(stop);

  const first = () => infos.value[0];
  const arrows = (): Shape[] => {
    if (!settings.value.arrows || !settings.value.engineOn) return [];
    return infos.value.slice(0, lines()).flatMap((info, i) => {
      const uci = info?.uci[0];
      if (!uci) return [];
      return [
        {
          from: uci.slice(0, 2),
          to: uci.slice(2, 4),
          color: threat.value ? ("red" as const) : ("blue" as const),
          weight: i === 0 ? 1 : Math.max(0.15, 0.7 - 0.15 * i),
          label: lines() > 1 ? String(i + 1) : undefined,
        },
      ];
    });
  };

  const fill = h("div", { class: "bar-white" });
  const number = h("span", { class: "bar-text" });
  const bar = h(
    "div",
    { class: "bar", role: "meter", "aria-label": t("evaluation"), "aria-valuemin": 0, "aria-valuemax": 100 },
    fill,
    number,
  );
  effect(() => {
    const info = first();
    const position = tree.current.value && rules().position(tree.line());
    const outcome = position.outcome;
    const share = outcome
      ? outcome.winner === "white"
        ? 1
        : outcome.winner === "black"
          ? 0
          : 0.5
      : threat.value
        ? 0.5
        : whiteShare(info);
    // Its place stays, so that the board does not jump.
    bar.classList.toggle("off", !settings.value.engineOn);
    bar.classList.toggle("flipped", orientation() === "black");
    fill.style.setProperty("--share", `${(share * 100).toFixed(1)}%`);
    const text = outcome ? outcome.result.replace("1/2-1/2", "½") : info ? evalText(info.eval, 1) : "";
    // The side on which it stands says whose advantage it is.
    number.textContent = text.replace(/^[+−-]/, "");
    number.classList.toggle("on-white", share >= 0.5);
    bar.setAttribute("aria-valuenow", String(Math.round(share * 100)));
    bar.setAttribute("aria-valuetext", text || "0");
  });

  const label = () => {
    if (!settings.value.engineOn) return "";
    if (engineState.value === "loading") return t("engineLoading");
    if (engineState.value === "waiting") return t("engineWaiting");
    if (engineState.value === "failed") return t("engineFailed");
    const info = first();
    if (!info) return "";
    const [depth, nodes, speed] = [
      t("depth", { depth: info.depth }),
      t("nodes", { nodes: short(info.nodes) }),
      t("speed", { speed: short(info.nps) }),
    ];
    // Lines break between them only.
    return [`${depth} ·`, `${nodes} ·`, speed].map((part) => h("span", null, part));
  };

  const panel = h(
    "section",
    { class: "engine-panel", "aria-label": t("engine"), "data-running": () => String(running.value) },
    h(
      "div",
      { class: "engine-head" },
      h(
        "label",
        { class: "switch", title: `${t("engineOn")} (l)` },
        h("input", {
          type: "checkbox",
          role: "switch",
          id: "engine-switch",
          "aria-label": t("engineOn"),
          checked: () => settings.value.engineOn,
          onchange: () => set("engineOn", !settings.peek().engineOn),
        }),
        h("span"),
      ),
      live(h("strong", { class: "score" }), () => {
        const info = first();
        return info && settings.value.engineOn ? evalText(info.eval) : settings.value.engineOn ? "…" : t("engine");
      }),
      live(h("span", { class: "quiet numbers" }), label),
      h(
        "label",
        { class: "line-count" },
        h("span", { class: "hidden-text" }, t("lines")),
        h(
          "select",
          {
            value: String(settings.peek().lines),
            "aria-label": t("lines"),
            title: t("lines"),
            onchange: (event: Event) => set("lines", Number((event.target as HTMLSelectElement).value)),
          },
          [1, 2, 3, 4, 5].map((count) =>
            h("option", { value: String(count), selected: settings.peek().lines === count }, String(count)),
          ),
        ),
      ),
    ),
    live(h("div", { class: "wdl", hidden: () => !settings.value.engineOn }), () => {
      const info = first();
      const share = info?.wdl ?? { white: 0, draw: 1, black: 0 };
      const percent = (value: number) => Math.round(value * 100);
      const words = t("wdl", { white: percent(share.white), draw: percent(share.draw), black: percent(share.black) });
      const part = (kind: "white" | "draw" | "black") =>
        h(
          "span",
          { class: `wdl-${kind}`, style: { "flex-grow": String(Math.max(0.001, share[kind])) } },
          info && share[kind] >= 0.12 ? `${percent(share[kind])}` : "",
        );
      return h(
        "div",
        { class: `wdl-row ${info ? "" : "empty"}`, role: "img", "aria-label": words, title: words },
        part("white"),
        part("draw"),
        part("black"),
      );
    }),
    live(h("ol", { class: "lines", hidden: () => !settings.value.engineOn, style: { "--lines": "1" } }), () =>
      Array.from({ length: lines() }, (_, i) => {
        const info = infos.value[i];
        if (!info) return h("li", { class: "line" }, " ");
        return h(
          "li",
          { class: "line" },
          h(
            "strong",
            null,
            (info.bound === "at_least" ? "≥" : info.bound === "at_most" ? "≤" : "") + evalText(info.eval),
          ),
          h(
            "span",
            { class: "pv" },
            info.san.slice(0, 16).map((san, ply) =>
              h(
                "button",
                {
                  type: "button",
                  class: "pv-move",
                  tabIndex: ply === 0 ? 0 : -1,
                  disabled: threat.peek(),
                  onclick: () => playLine(info.uci.slice(0, ply + 1)),
                },
                san,
              ),
            ),
          ),
        );
      }),
    ),
    h(
      "div",
      { class: "row tight", hidden: () => !settings.value.engineOn },
      button(
        t("threat"),
        () => {
          threat.value = !threat.peek();
        },
        { icon: "threat", key: "x", pressed: () => threat.value },
      ),
      button(t("arrows"), () => set("arrows", !settings.peek().arrows), {
        icon: "up",
        key: "a",
        pressed: () => settings.value.arrows,
      }),
    ),
  );

  effect(() => {
    void tree.current.value;
    threat.value = false;
  });
  return {
    infos,
    threat,
    paused,
    best: () => (threat.peek() ? null : (infos.peek()[0]?.uci[0] ?? null)),
    arrows,
    panel,
    bar,
  };
}
