/** Collections: a PGN file as a list with search and sort; a click opens a game. */

import { download, rules, toast } from "./app";
import { button, h, listen, live } from "./dom";
import { navigate, type View } from "./router";
import type { GameSummary } from "./rules";
import { load } from "./settings";
import { effect, signal } from "./signal";
import { t, type TextKey } from "./texts";

interface Entry extends GameSummary {
  /** Where the bytes are. */
  bytes: Uint8Array;
  text: string;
}

type Column = "White" | "Black" | "Result" | "Date" | "Event" | "Opening" | "Moves";

const COLUMNS: [Column, TextKey][] = [
  ["White", "player"],
  ["Black", "opponentColumn"],
  ["Result", "result"],
  ["Date", "date"],
  ["Event", "event"],
  ["Opening", "opening"],
  ["Moves", "movesColumn"],
];

/** Stays while the page is open, so that one can come back from a game. */
const entries = signal<Entry[]>([]);
const openedName = signal("");
/** The list as it was when a game was opened, and which one that is: for stepping through. */
let walk: { list: Entry[]; at: number } | null = null;
const CHUNK = 2_000_000;
const PAGE = 200;

function cell(entry: Entry, column: Column): string {
  if (column === "Opening")
    return entry.opening ? `${entry.opening.eco} ${entry.opening.name}` : (entry.tags.ECO ?? "");
  if (column === "Moves") return String(Math.ceil(entry.plies / 2));
  if (column === "Result") return entry.result ?? "*";
  return entry.tags[column] ?? "";
}

function sortKey(entry: Entry, column: Column): string | number {
  return column === "Moves" ? entry.plies : cell(entry, column).toLowerCase();
}

/** Reads a file in pieces that end between games, so that the page answers meanwhile. */
async function read(bytes: Uint8Array, progress: (share: number) => void): Promise<Entry[]> {
  const found: Entry[] = [];
  const marker = new TextEncoder().encode("\n[Event ");
  let start = 0;
  while (start < bytes.length) {
    let end = Math.min(bytes.length, start + CHUNK);
    while (end < bytes.length && !marker.every((byte, i) => bytes[end + i] === byte)) end++;
    const part = bytes.subarray(start, end);
    for (const game of rules().games(part)) {
      const entry = { ...game, bytes: part, text: "" };
      entry.text = COLUMNS.map(([column]) => cell(entry, column))
        .join("\n")
        .toLowerCase();
      found.push(entry);
    }
    start = end;
    progress(start / bytes.length);
    await new Promise((resolve) => setTimeout(resolve));
  }
  return found;
}

function source(entry: Entry): Uint8Array {
  return entry.bytes.subarray(entry.offset, entry.offset + entry.length);
}

/** The next game of the list, or the one before, as PGN. */
export function neighbour(step: number): string | null {
  const entry = walk?.list[walk.at + step];
  if (!walk || !entry) return null;
  walk.at += step;
  return new TextDecoder().decode(source(entry));
}

/** A file that another page hands over. */
let handed: { name: string; bytes: Uint8Array } | null = null;

/** Opens a PGN of several games as a list. */
export function openCollection(name: string, text: string): void {
  handed = { name, bytes: new TextEncoder().encode(text) };
  navigate("#/games");
}

/** Whether the analysed game came from a list of several. */
export function isWalking(): boolean {
  return walk !== null && walk.list.length > 1;
}

export function stopWalking(): void {
  walk = null;
}

export const gamesView: View = () => {
  const query = signal("");
  const sort = signal<{ column: Column; down: boolean } | null>(null);
  const shown = signal(PAGE);
  const reading = signal<number | null>(null);

  const openBytes = async (name: string, bytes: Uint8Array) => {
    reading.value = 0;
    try {
      entries.value = await read(bytes, (share) => {
        reading.value = share;
      });
      openedName.value = name;
      if (entries.value.length === 0) toast(t("noGames"));
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error));
    } finally {
      reading.value = null;
    }
  };
  if (handed) {
    const { name, bytes } = handed;
    handed = null;
    void openBytes(name, bytes);
  }
  const openFile = async (file: File) => openBytes(file.name, new Uint8Array(await file.arrayBuffer()));
  listen("dragover", (event) => event.preventDefault());
  listen("drop", (event) => {
    event.preventDefault();
    const [file] = event.dataTransfer?.files ?? [];
    if (file) void openFile(file);
  });

  const visible = () => {
    const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
    let list = entries.value.filter(({ text }) => words.every((word) => text.includes(word)));
    const order = sort.value;
    if (order) {
      list = [...list].sort((a, b) => {
        const [x, y] = [sortKey(a, order.column), sortKey(b, order.column)];
        return (x < y ? -1 : x > y ? 1 : 0) * (order.down ? -1 : 1);
      });
    }
    return list;
  };
  effect(() => {
    void query.value;
    void sort.value;
    shown.value = PAGE;
  });
  const open = (entry: Entry) => {
    const list = visible();
    walk = { list, at: list.indexOf(entry) };
    sessionStorage.setItem("tabiya.open", new TextDecoder().decode(source(entry)));
    navigate("#/analyse");
  };
  const save = () => {
    const parts: BlobPart[] = [];
    for (const entry of visible()) parts.push(source(entry) as BlobPart, "\n\n");
    download(openedName.peek() || "games.pgn", parts);
  };
  const file = h("input", {
    type: "file",
    accept: ".pgn",
    id: "collection-file",
    class: "hidden-text",
    "aria-label": t("openCollection"),
    onchange: () => {
      const [chosen] = file.files ?? [];
      if (chosen) void openFile(chosen);
    },
  }) as HTMLInputElement;
  const finished = load<string[]>("finished") ?? [];

  const header = (column: Column, key: TextKey) =>
    h(
      "th",
      {
        scope: "col",
        "aria-sort": () => (sort.value?.column === column ? (sort.value.down ? "descending" : "ascending") : "none"),
      },
      h(
        "button",
        {
          type: "button",
          class: "sort",
          onclick: () => {
            const now = sort.peek();
            sort.value = { column, down: now?.column === column ? !now.down : false };
          },
        },
        t(key),
      ),
    );
  const table = live(h("div", { class: "table-frame", tabIndex: 0, role: "region", "aria-label": t("games") }), () => {
    if (reading.value !== null)
      return [
        h("progress", { max: 1, value: reading.value, "aria-label": t("games") }),
        h("p", { class: "quiet" }, t("reading", { percent: Math.round(reading.value * 100) })),
      ];
    if (entries.value.length === 0) return h("p", { class: "quiet drop" }, t("noGames"));
    const list = visible();
    return [
      h(
        "table",
        { class: "games" },
        h(
          "thead",
          null,
          h(
            "tr",
            null,
            COLUMNS.map(([column, key]) => header(column, key)),
          ),
        ),
        h(
          "tbody",
          null,
          list.slice(0, shown.value).map((entry) =>
            h(
              "tr",
              { onclick: () => open(entry), class: entry.error ? "broken" : "", title: entry.error?.message ?? null },
              COLUMNS.map(([column], i) =>
                h(
                  "td",
                  null,
                  i === 0
                    ? h(
                        "button",
                        {
                          type: "button",
                          class: "plain",
                          onclick: (event: Event) => {
                            event.stopPropagation();
                            open(entry);
                          },
                        },
                        cell(entry, column) || "?",
                      )
                    : cell(entry, column),
                ),
              ),
            ),
          ),
        ),
      ),
      list.length > shown.value
        ? button(t("more"), () => {
            shown.value += PAGE;
          })
        : null,
    ];
  });

  return h(
    "div",
    { class: "wide" },
    h(
      "div",
      { class: "card" },
      h("h1", null, t("games")),
      h(
        "div",
        { class: "row" },
        button(t("openCollection"), () => file.click(), { icon: "open", class: "primary" }),
        file,
        finished.length
          ? button(
              `${t("myGames")} (${finished.length})`,
              () => void openBytes("tabiya.pgn", new TextEncoder().encode(finished.join("\n\n"))),
            )
          : null,
        h("input", {
          type: "search",
          placeholder: t("search"),
          "aria-label": t("search"),
          id: "search",
          oninput: (event: Event) => {
            query.value = (event.target as HTMLInputElement).value;
          },
        }),
        button(t("exportShown"), save, { icon: "download", disabled: () => entries.value.length === 0 }),
      ),
      live(h("p", { class: "quiet", role: "status" }), () =>
        entries.value.length
          ? `${openedName.value} · ${t("gamesCount", { shown: visible().length, all: entries.value.length })}`
          : "",
      ),
      table,
    ),
  );
};
