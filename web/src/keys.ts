/** Keys of the page. A field that takes text keeps its keys, and so does a focused square of the board. */

import { openDialog } from "./app";
import { h, listen } from "./dom";
import { t } from "./texts";

export type Keys = Partial<Record<string, (event: KeyboardEvent) => void>>;

export function useKeys(keys: Keys): void {
  listen("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const target = event.composedPath()[0] as HTMLElement;
    if (target instanceof HTMLInputElement && !["checkbox", "radio", "range", "button"].includes(target.type)) return;
    if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return;
    if (document.querySelector("dialog[open]")) return;
    if (target instanceof HTMLInputElement && event.key.startsWith("Arrow")) return;
    // Space and Enter press a focused button.
    if (target.closest?.("button, a, summary, [role=tab]") && (event.key === " " || event.key === "Enter")) return;
    const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return;
    event.preventDefault();
    action(event);
  });
}

export function showHelp(): void {
  const rows: [string, string][] = [
    ["→  ←", t("helpNext")],
    ["↑  ↓", t("helpEnds")],
    ["f", t("helpFlip")],
    ["l", t("helpEngine")],
    ["a", t("helpArrows")],
    ["x", t("helpThreat")],
    ["Space", t("helpBest")],
    ["h", t("helpHint")],
    ["/", t("helpType")],
    ["b", t("helpBoard")],
    ["Esc", t("helpEsc")],
    ["?", t("helpHelp")],
  ];
  openDialog(
    t("help"),
    h(
      "div",
      null,
      h(
        "table",
        { class: "keys" },
        h(
          "tbody",
          null,
          rows.map(([key, text]) =>
            h(
              "tr",
              null,
              h(
                "th",
                { scope: "row" },
                key.split("  ").map((part) => h("kbd", null, part)),
              ),
              h("td", null, text),
            ),
          ),
        ),
      ),
      h("p", { class: "quiet" }, t("helpWords")),
      h("p", { class: "quiet" }, t("helpDraw")),
    ),
  );
}
