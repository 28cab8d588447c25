/** A game with a friend on the network. The server keeps it; this is a view of the server's state. */

import { announce, rules, toast } from "../app";
import { announceMove } from "../board-view";
import { START } from "../pgn";
import type { Color, Line, Position } from "../rules";
import { joinFriend, type FriendGame, type FriendState } from "../server";
import { batch, signal } from "../signal";
import { colorName, t } from "../texts";
import { gamePgn, other, type GameState, type PlayedGame } from "./game";

export class LinkGame implements PlayedGame {
  readonly state = signal<GameState>({
    id: "",
    start: START,
    moves: [],
    white: { kind: "person", name: "" },
    black: { kind: "person", name: "" },
    clock: null,
    remaining: null,
    end: null,
    you: "white",
    drawOffer: null,
  });
  readonly position = signal<Position>(rules().position({}));
  readonly thinking = signal(false);
  readonly tick = signal(0);
  readonly notice = signal(t("friendMissing"));
  readonly computer = null;
  #friend: FriendState | null = null;
  #received = 0;
  readonly #connection: FriendGame;
  readonly #timer: number;

  constructor(id: string, seat: string) {
    this.#connection = joinFriend(id, seat, {
      state: (state) => this.#update(id, state),
      error: (message) => toast(message),
      connection: (connected) => {
        this.notice.value = connected ? this.#words() : t("connectionLost");
      },
    });
    this.#timer = setInterval(() => {
      if (this.#friend?.running) this.tick.value++;
    }, 100);
  }

  get line(): Line {
    const { start, moves } = this.state.peek();
    return { fen: start, moves };
  }

  get over(): boolean {
    return this.state.peek().end !== null;
  }
  get yourTurn(): boolean {
    return !this.over && this.#friend !== null && this.#friend.turn === this.#friend.you;
  }
  get canTakeBack(): boolean {
    return this.state.value.moves.length > 0 && !this.state.value.end;
  }
  get claim(): Position["claim"] {
    return this.yourTurn ? this.position.value.claim : null;
  }

  playerName(color: Color): string {
    return this.state.peek().you === color ? t("you") : colorName(color);
  }

  rating(): string {
    return "";
  }

  remaining(color: Color): number | null {
    const friend = this.#friend;
    if (!friend?.remaining) return null;
    const spent = friend.running === color ? performance.now() - this.#received : 0;
    return Math.max(0, friend.remaining[color] - spent);
  }

  play(uci: string): void {
    const state = this.state.peek();
    const ply = state.moves.length;
    // Shown at once; the server's answer corrects it if it must.
    const moves = [...state.moves, uci];
    batch(() => {
      this.position.value = rules().position({ fen: state.start, moves });
      this.state.value = { ...state, moves };
    });
    this.#connection.act({ type: "move", uci, ply });
  }

  takeBack(): void {
    this.#ask("takeback");
  }
  resign(): void {
    this.#connection.act({ type: "resign" });
  }
  abort(): void {
    this.close();
  }
  claimDraw(): void {
    this.#connection.act({ type: "draw" });
  }
  offerDraw(): void {
    this.#ask("draw");
  }
  acceptDraw(): void {
    const friend = this.#friend;
    this.#connection.act({ type: friend?.takeback_offer === other(friend!.you) ? "takeback" : "draw" });
  }
  declineDraw(): void {
    this.#connection.act({ type: "decline" });
  }
  pgn(): string {
    return gamePgn(this);
  }
  rematch(): null {
    this.#ask("rematch");
    return null;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#connection.close();
  }

  discard(): void {
    this.close();
  }

  // The server's clock runs on.
  resume(): void {}
  suspend(): void {}

  #ask(type: "takeback" | "draw" | "rematch"): void {
    this.#connection.act({ type });
    toast(t("offerSent"));
  }

  #words(): string {
    const friend = this.#friend;
    if (!friend) return t("friendMissing");
    const them = other(friend.you);
    const name = colorName(them);
    if (!friend.present[them]) return t("friendMissing");
    if (friend.takeback_offer === them) return t("takebackOffered", { name });
    if (friend.draw_offer === them) return t("drawOffered", { name });
    if (friend.rematch_offer === them) return `${name}: ${t("rematch")}?`;
    return "";
  }

  #update(id: string, friend: FriendState): void {
    const before = this.state.peek().moves;
    this.#friend = friend;
    this.#received = performance.now();
    const them = other(friend.you);
    const position = rules().position({ fen: friend.start, moves: friend.moves });
    batch(() => {
      this.position.value = position;
      this.state.value = {
        ...this.state.peek(),
        id,
        start: friend.start,
        moves: friend.moves,
        clock: friend.clock,
        remaining: friend.remaining,
        end: friend.end,
        you: friend.you,
        drawOffer: friend.draw_offer === them || friend.takeback_offer === them ? them : null,
      };
      this.notice.value = this.#words();
    });
    if (friend.moves.length > before.length) announceMove(position);
    if (friend.end) announce(friend.end.message);
  }
}
