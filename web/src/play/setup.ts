/** The form in which a game begins. */

import { pieceMarkup } from "../../board/board";
import { rules, toast } from "../app";
import { h, live } from "../dom";
import { START } from "../pgn";
import type { Color } from "../rules";
import { inviteFriend, mode, ServerError, type GameClock, type GamePlayer } from "../server";
import { load, store } from "../settings";
import { effect, signal } from "../signal";
import { levelName, RATINGS, t } from "../texts";
import type { GameSetup } from "./game";

interface Choice {
  opponent: "computer" | "here" | "link";
  level: number;
  color: Color | "random";
  clock: "none" | "1+0" | "3+2" | "5+3" | "10+0" | "15+10" | "30+20" | "custom";
  minutes: number;
  increment: number;
  start: "standard" | "chess960" | "fen";
  number960: string;
  fen: string;
}

const defaults: Choice = {
  opponent: "computer",
  level: 3,
  color: "white",
  clock: "none",
  minutes: 10,
  increment: 5,
  start: "standard",
  number960: "",
  fen: "",
};

export interface LinkInvitation {
  id: string;
  seat: string;
  link: string | null;
  color: Color | "random";
}

/** Radio buttons that look like one control, in columns of the same width if asked to be. */
export function segments<T extends string>(
  name: string,
  label: string,
  options: [T, Node | string, string?][],
  value: () => T,
  change: (value: T) => void,
  columns?: 3 | 4,
): HTMLElement {
  return h(
    "fieldset",
    { class: "segments" },
    h("legend", null, label),
    h(
      "div",
      { class: `segment-row ${columns ? `columns-${columns}` : ""}` },
      options.map(([key, text, title]) =>
        h(
          "label",
          { title: title ?? null },
          h("input", {
            type: "radio",
            name,
            value: key,
            "aria-label": title ?? null,
            checked: () => value() === key,
            onchange: () => change(key),
          }),
          h("span", null, text),
        ),
      ),
    ),
  );
}

function piece(letter: "K" | "k" | "half"): HTMLElement {
  const holder = h("span", { class: "piece-icon" });
  const draw = (color: string, clip: string) =>
    `<svg viewBox="0 0 100 100" aria-hidden="true" class="${color} ${clip}">${pieceMarkup("k")}</svg>`;
  holder.innerHTML =
    letter === "K"
      ? draw("white", "")
      : letter === "k"
        ? draw("black", "")
        : draw("white", "left") + draw("black", "right");
  return holder;
}

function clockOf(choice: Choice): GameClock | null {
  if (choice.clock === "none") return null;
  const [minutes, increment] =
    choice.clock === "custom"
      ? [choice.minutes, choice.increment]
      : (choice.clock.split("+").map(Number) as [number, number]);
  return { base: Math.round(minutes * 60_000), increment: Math.round(increment * 1000) };
}

/** The starting FEN, or a message that says what is wrong. */
function startOf(choice: Choice): { fen: string } | { error: string } {
  if (choice.start === "standard") return { fen: START };
  if (choice.start === "chess960") {
    const number = choice.number960.trim() === "" ? Math.floor(Math.random() * 960) : Number(choice.number960);
    if (!Number.isInteger(number) || number < 0 || number > 959) return { error: t("number960") };
    return { fen: rules().chess960(number) };
  }
  const checked = rules().tryPosition({ fen: choice.fen.trim() });
  if (!checked.ok) return { error: checked.error.message };
  if (checked.position.outcome) return { error: checked.position.outcome.message };
  return { fen: checked.position.fen };
}

export function setupForm(
  begin: (setup: GameSetup) => void,
  invited: (invitation: LinkInvitation) => void,
  fen?: string,
): HTMLElement {
  const choice = signal<Choice>({
    ...defaults,
    ...load<Partial<Choice>>("setup"),
    ...(fen ? { start: "fen" as const, fen } : {}),
  });
  effect(() => store("setup", choice.value));
  const set = (change: Partial<Choice>) => {
    choice.value = { ...choice.value, ...change };
  };
  const error = signal("");
  const submit = (event: Event) => {
    event.preventDefault();
    const now = choice.peek();
    const start = startOf(now);
    if ("error" in start) {
      error.value = start.error;
      return;
    }
    const clock = clockOf(now);
    if (
      clock &&
      !(clock.base >= 1000 && clock.base <= 86_400_000 && clock.increment >= 0 && clock.increment <= 3_600_000)
    ) {
      error.value = t("minutes");
      return;
    }
    error.value = "";
    if (now.opponent === "link") {
      inviteFriend({ color: now.color, start: start.fen, clock })
        .then(({ id, seat, link }) => invited({ id, seat, link, color: now.color }))
        .catch((problem: unknown) => toast(problem instanceof ServerError ? problem.message : t("connectionLost")));
      return;
    }
    const person: GamePlayer = { kind: "person", name: "" };
    const opponent: GamePlayer = now.opponent === "computer" ? { kind: "computer", level: now.level } : person;
    const color = now.color === "random" ? (Math.random() < 0.5 ? "white" : "black") : now.color;
    begin({
      start: start.fen,
      white: color === "white" ? person : opponent,
      black: color === "white" ? opponent : person,
      clock,
    });
  };
  const opponents: [Choice["opponent"], string][] = [
    ["computer", t("computer")],
    ["here", t("friendHere")],
  ];
  if (mode() === "server") opponents.push(["link", t("friendLink")]);
  if (mode() !== "server" && choice.peek().opponent === "link") set({ opponent: "computer" });
  const level = h("input", {
    type: "range",
    min: 1,
    max: 10,
    step: 1,
    id: "level",
    value: String(choice.peek().level),
    "aria-valuetext": () => `${choice.value.level}, ${levelName(choice.value.level)}`,
    oninput: () => set({ level: Number(level.value) }),
  }) as HTMLInputElement;
  const rating = () => {
    const value = RATINGS[choice.value.level - 1];
    return value ? t("about", { rating: value }) : t("fullStrength");
  };
  const number = (key: "minutes" | "increment", label: string, max: number) =>
    h(
      "label",
      { class: "field" },
      label,
      h("input", {
        type: "number",
        min: 0,
        max,
        step: "any",
        value: String(choice.peek()[key]),
        oninput: (event: Event) => set({ [key]: Number((event.target as HTMLInputElement).value) }),
      }),
    );
  return h(
    "form",
    { class: "card setup", onsubmit: submit, "aria-label": t("newGame") },
    h("h1", null, t("newGame")),
    segments(
      "opponent",
      t("opponent"),
      opponents,
      () => choice.value.opponent,
      (opponent) => set({ opponent }),
      opponents.length === 3 ? 3 : undefined,
    ),
    h(
      "div",
      { class: "level", hidden: () => choice.value.opponent !== "computer" },
      h("label", { for: "level" }, t("level")),
      live(h("output", { for: "level" }), () => [
        h("strong", null, `${choice.value.level} · ${levelName(choice.value.level)}`),
        h("span", { class: "quiet" }, rating()),
      ]),
      level,
    ),
    h(
      "div",
      { hidden: () => choice.value.opponent === "here" },
      segments(
        "color",
        t("yourColor"),
        [
          ["white", piece("K"), t("white")],
          ["random", piece("half"), t("random")],
          ["black", piece("k"), t("black")],
        ],
        () => choice.value.color,
        (color) => set({ color }),
      ),
    ),
    segments(
      "clock",
      t("clock"),
      [
        ["none", t("noClock")],
        ["1+0", "1+0"],
        ["3+2", "3+2"],
        ["5+3", "5+3"],
        ["10+0", "10+0"],
        ["15+10", "15+10"],
        ["30+20", "30+20"],
        ["custom", t("custom")],
      ],
      () => choice.value.clock,
      (clock) => set({ clock }),
      4,
    ),
    h(
      "div",
      { class: "row", hidden: () => choice.value.clock !== "custom" },
      number("minutes", t("minutes"), 1440),
      number("increment", t("increment"), 3600),
    ),
    segments(
      "start",
      t("startPosition"),
      [
        ["standard", t("standard")],
        ["chess960", t("chess960")],
        ["fen", t("fromFen")],
      ],
      () => choice.value.start,
      (start) => set({ start }),
      3,
    ),
    h(
      "label",
      { class: "field", hidden: () => choice.value.start !== "chess960" },
      t("number960"),
      h("input", {
        inputmode: "numeric",
        value: choice.peek().number960,
        oninput: (event: Event) => set({ number960: (event.target as HTMLInputElement).value }),
      }),
    ),
    h(
      "label",
      { class: "field", hidden: () => choice.value.start !== "fen" },
      "FEN",
      h("input", {
        class: "mono",
        spellcheck: "false",
        value: choice.peek().fen,
        oninput: (event: Event) => set({ fen: (event.target as HTMLInputElement).value }),
      }),
    ),
    live(h("p", { class: "error", role: "alert" }), () => error.value),
    live(h("button", { type: "submit", class: "button primary big", id: "start-game" }), () =>
      choice.value.opponent === "link" ? t("invite") : t("startGame"),
    ),
  );
}
