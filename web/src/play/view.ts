/** The Play page. */

import type { MoveDetail } from "../../board/board";
import { announce, confirm, copyText, engine, engineState, rules } from "../app";
import { createBoard, explain, explainStuck, findMove, say, showPosition } from "../board-view";
import { button, h, live } from "../dom";
import { showHelp, useKeys } from "../keys";
import { accuracyText, reviewGame, type GameReview } from "../review";
import { navigate, type View } from "../router";
import type { Color, Position } from "../rules";
import { listGames, mode, type GamePlayer } from "../server";
import { settings } from "../settings";
import { effect, onEnd, scope, signal } from "../signal";
import { claimText, colorName, levelName, rulesText, t } from "../texts";
import { Game, other, type PlayedGame } from "./game";
import { LinkGame } from "./link-game";
import { setupForm, type LinkInvitation } from "./setup";

const current = signal<PlayedGame | null>(null);

export function clockText(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 10) return `0:0${(Math.floor(seconds * 10) / 10).toFixed(1)}`;
  const whole = Math.floor(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return hours
    ? `${hours}:${String(minutes).padStart(2, "0")}:${String(rest).padStart(2, "0")}`
    : `${minutes}:${String(rest).padStart(2, "0")}`;
}

const FIGURES: Record<string, string> = { p: "♟", n: "♞", b: "♝", r: "♜", q: "♛" };

function material(position: Position, color: Color): string {
  // `captured.white` are white pieces, so they stand beside Black.
  const taken = position.captured[other(color)];
  const lead = color === "white" ? position.material : -position.material;
  const order = "qrbnp";
  const figures = [...taken]
    .map((letter) => letter.toLowerCase())
    .sort((a, b) => order.indexOf(a) - order.indexOf(b))
    .map((letter) => FIGURES[letter] ?? "")
    .join("");
  return figures + (lead > 0 ? ` +${lead}` : "");
}

export const playView: View = (parameters) => {
  const root = h("div", { class: "layout" });
  const id = parameters.get("game");
  const seat = parameters.get("seat");
  if (id && seat) {
    current.value?.close();
    current.value = new LinkGame(id, seat);
  } else if (!current.peek() || current.peek() instanceof LinkGame) {
    current.peek()?.close();
    current.value = Game.restore();
  }
  if (parameters.get("fen")) {
    current.peek()?.discard();
    current.value = null;
  }
  effect(() => {
    const game = current.value;
    root.replaceChildren();
    onEnd(
      scope(() => {
        if (game) gameView(root, game);
        else newGameView(root, parameters.get("fen") ?? undefined);
      }),
    );
  });
  return root;
};

function newGameView(root: HTMLElement, fen?: string): void {
  const board = createBoard();
  const checked = fen ? rules().tryPosition({ fen }) : null;
  showPosition(board, checked?.ok ? checked.position : rules().position(), { movable: null, animate: false });
  const side = h("aside", { class: "side" });
  const invited = (invitation: LinkInvitation) => {
    const own = `#/play?game=${encodeURIComponent(invitation.id)}&seat=${encodeURIComponent(invitation.seat)}`;
    side.replaceChildren(
      h(
        "div",
        { class: "card" },
        h("h1", null, t("friendLink")),
        invitation.link
          ? [
              h("p", null, t("inviteText")),
              h("p", { class: "mono link" }, invitation.link),
              button(t("copyLink"), () => void copyText(invitation.link!), { icon: "copy" }),
            ]
          : h("p", null, t("inviteLocal")),
        h("a", { class: "button primary", href: own }, t("startGame")),
      ),
    );
  };
  // Games that another browser, or the terminal, left unfinished on this server.
  const unfinished = h("div", { class: "card unfinished", hidden: true });
  if (mode() === "server") {
    listGames()
      .then((games) => {
        if (!games.length || current.peek()) return;
        unfinished.hidden = false;
        unfinished.append(
          h("h2", null, t("continueGame")),
          h(
            "div",
            { class: "row" },
            games.slice(0, 3).map((saved) => {
              const name = (player: GamePlayer) =>
                player.kind === "computer" ? levelName(player.level) : player.name || t("you");
              return button(
                `${name(saved.white)} – ${name(saved.black)}, ${t("movesColumn")}: ${Math.ceil(saved.moves.length / 2)}`,
                () => {
                  current.value = Game.fromServer(saved);
                },
                { class: "continue" },
              );
            }),
          ),
        );
      })
      .catch(() => {});
  }
  side.append(
    setupForm(
      (setup) => {
        current.value = Game.start(setup);
      },
      invited,
      fen,
    ),
  );
  // The engine loads while the user chooses.
  engine();
  side.append(unfinished);
  root.append(
    h(
      "section",
      { class: "board-column", "aria-label": t("board") },
      h("div", { class: "player" }),
      board,
      h("div", { class: "player" }),
    ),
    side,
  );
  useKeys({ "?": showHelp });
}

function gameView(root: HTMLElement, game: PlayedGame): void {
  // On a phone, the button that started the game is far below the board.
  scrollTo(0, 0);
  const board = createBoard();
  /** The ply that is shown; `null` for the present. */
  const back = signal<number | null>(null);
  const flipped = signal(false);
  const message = signal("");
  const review = signal<GameReview | null>(null);

  const orientation = (): Color => {
    const { you } = game.state.value;
    const own = you === "both" ? "white" : you;
    return flipped.value ? other(own) : own;
  };
  effect(() => {
    board.orientation = orientation();
  });

  let shown: { moves: string[]; ply: number } | null = null;
  effect(() => {
    const { start, moves, you, end } = game.state.value;
    const ply = back.value ?? moves.length;
    if (ply >= moves.length && back.peek() !== null) {
      back.value = null;
      return;
    }
    const isLive = ply === moves.length;
    const position = isLive ? game.position.value : rules().position({ fen: start, moves: moves.slice(0, ply) });
    const near = shown !== null && Math.abs(shown.ply - ply) <= 2;
    shown = { moves, ply };
    board.autoShapes = [];
    message.value = "";
    const movable = isLive && !end ? you : null;
    showPosition(board, position, {
      movable,
      animate: near,
      premovable: isLive && !end && you !== "both" && settings.value.premove,
    });
    if (isLive && game.yourTurn && board.premove) {
      // After this change has been shown everywhere: the premove is a change of its own.
      queueMicrotask(() => {
        if (!board.playPremove()) announce(t("premoveDropped"));
      });
    }
  });

  board.addEventListener("move", (event) => {
    const detail = (event as CustomEvent<MoveDetail>).detail;
    const move = findMove(game.position.peek(), detail);
    if (move) game.play(move.uci);
  });
  board.addEventListener("illegal", (event) => {
    const { from, to } = (event as CustomEvent<MoveDetail>).detail;
    explain(board, game.line, `${from}${to}`);
  });
  board.addEventListener("pick", (event) => {
    if (game.yourTurn) explainStuck(board, game.line, (event as CustomEvent<{ square: string }>).detail.square);
  });
  board.addEventListener("premove", (event) => {
    const move = (event as CustomEvent<MoveDetail | null>).detail;
    if (move) announce(t("premoveSet", { move: `${move.from} ${move.to}` }));
  });

  const step = (to: number) => {
    const { length } = game.state.peek().moves;
    const ply = Math.max(0, Math.min(length, to));
    back.value = ply === length ? null : ply;
    const position = rules().position({ fen: game.state.peek().start, moves: game.state.peek().moves.slice(0, ply) });
    announce(
      position.last_move
        ? `${position.last_move.san}. ${rulesText(position.last_move.words).message}`
        : t("startPosition"),
    );
  };
  const ply = () => back.value ?? game.state.value.moves.length;
  const peekPly = () => back.peek() ?? game.state.peek().moves.length;

  const hint = async () => {
    if (!game.yourTurn || game.over) return;
    message.value = t("thinking");
    const { moves } = game.state.peek();
    try {
      const answer = await engine().hint({ fen: game.state.peek().start, moves });
      if (game.state.peek().moves !== moves) return;
      message.value = answer.message;
      announce(answer.message, rulesText(answer.message).lang);
      const move = game.position.peek().moves.find(({ uci }) => uci === answer.uci);
      if (move) board.autoShapes = [{ from: move.from, to: move.to, color: "hint" }];
    } catch (error) {
      message.value = error instanceof Error ? error.message : "";
    }
  };
  const draw = async () => {
    const reason = game.claim;
    if (reason) {
      if (await confirm(t("confirmClaim", { reason: claimText(reason) }))) game.claimDraw();
    } else if (await confirm(t("confirmDraw"), t("offerDraw"))) game.offerDraw();
  };
  const resign = async () => {
    if ((await confirm(t("confirmResign"), t("resign"))) && !game.over) game.resign();
  };
  const leave = async () => {
    if (!game.over && game.state.peek().moves.length > 0 && !(await confirm(t("confirmAbort")))) return;
    game.discard();
    current.value = null;
    if (location.hash.includes("?")) navigate("#/play");
  };
  const rematch = () => {
    const next = game.rematch();
    if (next) current.value = next;
  };

  /** Words that the move field takes, as the terminal does. */
  const commands: Record<string, () => void> = {
    hint: () => void hint(),
    draw: () => void draw(),
    resign: () => void resign(),
    undo: () => game.takeBack(),
    takeback: () => game.takeBack(),
    flip: () => {
      flipped.value = !flipped.peek();
    },
    last: () => step(peekPly()),
    help: showHelp,
    clock: () =>
      announce(
        (["white", "black"] as const)
          .map((color) => {
            const left = game.remaining(color);
            return left === null ? t("noClock") : `${colorName(color)} ${clockText(left)}`;
          })
          .join(", "),
      ),
  };
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
    const command = commands[text.toLowerCase()];
    if (command && !game.over) {
      input.value = "";
      command();
      return;
    }
    if (!text || !game.yourTurn) return;
    back.value = null;
    const answer = rules().play(game.line, text);
    if (answer.ok) {
      input.value = "";
      game.play(answer.move.uci);
    } else {
      say(board, answer.error.message, answer.error.squares);
      input.select();
    }
  };

  const player = (top: boolean) =>
    live(h("div", { class: `player ${top ? "top" : "bottom"}` }), () => {
      const color = top ? other(orientation()) : orientation();
      const { end } = game.state.value;
      const position = game.position.value;
      const turn = !end && position.turn === color;
      const clock = h("span", {
        class: `clock ${turn ? "running" : ""}`,
        role: "timer",
        "aria-label": `${t("clock")} ${colorName(color)}`,
      });
      effect(() => {
        void game.tick.value;
        const left = game.remaining(color);
        clock.hidden = left === null;
        clock.classList.toggle("low", left !== null && left < 20_000);
        const text = left === null ? "" : clockText(left);
        if (clock.textContent !== text) clock.textContent = text;
      });
      return [
        h("span", { class: `disc ${color} ${turn ? "turn" : ""}`, "aria-hidden": "true" }),
        h("span", { class: "name" }, game.playerName(color)),
        h("span", { class: "quiet" }, game.rating(color)),
        h("span", { class: "material", "aria-hidden": "true" }, material(position, color)),
        clock,
      ];
    });

  // Its place stays while the game runs, so that nothing jumps.
  const isQuiet = () => game.state.value.end && !message.value && !game.notice.value;
  const status = live(h("div", { class: () => `status ${isQuiet() ? "over" : ""}`, role: "status" }), () => {
    const { end, drawOffer, you } = game.state.value;
    const { turn } = game.position.value;
    if (message.value) return h("p", { class: "hint", lang: rulesText(message.value).lang }, message.value);
    if (drawOffer && drawOffer !== you) {
      return [
        h("p", null, game.notice.value || t("drawOffered", { name: colorName(drawOffer) })),
        h(
          "div",
          { class: "row" },
          button(t("accept"), () => game.acceptDraw(), { class: "primary" }),
          button(t("decline"), () => game.declineDraw()),
        ),
      ];
    }
    if (game.notice.value) return h("p", null, game.notice.value);
    if (end) return null;
    if (back.value !== null)
      return h(
        "p",
        null,
        t("lookingBack"),
        " ",
        button(t("backToGame"), () => {
          back.value = null;
        }),
      );
    if (game.computer && engineState.value === "waiting") return h("p", { class: "warning" }, t("engineWaiting"));
    if (game.computer && engineState.value === "failed" && !game.yourTurn)
      return h(
        "p",
        { class: "warning" },
        t("engineFailed"),
        " ",
        button(t("tryAgain"), () => game.resume()),
      );
    if (game.computer && engineState.value === "loading" && game.thinking.value)
      return h("p", null, t("engineLoading"));
    if (game.thinking.value) return h("p", null, t("theirTurn", { name: game.playerName(turn) }));
    return h(
      "p",
      null,
      you === "both"
        ? t("turnOf", { color: colorName(turn) })
        : you === turn
          ? t("yourTurn")
          : t("turnOf", { color: colorName(turn) }),
    );
  });

  const list = live(h("ol", { class: "moves", "aria-label": t("moves") }), () => {
    const { start, moves } = game.state.value;
    if (moves.length === 0) return h("li", { class: "quiet empty" }, t("noMoves"));
    const { san } = rules().line({ fen: start, moves });
    const first = rules().position({ fen: start });
    const offset = first.turn === "black" ? 1 : 0;
    const cell = (index: number) =>
      index < 0 || index >= san.length
        ? h("span", { class: "no-move" }, index < 0 ? "…" : "")
        : h(
            "button",
            {
              type: "button",
              class: "move",
              "aria-current": () => (ply() === index + 1 ? "true" : null),
              onclick: () => step(index + 1),
            },
            san[index]!,
          );
    const rows = [];
    for (let row = 0; row * 2 - offset < san.length; row++) {
      const index = row * 2 - offset;
      rows.push(
        h("li", null, h("span", { class: "number" }, `${first.fullmove_number + row}.`), cell(index), cell(index + 1)),
      );
    }
    return rows;
  });
  effect(() => {
    void ply();
    void game.state.value;
    // Only the list scrolls, never the page.
    requestAnimationFrame(() => {
      const mark = list.querySelector<HTMLElement>("[aria-current=true]");
      if (mark) list.scrollTop = mark.offsetTop - list.clientHeight / 2;
      else list.scrollTop = 0;
    });
  });

  const navigation = h(
    "div",
    { class: "navigation" },
    button(t("first"), () => step(0), { icon: "first", compact: true, key: "↑" }),
    button(t("previous"), () => step(peekPly() - 1), { icon: "previous", compact: true, key: "←" }),
    button(t("next"), () => step(peekPly() + 1), { icon: "next", compact: true, key: "→" }),
    button(t("last"), () => step(Infinity), { icon: "last", compact: true, key: "↓" }),
    button(
      t("flip"),
      () => {
        flipped.value = !flipped.peek();
      },
      { icon: "flip", compact: true, key: "f" },
    ),
  );

  const actions = live(h("div", { class: "actions" }), () => {
    const { end, moves } = game.state.value;
    if (end) return [];
    const canHint = game.yourTurn && !(game instanceof LinkGame);
    return [
      button(t("takeback"), () => game.takeBack(), { icon: "undo", disabled: () => !game.canTakeBack }),
      game instanceof LinkGame
        ? null
        : button(t("hint"), () => void hint(), { icon: "bulb", key: "h", disabled: () => !canHint }),
      button(t("draw"), () => void draw(), { icon: "half", disabled: () => moves.length < 2 }),
      moves.length < 2 && !(game instanceof LinkGame)
        ? button(t("abort"), () => void leave(), { icon: "close" })
        : button(t("resign"), () => void resign(), { icon: "flag" }),
    ];
  });

  const ending = live(h("div", { class: "ending" }), () => {
    const { end } = game.state.value;
    if (!end) return null;
    const winner = end.result === "1-0" ? "white" : end.result === "0-1" ? "black" : null;
    const title = winner ? t("wins", { color: colorName(winner) }) : end.result === "*" ? t("gameOver") : t("drawn");
    return h(
      "div",
      { class: "card result", role: "region", "aria-label": t("gameOver") },
      h("h2", null, `${end.result === "1/2-1/2" ? "½–½" : end.result.replace("-", "–")} · ${title}`),
      h("p", null, end.message),
      reviewCard(review.value, (index) => step(index + 1)),
      h(
        "div",
        { class: "row" },
        button(t("rematch"), rematch, { icon: "swap", class: "primary", id: "rematch" }),
        button(t("review"), () => openReview(game), { icon: "chart", id: "review" }),
        button(t("newGame"), () => void leave(), { icon: "plus", id: "new-game" }),
      ),
    );
  });

  let stopReview = () => {};
  onEnd(() => stopReview());
  effect(() => {
    const { end, moves } = game.state.value;
    if (!end) {
      // A rematch by link goes on in this view.
      stopReview();
      review.value = null;
      return;
    }
    if (moves.length < 2 || review.peek()) return;
    const controller = new AbortController();
    stopReview = () => controller.abort();
    void reviewGame(
      game.pgn(),
      { fen: game.state.peek().start, moves },
      20_000,
      (progress) => {
        review.value = progress;
      },
      controller.signal,
    ).catch(() => {});
  });

  const opening = live(h("p", { class: "opening quiet" }), () => {
    const found = game.position.value.opening;
    return found ? `${found.eco} ${found.name}` : "";
  });

  root.append(
    h("section", { class: "board-column", "aria-label": t("board") }, player(true), board, player(false)),
    h(
      "aside",
      { class: "side" },
      h(
        "div",
        { class: "card game" },
        status,
        ending,
        opening,
        list,
        navigation,
        h("form", { class: "move-form", hidden: () => game.state.value.end !== null, onsubmit: typed }, input),
        actions,
      ),
    ),
  );
  useKeys({
    ArrowLeft: () => step(peekPly() - 1),
    ArrowRight: () => step(peekPly() + 1),
    ArrowUp: () => step(0),
    ArrowDown: () => step(Infinity),
    f: () => {
      flipped.value = !flipped.peek();
    },
    h: () => void hint(),
    "/": () => input.focus(),
    b: () => board.focus(),
    "?": showHelp,
    Escape: () => {
      board.selected = null;
      board.cancelPremove();
    },
  });
  if (game.computer) engine();
  game.resume();
  onEnd(() => game.suspend());
}

function openReview(game: PlayedGame): void {
  sessionStorage.setItem("tabiya.open", game.pgn());
  navigate("#/analyse?report=1");
}

function reviewCard(review: GameReview | null, show: (index: number) => void): HTMLElement | null {
  if (!review) return null;
  if (!review.result) return h("p", { class: "quiet" }, t("reviewing", { done: review.done, all: review.all }));
  const { result } = review;
  const row = (color: Color) => {
    const side = result[color];
    const worst = result.worst[color];
    return h(
      "tr",
      null,
      h("th", { scope: "row" }, colorName(color)),
      h("td", null, accuracyText(side.accuracy_permille)),
      h(
        "td",
        null,
        worst
          ? h(
              "button",
              { type: "button", class: "move", title: worst.message, onclick: () => show(worst.ply) },
              worst.name,
            )
          : t("noMistake"),
      ),
    );
  };
  return h(
    "table",
    { class: "sides" },
    h(
      "thead",
      null,
      h("tr", null, h("td"), h("th", { scope: "col" }, t("accuracy")), h("th", { scope: "col" }, t("worstMove"))),
    ),
    h("tbody", null, row("white"), row("black")),
  );
}
