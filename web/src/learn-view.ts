/** Learn: how a lone piece moves, and a trainer for the names of squares. Both come from the classics. */

import { SQUARES } from "../board/board";
import { announce, rules } from "./app";
import { pieceIcon } from "./analyse/editor";
import { createBoard } from "./board-view";
import { button, h, live } from "./dom";
import { segments } from "./play/setup";
import type { View } from "./router";
import { load, store } from "./settings";
import { effect, onEnd, scope, signal } from "./signal";
import { boardTexts, t } from "./texts";

export const learnView: View = () => {
  const tab = signal<"piece" | "squares">("piece");
  const root = h("div", { class: "layout learn" });
  const content = () => {
    const chooser = segments(
      "lesson",
      t("learn"),
      [
        ["piece", t("loneTitle")],
        ["squares", t("trainerTitle")],
      ],
      () => tab.value,
      (next) => {
        tab.value = next;
      },
    );
    return tab.value === "piece" ? pieceLesson(chooser) : squareLesson(chooser);
  };
  effect(() => {
    void tab.value;
    onEnd(scope(() => root.replaceChildren(...content())));
  });
  return root;
};

function pieceLesson(chooser: HTMLElement): HTMLElement[] {
  const board = createBoard();
  board.drawable = false;
  board.editable = true;
  board.movable = "both";
  const letter = signal("N");
  const square = signal("d4");
  const others = signal<Record<string, string>>({ d6: "P", f5: "p" });
  const brush = signal("piece");
  const pieces = () => ({ ...others.value, [square.value]: letter.value });
  const moves = () => rules().loneMoves(pieces(), square.value);
  const reason = signal("");
  effect(() => {
    board.setPieces(pieces());
    const { targets, captures, blocked } = moves();
    board.autoShapes = [
      ...targets.map((from) => ({ from, color: captures.includes(from) ? ("red" as const) : ("green" as const) })),
    ];
    board.reason = { squares: blocked.map(({ square: at }) => at), message: "" };
  });
  board.addEventListener("edit", (event) => {
    const { from, to } = (event as CustomEvent<{ from: string | null; to: string | null }>).detail;
    reason.value = "";
    if (from === square.peek()) {
      if (to) {
        const rest = { ...others.peek() };
        delete rest[to];
        others.value = rest;
        square.value = to;
      }
      return;
    }
    const next = { ...others.peek() };
    if (from) {
      const moved = next[from];
      delete next[from];
      if (to && moved && to !== square.peek()) next[to] = moved;
    } else if (to && to !== square.peek()) {
      if (brush.peek() === "piece") {
        const blocked = moves().blocked.find((entry) => entry.square === to);
        if (blocked) {
          reason.value = blocked.message;
          announce(blocked.message);
          return;
        }
        delete next[to];
        others.value = next;
        square.value = to;
        return;
      }
      if (next[to]) delete next[to];
      else next[to] = brush.peek();
    }
    others.value = next;
  });
  const radio = (name: string, value: string, now: () => string, change: (value: string) => void) =>
    h(
      "label",
      { class: "tool", title: boardTexts().pieces[value]! },
      h("input", {
        type: "radio",
        name,
        value,
        "aria-label": boardTexts().pieces[value]!,
        checked: () => now() === value,
        onchange: () => change(value),
      }),
      pieceIcon(value),
    );
  return [
    h("section", { class: "board-column", "aria-label": t("board") }, board),
    h(
      "aside",
      { class: "side" },
      h(
        "div",
        { class: "card" },
        h("h1", null, t("learn")),
        chooser,
        h("p", { class: "quiet" }, t("loneHelp")),
        h("h2", null, t("piece")),
        h(
          "div",
          { class: "palette" },
          [..."KQRBNPp"].map((value) =>
            radio(
              "lone",
              value,
              () => letter.value,
              (next) => {
                letter.value = next;
                brush.value = "piece";
              },
            ),
          ),
        ),
        h("h2", null, t("blockers")),
        h(
          "div",
          { class: "palette" },
          h(
            "label",
            { class: "tool" },
            h("input", {
              type: "radio",
              name: "blocker",
              checked: () => brush.value === "piece",
              onchange: () => {
                brush.value = "piece";
              },
            }),
            h("span", null, t("hand")),
          ),
          [..."Pp"].map((value) =>
            radio(
              "blocker",
              value,
              () => brush.value,
              (next) => {
                brush.value = next;
              },
            ),
          ),
        ),
        live(h("p", { role: "status", class: "big-text" }), () => [
          h("strong", null, t("loneReach", { count: moves().targets.length })),
          " ",
          h("span", { class: "quiet mono" }, moves().targets.join(" ")),
        ]),
        live(h("p", { class: "error", role: "alert" }), () => reason.value),
      ),
    ),
  ];
}

function squareLesson(chooser: HTMLElement): HTMLElement[] {
  const board = createBoard();
  board.drawable = false;
  board.editable = true;
  board.setAttribute("coordinates", "none");
  const playing = signal(false);
  const target = signal("");
  const right = signal(0);
  const wrong = signal(0);
  const left = signal(30);
  const best = signal(load<number>("squares") ?? 0);
  const color = signal<"white" | "black">("white");
  effect(() => {
    board.orientation = color.value;
  });
  let timer = 0;
  onEnd(() => clearInterval(timer));
  const ask = () => {
    let next = target.peek();
    while (next === target.peek()) next = SQUARES[Math.floor(Math.random() * 64)]!;
    target.value = next;
    announce(`${t("findSquare")} ${next}`);
  };
  const start = () => {
    right.value = 0;
    wrong.value = 0;
    left.value = 30;
    playing.value = true;
    ask();
    clearInterval(timer);
    timer = setInterval(() => {
      left.value--;
      if (left.peek() > 0) return;
      clearInterval(timer);
      playing.value = false;
      if (right.peek() > best.peek()) {
        best.value = right.peek();
        store("squares", right.peek());
      }
      announce(t("trainerOver"));
    }, 1000);
  };
  board.addEventListener("edit", (event) => {
    const { to } = (event as CustomEvent<{ to: string | null }>).detail;
    if (!playing.peek() || !to) return;
    if (to === target.peek()) {
      right.value++;
      board.autoShapes = [{ from: to, color: "green" }];
      ask();
    } else {
      wrong.value++;
      board.autoShapes = [{ from: to, color: "red" }];
      board.reason = { squares: [to], message: to };
      announce(to);
      return;
    }
    board.reason = null;
  });
  return [
    h("section", { class: "board-column", "aria-label": t("board") }, board),
    h(
      "aside",
      { class: "side" },
      h(
        "div",
        { class: "card" },
        h("h1", null, t("learn")),
        chooser,
        segments(
          "from",
          t("yourColor"),
          [
            ["white", t("white")],
            ["black", t("black")],
          ],
          () => color.value,
          (next) => {
            color.value = next;
          },
        ),
        live(h("div", { class: "trainer" }), () =>
          playing.value
            ? [
                h("p", { class: "quiet" }, t("findSquare")),
                h("p", { class: "huge", id: "trainer-square" }, target.value),
                h("p", { class: "mono" }, `${left.value} s`),
              ]
            : button(t("trainerStart"), start, { class: "primary big", id: "trainer-start" }),
        ),
        live(h("p", { role: "status" }), () => t("score", { right: right.value, wrong: wrong.value })),
        live(h("p", { class: "quiet" }), () => t("best", { best: best.value })),
      ),
    ),
  ];
}
