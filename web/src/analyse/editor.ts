/** The board editor. */

import { pieceMarkup, type Role } from "../../board/board";
import { rules } from "../app";
import { createBoard } from "../board-view";
import { button, h, live } from "../dom";
import { useKeys } from "../keys";
import { START } from "../pgn";
import { navigate, type View } from "../router";
import type { Color } from "../rules";
import { segments } from "../play/setup";
import { effect, signal } from "../signal";
import { boardTexts, t } from "../texts";

interface Setup {
  pieces: Record<string, string>;
  turn: Color;
  castling: string;
  en_passant: string | null;
}

function parse(fen: string): Setup {
  const checked = rules().tryPosition({ fen });
  if (!checked.ok) return { pieces: {}, turn: "white", castling: "-", en_passant: null };
  const { position } = checked;
  return {
    pieces: position.pieces,
    turn: position.turn,
    castling: position.fen.split(" ")[2] ?? "-",
    en_passant: null,
  };
}

export function pieceIcon(letter: string): HTMLElement {
  const holder = h("span", { class: "piece-icon" });
  holder.innerHTML = `<svg viewBox="0 0 100 100" aria-hidden="true" class="${letter === letter.toUpperCase() ? "white" : "black"}">${pieceMarkup(letter.toLowerCase() as Role)}</svg>`;
  return holder;
}

export const editorView: View = (parameters) => {
  const setup = signal<Setup>(parse(parameters.get("fen") ?? START));
  const brush = signal<string>("hand");
  const flipped = signal(false);
  const set = (change: Partial<Setup>) => {
    setup.value = { ...setup.value, ...change };
  };
  const board = createBoard();
  board.editable = true;
  board.drawable = false;
  board.movable = "both";
  effect(() => {
    board.orientation = flipped.value ? "black" : "white";
  });
  effect(() => {
    board.setPieces(setup.value.pieces, { animate: false });
  });
  board.addEventListener("edit", (event) => {
    const { from, to } = (event as CustomEvent<{ from: string | null; to: string | null }>).detail;
    const pieces = { ...setup.peek().pieces };
    if (from) {
      const letter = pieces[from];
      delete pieces[from];
      if (to && letter) pieces[to] = letter;
    } else if (to) {
      const tool = brush.peek();
      if (tool === "hand") return;
      if (tool === "eraser" || pieces[to] === tool) delete pieces[to];
      else pieces[to] = tool;
    }
    set({ pieces, en_passant: null });
  });

  const checked = () => rules().setup(setup.value);
  const palette = (letters: string) =>
    h(
      "div",
      { class: "palette", role: "radiogroup", "aria-label": t("piece") },
      [...letters].map((letter) => tool(letter, boardTexts().pieces[letter]!, pieceIcon(letter))),
    );
  const tool = (name: string, label: string, content: Node | string) =>
    h(
      "label",
      { class: "tool", title: label },
      h("input", {
        type: "radio",
        name: "brush",
        value: name,
        "aria-label": label,
        checked: () => brush.value === name,
        onchange: () => {
          brush.value = name;
        },
      }),
      content,
    );
  const right = (letter: string, label: string) =>
    h(
      "label",
      { class: "check" },
      h("input", {
        type: "checkbox",
        checked: () => setup.value.castling.includes(letter),
        onchange: (event: Event) => {
          const rest = setup.peek().castling.replace("-", "").replace(letter, "");
          const next = (event.target as HTMLInputElement).checked ? rest + letter : rest;
          set({ castling: [..."KQkq"].filter((c) => next.includes(c)).join("") || "-" });
        },
      }),
      label,
    );
  const fen = h("input", {
    class: "mono",
    spellcheck: "false",
    "aria-label": "FEN",
    id: "editor-fen",
    onchange: (event: Event) => {
      const text = (event.target as HTMLInputElement).value.trim();
      const position = rules().tryPosition({ fen: text });
      if (position.ok) setup.value = parse(text);
      else problem.value = position.error.message;
    },
  }) as HTMLInputElement;
  const problem = signal("");
  effect(() => {
    const result = checked();
    fen.value = result.fen;
    problem.value = result.problems.map(({ message }) => message).join(" ");
    board.reason = result.problems.length
      ? { squares: result.problems.flatMap(({ squares }) => squares), message: "" }
      : null;
  });
  const open = (path: string) => navigate(`#/${path}?fen=${encodeURIComponent(rules().setup(setup.peek()).fen)}`);
  useKeys({
    f: () => {
      flipped.value = !flipped.peek();
    },
  });
  return h(
    "div",
    { class: "layout" },
    h("section", { class: "board-column", "aria-label": t("board") }, palette("kqrbnp"), board, palette("KQRBNP")),
    h(
      "aside",
      { class: "side" },
      h(
        "div",
        { class: "card editor" },
        h("h1", null, t("editor")),
        h(
          "div",
          { class: "palette" },
          tool("hand", t("hand"), h("span", null, t("hand"))),
          tool("eraser", t("eraser"), h("span", null, t("eraser"))),
        ),
        segments(
          "turn",
          t("sideToMove"),
          [
            ["white", t("white")],
            ["black", t("black")],
          ],
          () => setup.value.turn,
          (turn) => set({ turn }),
        ),
        h(
          "fieldset",
          { class: "segments" },
          h("legend", null, t("castling")),
          h(
            "div",
            { class: "row" },
            right("K", `${t("white")} ${t("kingside")}`),
            right("Q", `${t("white")} ${t("queenside")}`),
            right("k", `${t("black")} ${t("kingside")}`),
            right("q", `${t("black")} ${t("queenside")}`),
          ),
        ),
        h("label", { class: "field" }, "FEN", fen),
        live(h("p", { class: "error", role: "alert" }), () => problem.value),
        h(
          "div",
          { class: "row" },
          button(t("startBoard"), () => {
            setup.value = parse(START);
          }),
          button(t("clearBoard"), () => set({ pieces: {}, castling: "-" })),
          button(
            t("flip"),
            () => {
              flipped.value = !flipped.peek();
            },
            { icon: "flip", compact: true, key: "f" },
          ),
        ),
        h(
          "div",
          { class: "row" },
          button(t("useBoard"), () => open("analyse"), {
            class: "primary",
            id: "use-board",
            disabled: () => !checked().ok,
          }),
          button(t("playFromHere"), () => open("play"), { disabled: () => !checked().ok }),
        ),
      ),
    ),
  );
};
