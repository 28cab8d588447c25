/** The Analyse page. */

import type { MoveDetail, Shape } from "../../board/board";
import { announce, copyText, download, engine, openDialog, rules, toast } from "../app";
import { announceMove, createBoard, explain, explainStuck, findMove, say, showPosition } from "../board-view";
import { button, h, listen, live } from "../dom";
import { showHelp, useKeys } from "../keys";
import { isWalking, neighbour, openCollection, stopWalking } from "../games-view";
import { navigate, replaceAddress, type View } from "../router";
import type { Color, Shape as StoredShape } from "../rules";
import { set, settings, load, store } from "../settings";
import { effect, onEnd, scope, signal } from "../signal";
import { rulesText, t } from "../texts";
import { explorerPanel } from "./explorer";
import { startAnalysis } from "./lines";
import { glyph, GLYPHS, moveTree } from "./move-tree";
import { createReport, type Report } from "./report";
import { parseInput, plain, Tree } from "./tree";

const LONGEST_ADDRESS = 6000;

interface Saved {
  pgn: string;
  path: number[];
}

/** What the address, the page before, or the last visit left to show. */
function initialTree(parameters: URLSearchParams): Tree {
  const handed = sessionStorage.getItem("tabiya.open");
  if (!handed || parameters.get("report")) stopWalking();
  sessionStorage.removeItem("tabiya.open");
  const text = handed ?? parameters.get("pgn") ?? parameters.get("fen");
  if (text) {
    const parsed = parseInput(text);
    if ("tree" in parsed) {
      const ply = Number(parameters.get("ply") ?? (handed ? 0 : Infinity));
      for (let i = 0; i < ply && parsed.tree.current.peek().children.length; i++) parsed.tree.forward();
      if (parameters.get("ply") === null && !handed) parsed.tree.first();
      return parsed.tree;
    }
    toast(t("badInput", { reason: parsed.error }));
  }
  const saved = load<Saved>("analysis");
  const parsed = saved ? parseInput(saved.pgn) : null;
  if (saved && parsed && "tree" in parsed) {
    for (const index of saved.path) {
      const child = parsed.tree.current.peek().children[index];
      if (child) parsed.tree.current.value = child;
    }
    return parsed.tree;
  }
  return new Tree();
}

export const analyseView: View = (parameters) => {
  const root = h("div", { class: "layout analyse" });
  const tree = signal(initialTree(parameters));
  const flipped = signal(false);
  const orientation = (): Color => (flipped.value ? "black" : "white");
  const column = h("section", { class: "board-column with-bar", "aria-label": t("board") });
  const side = h("aside", { class: "side" });
  root.append(column, side);

  const pauseSignal = signal(false);
  const report = createReport(tree, (paused) => {
    pauseSignal.value = paused;
  });
  const openText = (text: string, name = "games.pgn") => {
    // Of several games, one is chosen from the list.
    if (text.includes("\n[Event ", text.indexOf("[Event ") + 1)) {
      openCollection(name, text);
      return true;
    }
    const parsed = parseInput(text);
    if ("error" in parsed) {
      toast(t("badInput", { reason: parsed.error }));
      return false;
    }
    if (parsed.warning) toast(t("pgnProblem", { ...parsed.warning }));
    tree.value = parsed.tree;
    return true;
  };
  const step = (by: number) => {
    const pgn = neighbour(by);
    if (pgn) openText(pgn);
  };

  listen("dragover", (event) => event.preventDefault());
  listen("drop", (event) => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file) void file.text().then((text) => openText(text, file.name));
    else openText(event.dataTransfer?.getData("text/plain") ?? "");
  });
  listen("paste", (event) => {
    const target = event.composedPath()[0];
    if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) return;
    const text = event.clipboardData?.getData("text/plain");
    if (text?.trim()) openText(text);
  });

  effect(() => {
    const now = tree.value;
    onEnd(
      scope(() =>
        treeView(now, { column, side, flipped, orientation, openText, report, step, paused: () => pauseSignal.value }),
      ),
    );
  });
  if (parameters.get("report")) void report.run();
  return root;
};

interface Context {
  column: HTMLElement;
  side: HTMLElement;
  flipped: { value: boolean; peek(): boolean };
  orientation: () => Color;
  openText: (text: string, name?: string) => boolean;
  report: Report;
  /** To another game of the collection. */
  step: (by: number) => void;
  paused: () => boolean;
}

function treeView(tree: Tree, { column, side, flipped, orientation, openText, report, step, paused }: Context): void {
  const board = createBoard();
  effect(() => {
    board.orientation = orientation();
  });

  const playLine = (moves: string[]) => {
    for (const uci of moves) {
      const move = tree.position().moves.find((candidate) => candidate.uci === uci);
      if (!move) return;
      tree.play(move.uci, move.san);
    }
    announceMove(tree.position());
  };
  const analysis = startAnalysis(tree, orientation, playLine);
  effect(() => {
    analysis.paused.value = paused();
  });

  let shownPly = -1;
  effect(() => {
    const node = tree.current.value;
    const position = tree.position(node);
    showPosition(board, position, {
      movable: report.exercise.value?.solved ? null : "both",
      animate: shownPly >= 0 && Math.abs(node.ply - shownPly) <= 1,
    });
    shownPly = node.ply;
    board.shapes = node.shapes;
  });
  effect(() => {
    void tree.version.value;
    const node = tree.current.value;
    const shapes: Shape[] = [...analysis.arrows()];
    const quality = node.nags.find((nag) => nag <= 6);
    if (quality && node.uci)
      shapes.push({
        from: node.uci.slice(2, 4),
        label: glyph(quality),
        color: quality === 1 || quality === 3 ? "green" : quality === 5 ? "blue" : quality === 6 ? "yellow" : "red",
      });
    board.autoShapes = shapes;
  });

  board.addEventListener("move", (event) => {
    const move = findMove(tree.position(), (event as CustomEvent<MoveDetail>).detail);
    if (!move) return;
    if (report.answer(move.uci, move.san)) {
      showPosition(board, tree.position(), { movable: "both", animate: true });
      return;
    }
    tree.play(move.uci, move.san);
    announceMove(tree.position());
  });
  board.addEventListener("illegal", (event) => {
    const { from, to } = (event as CustomEvent<MoveDetail>).detail;
    explain(board, tree.line(), `${from}${to}`);
  });
  board.addEventListener("pick", (event) =>
    explainStuck(board, tree.line(), (event as CustomEvent<{ square: string }>).detail.square),
  );
  board.addEventListener("shapes", (event) =>
    tree.setShapes(
      tree.current.peek(),
      (event as CustomEvent<Shape[]>).detail.map(
        (shape) => ({ ...shape, color: shape.color ?? "green" }) as StoredShape,
      ),
    ),
  );

  // The address carries the game, and the browser remembers it.
  effect(() => {
    void tree.version.value;
    const node = tree.current.value;
    const pgn = tree.pgn();
    const path = tree.path(node).map((at) => at.parent!.children.indexOf(at));
    store("analysis", tree.isEmpty && tree.isUsualStart ? null : ({ pgn, path } satisfies Saved));
    const query = tree.isEmpty
      ? tree.isUsualStart
        ? ""
        : `?fen=${encodeURIComponent(tree.start)}`
      : `?pgn=${encodeURIComponent(pgn)}${tree.isMain(node) ? `&ply=${node.ply}` : ""}`;
    replaceAddress(query.length <= LONGEST_ADDRESS ? `#/analyse${query}` : "#/analyse");
  });

  const go = (step: () => void) => () => {
    step();
    const position = tree.position();
    announce(
      position.last_move
        ? `${position.last_move.san}. ${rulesText(position.last_move.words).message}`
        : t("startPosition"),
    );
  };
  const flip = () => {
    flipped.value = !flipped.peek();
  };
  // The wheel steps through the moves: once for each notch, and touchpads make many small events of one.
  let turned = 0;
  board.addEventListener(
    "wheel",
    (event) => {
      if (event.ctrlKey) return;
      event.preventDefault();
      const delta = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : 100 * Math.sign(event.deltaY);
      turned = turned * delta < 0 ? delta : turned + delta;
      if (Math.abs(turned) < 60) return;
      if (turned > 0) tree.forward();
      else tree.back();
      turned = 0;
    },
    { passive: false },
  );
  const navigation = h(
    "div",
    { class: "navigation" },
    button(
      t("first"),
      go(() => tree.first()),
      { icon: "first", compact: true, key: "↑" },
    ),
    button(
      t("previous"),
      go(() => tree.back()),
      { icon: "previous", compact: true, key: "←" },
    ),
    button(
      t("next"),
      go(() => tree.forward()),
      { icon: "next", compact: true, key: "→" },
    ),
    button(
      t("last"),
      go(() => tree.last()),
      { icon: "last", compact: true, key: "↓" },
    ),
    button(t("flip"), flip, { icon: "flip", compact: true, key: "f" }),
    button(t("import"), () => importDialog(openText), { icon: "open", compact: true, id: "open-import" }),
    button(t("export"), () => exportDialog(tree), { icon: "share", compact: true, id: "open-export" }),
    button(t("editor"), () => navigate(`#/editor?fen=${encodeURIComponent(tree.position().fen)}`), {
      icon: "edit",
      compact: true,
      id: "open-editor",
    }),
    button(t("mate"), () => mateDialog(tree, playLine, analysis.paused), {
      icon: "mate",
      compact: true,
      id: "open-mate",
    }),
  );

  const input = h("input", {
    id: "move-input",
    class: "mono",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    placeholder: t("moveInputHint"),
    "aria-label": t("moveInput"),
  }) as HTMLInputElement;
  const typed = (event: Event) => {
    event.preventDefault();
    const text = input.value.trim();
    if (!text) return;
    const answer = rules().play(tree.line(), text);
    if (answer.ok) {
      input.value = "";
      if (!report.answer(answer.move.uci, answer.move.san)) {
        tree.play(answer.move.uci, answer.move.san);
        announceMove(answer.position);
      }
    } else {
      say(board, answer.error.message, answer.error.squares);
      input.select();
    }
  };

  const comment = h("textarea", {
    rows: 2,
    "aria-label": t("comment"),
    placeholder: t("comment"),
    id: "comment",
    onchange: () => tree.comment(tree.current.peek(), comment.value),
  }) as HTMLTextAreaElement;
  effect(() => {
    void tree.version.value;
    comment.value = plain(tree.current.value.comments);
  });
  const isRoot = () => tree.current.value.parent === null;
  const notes = h(
    "details",
    { class: "notes" },
    h("summary", null, `${t("comment")} · ${t("glyphs")}`),
    h(
      "div",
      { class: "glyphs" },
      GLYPHS.map(([nag, sign, words]) =>
        h(
          "button",
          {
            type: "button",
            class: "button glyph-button",
            title: words,
            "aria-label": words,
            disabled: isRoot,
            "aria-pressed": () => {
              void tree.version.value;
              return String(tree.current.value.nags.includes(nag));
            },
            onclick: () => tree.toggleNag(tree.current.peek(), nag),
          },
          sign,
        ),
      ),
    ),
    comment,
    h(
      "div",
      { class: "row" },
      button(t("promoteVariation"), () => tree.promote(tree.current.peek(), false), {
        icon: "up",
        disabled: () => {
          void tree.version.value;
          return isRoot() || tree.isMain(tree.current.value);
        },
      }),
      button(t("makeMainLine"), () => tree.promote(tree.current.peek(), true), {
        disabled: () => {
          void tree.version.value;
          return isRoot() || tree.isMain(tree.current.value);
        },
      }),
      button(t("deleteFromHere"), () => tree.remove(tree.current.peek()), { icon: "trash", disabled: isRoot }),
    ),
  );

  const title = live(h("p", { class: "quiet game-title" }), () => {
    const tag = (name: string) => tree.tags.find(([key]) => key === name)?.[1];
    const [white, black] = [tag("White"), tag("Black")];
    if (!white && !black) return "";
    const known = (text?: string) => (text && !/^\?+(\.\?+)*$/.test(text) ? text : null);
    return [
      `${white ?? "?"} – ${black ?? "?"}`,
      known(tag("Event")),
      known(tag("Date")),
      tree.result !== "*" ? tree.result : null,
    ]
      .filter(Boolean)
      .join(" · ");
  });
  const opening = live(h("p", { class: "quiet opening" }), () => {
    const position = tree.position(tree.current.value);
    return position.outcome?.message ?? (position.opening ? `${position.opening.eco} ${position.opening.name}` : "");
  });

  const frame = h("div", { class: "board-with-bar" }, analysis.bar, board);
  column.replaceChildren(frame);
  side.replaceChildren(
    h(
      "div",
      { class: "card analysis-card" },
      analysis.panel,
      title,
      isWalking()
        ? h(
            "div",
            { class: "row" },
            button(t("previousGame"), () => step(-1), { icon: "previous" }),
            button(t("nextGame"), () => step(1), { icon: "next" }),
          )
        : null,
      opening,
      moveTree(tree),
      navigation,
      h("form", { class: "move-form", onsubmit: typed }, input),
      explorerPanel(tree, playLine),
      notes,
      h("details", { class: "notes", open: true }, h("summary", null, t("report")), report.panel),
    ),
  );

  useKeys({
    ArrowLeft: go(() => tree.back()),
    ArrowRight: (event) => {
      if (event.shiftKey) go(() => tree.sibling(1))();
      else go(() => tree.forward())();
    },
    ArrowUp: go(() => tree.first()),
    ArrowDown: go(() => tree.last()),
    f: flip,
    l: () => set("engineOn", !settings.peek().engineOn),
    a: () => set("arrows", !settings.peek().arrows),
    x: () => {
      analysis.threat.value = !analysis.threat.peek();
    },
    " ": () => {
      const best = analysis.best();
      if (best) playLine([best]);
    },
    "/": () => input.focus(),
    b: () => board.focus(),
    "?": showHelp,
    Escape: () => {
      board.selected = null;
    },
    Delete: () => tree.remove(tree.current.peek()),
  });
}

function importDialog(openText: (text: string, name?: string) => boolean): void {
  const area = h("textarea", {
    rows: 8,
    class: "mono",
    "aria-label": t("pasteHere"),
    placeholder: t("pasteHere"),
    id: "import-text",
    spellcheck: "false",
  }) as HTMLTextAreaElement;
  const file = h("input", {
    type: "file",
    accept: ".pgn,.fen,.epd,.txt",
    "aria-label": t("file"),
    id: "import-file",
    onchange: () => {
      const [chosen] = file.files ?? [];
      if (chosen)
        void chosen.text().then((text) => {
          if (openText(text, chosen.name)) dialog.close();
        });
    },
  }) as HTMLInputElement;
  const dialog = openDialog(
    t("import"),
    h(
      "div",
      { class: "stack" },
      area,
      h(
        "div",
        { class: "row" },
        button(
          t("load"),
          () => {
            if (openText(area.value)) dialog.close();
          },
          { class: "primary", id: "import-load" },
        ),
        file,
      ),
      h("p", { class: "quiet" }, t("dropHere")),
    ),
  );
  area.focus();
}

function exportDialog(tree: Tree): void {
  const pgn = tree.pgn();
  const { fen } = tree.position();
  openDialog(
    t("export"),
    h(
      "div",
      { class: "stack" },
      h(
        "label",
        { class: "field" },
        "FEN",
        h("input", { class: "mono", readonly: true, value: fen, id: "export-fen" }),
      ),
      h(
        "label",
        { class: "field" },
        "PGN",
        h("textarea", { class: "mono", rows: 8, readonly: true, value: pgn, id: "export-pgn" }),
      ),
      h(
        "div",
        { class: "row" },
        button(t("copyFen"), () => void copyText(fen), { icon: "copy" }),
        button(t("copyPgn"), () => void copyText(pgn), { icon: "copy" }),
        button(t("downloadPgn"), () => download("game.pgn", pgn), { icon: "download" }),
        button(t("copyLink"), () => void copyText(location.href), { icon: "share" }),
      ),
    ),
  );
}

function mateDialog(tree: Tree, playLine: (uci: string[]) => void, paused: { value: boolean }): void {
  const answer = h("p", { role: "status" });
  const count = h("input", { type: "number", min: 1, max: 30, value: "3", id: "mate-moves" }) as HTMLInputElement;
  const actions = h("div", { class: "row" });
  const prove = async (event: Event) => {
    event.preventDefault();
    answer.textContent = t("proving");
    actions.replaceChildren();
    paused.value = true;
    try {
      const result = await engine().mate(tree.line(), Math.max(1, Number(count.value)));
      answer.textContent = result.message;
      if (result.uci.length)
        actions.append(
          button(result.san.join(" "), () => {
            dialog.close();
            playLine(result.uci);
          }),
        );
    } catch (error) {
      answer.textContent = error instanceof Error ? error.message : String(error);
    }
  };
  const dialog = openDialog(
    t("mate"),
    h(
      "div",
      { class: "stack" },
      h(
        "form",
        { class: "row", onsubmit: (event: Event) => void prove(event) },
        h("label", { class: "field" }, t("mateIn"), count),
        h("button", { type: "submit", class: "button primary", id: "prove" }, t("prove")),
      ),
      answer,
      actions,
    ),
  );
  dialog.addEventListener("close", () => {
    paused.value = false;
  });
}
