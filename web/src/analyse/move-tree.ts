/** The moves of an analysis: the main line in a column, variations in brackets beneath. */

import { h, live } from "../dom";
import { effect } from "../signal";
import { t } from "../texts";
import { plain, type Node, type Tree } from "./tree";

export const GLYPHS: [number, string, string][] = [
  [1, "!", "good move"],
  [2, "?", "mistake"],
  [3, "!!", "brilliant move"],
  [4, "??", "blunder"],
  [5, "!?", "interesting move"],
  [6, "?!", "dubious move"],
  [10, "=", "equal"],
  [13, "∞", "unclear"],
  [14, "⩲", "White is slightly better"],
  [15, "⩱", "Black is slightly better"],
  [16, "±", "White is better"],
  [17, "∓", "Black is better"],
  [18, "+−", "White is winning"],
  [19, "−+", "Black is winning"],
];

export function glyph(nag: number): string {
  return GLYPHS.find(([number]) => number === nag)?.[1] ?? `$${nag}`;
}

export function evalText(evaluation: { cp: number } | { mate: number }, digits = 2): string {
  if ("mate" in evaluation) return `${evaluation.mate < 0 ? "−" : ""}#${Math.abs(evaluation.mate)}`;
  const pawns = evaluation.cp / 100;
  return `${pawns > 0 ? "+" : pawns < 0 ? "−" : ""}${Math.abs(pawns).toFixed(digits)}`;
}

export function moveTree(tree: Tree): HTMLElement {
  const buttons = new Map<number, HTMLButtonElement>();
  const moveButton = (node: Node) => {
    const quality = node.nags.find((nag) => nag <= 6);
    const element = h(
      "button",
      {
        type: "button",
        class: `move ${quality ? `nag-${quality}` : ""}`,
        "data-node": node.id,
        onclick: () => {
          tree.current.value = node;
        },
      },
      node.san ?? "",
      node.nags.length ? h("span", { class: "glyph" }, node.nags.map(glyph).join(" ")) : null,
    );
    buttons.set(node.id, element);
    return element;
  };
  const comment = (node: Node) => {
    const text = plain(node.comments);
    return text ? h("span", { class: "comment" }, text) : null;
  };
  const before = (node: Node) => {
    const text = plain(node.commentsBefore);
    return text ? h("span", { class: "comment" }, text) : null;
  };

  /** A variation in one paragraph; its own variations in brackets. */
  const inline = (first: Node): HTMLElement[] => {
    const parts: HTMLElement[] = [];
    let node: Node | undefined = first;
    let showNumber = true;
    let siblings: Node[] = [];
    while (node) {
      const lead = before(node);
      if (lead) parts.push(lead);
      if (node.white || showNumber || lead)
        parts.push(h("span", { class: "number" }, `${node.number}${node.white ? "." : "…"}`));
      parts.push(moveButton(node));
      const words = comment(node);
      if (words) parts.push(words);
      showNumber = words !== null;
      if (siblings.length) {
        for (const other of siblings) parts.push(h("span", { class: "inner" }, inline(other)));
        showNumber = true;
      }
      siblings = node.children.slice(1);
      node = node.children[0];
    }
    return parts;
  };

  const root = live(h("div", { class: "tree", "aria-label": t("tree"), role: "group" }), () => {
    void tree.version.value;
    buttons.clear();
    const blocks: HTMLElement[] = [];
    const introduction = comment(tree.root);
    if (introduction) blocks.push(h("p", { class: "interlude" }, introduction));
    let row: HTMLElement | null = null;
    let node: Node | undefined = tree.root.children[0];
    let siblings = tree.root.children.slice(1);
    while (node) {
      const lead = before(node);
      if (lead) {
        blocks.push(h("p", { class: "interlude" }, lead));
        row = null;
      }
      if (node.white || !row) {
        row = h(
          "div",
          { class: "pair" },
          h("span", { class: "number" }, `${node.number}.`),
          node.white ? null : h("span", { class: "no-move" }, "…"),
        );
        blocks.push(row);
      }
      row.append(moveButton(node));
      const words = comment(node);
      if (words || siblings.length) {
        blocks.push(
          h(
            "div",
            { class: "interlude" },
            words,
            siblings.map((other) => h("p", { class: "variation" }, inline(other))),
          ),
        );
        row = null;
      }
      siblings = node.children.slice(1);
      node = node.children[0];
    }
    if (!tree.root.children.length) blocks.push(h("p", { class: "quiet" }, t("noMoves")));
    else if (tree.result !== "*") blocks.push(h("p", { class: "game-result" }, tree.result));
    return blocks;
  });
  effect(() => {
    void tree.version.value;
    const { id } = tree.current.value;
    for (const [key, element] of buttons) {
      if (key === id) element.setAttribute("aria-current", "true");
      else element.removeAttribute("aria-current");
    }
    const mark = buttons.get(id);
    requestAnimationFrame(() => {
      if (!mark) {
        root.scrollTop = 0;
        return;
      }
      const [box, frame] = [mark.getBoundingClientRect(), root.getBoundingClientRect()];
      if (box.top < frame.top || box.bottom > frame.bottom) root.scrollTop += box.top - frame.top - frame.height / 2;
    });
  });
  return root;
}
