/** The page begins here. */

import { mountMessages, setRules, toast } from "./app";
import { analyseView } from "./analyse/view";
import { editorView } from "./analyse/editor";
import { createBoard } from "./board-view";
import { h, icon } from "./dom";
import { gamesView } from "./games-view";
import { showHelp } from "./keys";
import { learnView } from "./learn-view";
import { playView } from "./play/view";
import { route, startRouter, type View } from "./router";
import { loadRules } from "./rules";
import { settingsView } from "./settings-view";
import { applySettings } from "./settings";
import { effect, onEnd, scope } from "./signal";
import { language, t, type TextKey } from "./texts";

const views: Record<string, View> = {
  play: playView,
  analyse: analyseView,
  editor: editorView,
  games: gamesView,
  learn: learnView,
  settings: settingsView,
};
const START_PIECES = Object.fromEntries(
  [..."abcdefgh"].flatMap((file, i) => [
    [`${file}1`, "RNBQKBNR"[i]!],
    [`${file}2`, "P"],
    [`${file}7`, "p"],
    [`${file}8`, "rnbqkbnr"[i]!],
  ]),
);
const tabs: [string, TextKey][] = [
  ["play", "play"],
  ["analyse", "analyse"],
  ["games", "games"],
  ["learn", "learn"],
  ["settings", "settings"],
];

function shell(app: HTMLElement): void {
  document.documentElement.lang = language();
  const main = h("main", { id: "main", tabIndex: -1 });
  const current = () => (route.value.path === "editor" ? "analyse" : route.value.path);
  app.replaceChildren(
    h(
      "a",
      {
        class: "skip",
        href: "#main",
        onclick: (event: Event) => {
          event.preventDefault();
          main.querySelector<HTMLElement>("tabiya-board, h1, button")?.focus();
        },
      },
      t("skip"),
    ),
    h(
      "header",
      { class: "site-header" },
      h(
        "a",
        { class: "brand", href: "#/play", "aria-label": "Tabiya" },
        h("img", { src: "icon.svg", alt: "", width: 28, height: 28 }),
        h("span", null, "Tabiya"),
      ),
      h(
        "nav",
        { "aria-label": t("menu") },
        tabs.map(([path, key]) =>
          h(
            "a",
            { href: `#/${path}`, "aria-label": t(key), "aria-current": () => (current() === path ? "page" : null) },
            path === "settings" ? icon("settings") : null,
            h("span", null, t(key)),
          ),
        ),
      ),
      h(
        "button",
        {
          type: "button",
          class: "button compact help-button",
          "aria-label": t("help"),
          title: `${t("help")} (?)`,
          onclick: showHelp,
        },
        icon("help"),
      ),
    ),
    main,
  );
  effect(() => {
    const { path, parameters } = route.value;
    const view = views[path];
    const key = tabs.find(([tab]) => tab === path)?.[1];
    document.title = key ? `${t(key)} · Tabiya` : "Tabiya";
    onEnd(scope(() => main.replaceChildren(view ? view(parameters) : h("p", { class: "wide" }, t("notFound")))));
  });
}

async function start(): Promise<void> {
  applySettings();
  mountMessages();
  startRouter();
  const app = document.querySelector<HTMLElement>("#app")!;
  // A board to look at while the rules load.
  const early = createBoard();
  early.setPieces(START_PIECES, { animate: false });
  app.append(
    h(
      "main",
      null,
      h(
        "div",
        { class: "layout" },
        h("section", { class: "board-column" }, h("div", { class: "player" }), early, h("div", { class: "player" })),
      ),
    ),
  );
  try {
    setRules(await loadRules(new URL("rules.wasm", document.baseURI)));
  } catch (error) {
    app.replaceChildren(
      h("p", { class: "wide error", role: "alert" }, error instanceof Error ? error.message : t("lostRules")),
    );
    return;
  }
  effect(() => {
    // A change of language builds the page anew.
    void language();
    onEnd(scope(() => shell(app)));
  });
  document.documentElement.dataset.ready = "true";
  if ("serviceWorker" in navigator && location.protocol !== "file:") {
    const known = navigator.serviceWorker.controller !== null;
    navigator.serviceWorker.addEventListener("controllerchange", () => {
      if (known) toast(t("updateReady"));
    });
    navigator.serviceWorker.register("sw.js").catch(() => {});
  }
}

void start();
