/** A game on this page: against the computer, or two people at one board. The view only shows it. */

import { announce, engine, rules, toast } from "../app";
import { announceMove } from "../board-view";
import { EngineError } from "../engine";
import { linePgn, today } from "../pgn";
import type { Color, Line, Position } from "../rules";
import {
  deleteGame,
  mode,
  saveGame,
  type GameClock,
  type GameEnd,
  type GamePlayer,
  type SavedGame,
  type SavedGameInput,
} from "../server";
import { load, store } from "../settings";
import { batch, signal, type Signal } from "../signal";
import { claimText, colorName, levelName, outcomeText, RATINGS, t } from "../texts";
import { accepts, pointsFor, Temper } from "./temper";

export const other = (color: Color): Color => (color === "white" ? "black" : "white");

export interface GameSetup {
  start: string;
  white: GamePlayer;
  black: GamePlayer;
  clock: GameClock | null;
}

export interface GameState extends SavedGame {
  /** The side the person sees from; both people sit at one board if there is no computer. */
  you: Color | "both";
  drawOffer: Color | null;
}

/** What the view needs of a game, wherever it is kept. */
export interface PlayedGame {
  readonly state: Signal<GameState>;
  readonly position: Signal<Position>;
  readonly thinking: Signal<boolean>;
  readonly tick: Signal<number>;
  /** A sentence about the other side: gone, asking for something. */
  readonly notice: Signal<string>;
  readonly line: Line;
  readonly computer: { color: Color; level: number } | null;
  readonly over: boolean;
  readonly yourTurn: boolean;
  readonly canTakeBack: boolean;
  readonly claim: Position["claim"];
  playerName(color: Color): string;
  rating(color: Color): string;
  remaining(color: Color): number | null;
  play(uci: string): void;
  takeBack(): void;
  resign(): void;
  abort(): void;
  claimDraw(): void;
  offerDraw(): void;
  acceptDraw(): void;
  declineDraw(): void;
  pgn(): string;
  /** A new game, or nothing if the other side must agree first. */
  rematch(): PlayedGame | null;
  resume(): void;
  suspend(): void;
  close(): void;
  discard(): void;
}

type EndKind = NonNullable<SavedGameInput["end"]>;

export function gamePgn(game: PlayedGame): string {
  const { start, moves, end, clock } = game.state.peek();
  const tags: [string, string][] = [
    ["Event", "Casual game"],
    ["Site", "?"],
    ["Date", today()],
    ["Round", "-"],
    ["White", game.playerName("white")],
    ["Black", game.playerName("black")],
    ["Result", end?.result ?? "*"],
  ];
  if (clock) tags.push(["TimeControl", `${clock.base / 1000}+${clock.increment / 1000}`]);
  return linePgn(start, moves, tags, end?.result ?? "*");
}

export class Game implements PlayedGame {
  readonly state = signal<GameState>(null!);
  readonly position = signal<Position>(null!);
  /** The computer searches. */
  readonly thinking = signal(false);
  /** Rises with every tick of the clock. */
  readonly tick = signal(0);
  readonly notice = signal("");
  #since: number | null = null;
  #timer = 0;
  readonly #temper: Temper;
  #closed = false;

  constructor(saved: GameState) {
    this.state.value = saved;
    this.#temper = new Temper(saved.moves.length);
    this.position.value = rules().position(this.line);
    const pause = () => {
      if (this.#closed || this.over) return;
      this.#bank();
      this.#keep();
    };
    addEventListener("pagehide", pause);
    this.#timer = setInterval(() => this.#onTick(), 100);
    this.#stopListening = () => removeEventListener("pagehide", pause);
  }

  readonly #stopListening: () => void;

  static start(setup: GameSetup): Game {
    const computer = setup.white.kind === "computer" ? "white" : setup.black.kind === "computer" ? "black" : null;
    engine().newGame();
    const game = new Game({
      ...setup,
      id: crypto.randomUUID?.() ?? `${Date.now()}-${Math.random().toString(36).slice(2)}`,
      moves: [],
      remaining: setup.clock ? { white: setup.clock.base, black: setup.clock.base } : null,
      end: null,
      you: computer ? other(computer) : "both",
      drawOffer: null,
    });
    game.#keep();
    return game;
  }

  /** The game that was being played when the page was left. */
  static restore(): Game | null {
    const saved = load<GameState>("game");
    if (!saved || !Array.isArray(saved.moves)) return null;
    const checked = rules().tryPosition({ fen: saved.start, moves: saved.moves });
    return checked.ok ? new Game(saved) : null;
  }

  static fromServer(saved: SavedGame): Game {
    const computer = saved.white.kind === "computer" ? "white" : saved.black.kind === "computer" ? "black" : null;
    const game = new Game({ ...saved, you: computer ? other(computer) : "both", drawOffer: null });
    game.#keep();
    return game;
  }

  get line(): Line {
    const { start, moves } = this.state.peek();
    return { fen: start, moves };
  }

  get computer(): { color: Color; level: number } | null {
    const { white, black } = this.state.peek();
    if (white.kind === "computer") return { color: "white", level: white.level };
    if (black.kind === "computer") return { color: "black", level: black.level };
    return null;
  }

  playerName(color: Color): string {
    const player = this.state.peek()[color];
    if (player.kind === "computer") return levelName(player.level);
    return player.name || (this.state.peek().you === color ? t("you") : colorName(color));
  }

  rating(color: Color): string {
    const player = this.state.peek()[color];
    if (player.kind !== "computer") return "";
    const rating = RATINGS[player.level - 1];
    return rating ? String(rating) : "";
  }

  get over(): boolean {
    return this.state.peek().end !== null;
  }

  /** Whether a person at this board is to move. */
  get yourTurn(): boolean {
    const { you } = this.state.peek();
    return !this.over && (you === "both" || you === this.position.peek().turn);
  }

  play(uci: string): void {
    if (this.over) return;
    const { turn } = this.position.peek();
    this.#bank();
    const state = this.state.peek();
    const remaining = state.remaining && { ...state.remaining };
    if (remaining && state.clock && this.#clockCounts()) remaining[turn] += state.clock.increment;
    const moves = [...state.moves, uci];
    const position = rules().position({ fen: state.start, moves });
    batch(() => {
      this.position.value = position;
      // Any move declines a draw.
      this.state.value = { ...state, moves, remaining, drawOffer: state.drawOffer === turn ? turn : null };
    });
    announceMove(position);
    if (position.outcome)
      this.#finish({ result: position.outcome.result, message: outcomeText(position.outcome) }, null);
    else {
      this.#keep();
      this.#runClock();
      void this.#computerMoves();
    }
  }

  /** The game is on the screen again: its clock runs and the computer thinks. */
  resume(): void {
    this.#runClock();
    void this.#computerMoves();
  }

  /** The page shows something else, which may need the engine. */
  suspend(): void {
    if (this.#closed || this.over) return;
    this.#bank();
    this.#stopThinking();
    this.#keep();
  }

  get canTakeBack(): boolean {
    const { moves, you } = this.state.value;
    if (this.state.value.end) return false;
    const turn = this.position.value.turn;
    return you === "both" || you === turn ? moves.length >= (you === "both" ? 1 : 2) : moves.length >= 1;
  }

  /** Takes back to the person's last turn. */
  takeBack(): void {
    if (!this.canTakeBack) return;
    const state = this.state.peek();
    const { turn } = this.position.peek();
    const plies = state.you === "both" ? 1 : state.you === turn ? 2 : 1;
    this.#stopThinking();
    this.#bank();
    const moves = state.moves.slice(0, -plies);
    batch(() => {
      this.position.value = rules().position({ fen: state.start, moves });
      this.state.value = { ...this.state.peek(), moves, drawOffer: null };
    });
    announce(t("takeback"));
    this.#keep();
    this.#runClock();
    void this.#computerMoves();
  }

  resign(): void {
    const { you } = this.state.peek();
    const loser = you === "both" ? this.position.peek().turn : you;
    this.#lose(loser, "resigned", t("resigned", { color: colorName(loser) }));
  }

  abort(): void {
    this.#finish({ result: "*", message: t("aborted") }, { kind: "aborted" });
  }

  get claim(): Position["claim"] {
    return this.yourTurn ? this.position.value.claim : null;
  }

  claimDraw(): void {
    const reason = this.position.peek().claim;
    if (reason)
      this.#finish({ result: "1/2-1/2", message: t("claimed", { reason: claimText(reason) }) }, { kind: "claimed" });
  }

  acceptDraw(): void {
    this.#finish({ result: "1/2-1/2", message: t("agreed") }, { kind: "agreed" });
  }

  declineDraw(): void {
    this.state.value = { ...this.state.peek(), drawOffer: null };
  }

  /** Offers a draw: the computer answers; two people at one board have agreed already. */
  offerDraw(): void {
    const { you, drawOffer, moves, start } = this.state.peek();
    if (you === "both" || (drawOffer && drawOffer !== you)) {
      this.acceptDraw();
      return;
    }
    const isCurrent = () => !this.#closed && !this.over && this.state.peek().moves === moves;
    if (this.thinking.peek()) {
      toast(t("drawDeclined"));
      return;
    }
    const search = engine().think({ fen: start, moves, limits: { nodes: 20_000 } });
    search.best
      .then(({ info }) => {
        if (!isCurrent()) return;
        if (info && accepts(pointsFor(other(you), info.eval), this.position.peek())) this.acceptDraw();
        else toast(t("drawDeclined"));
      })
      .catch((error: unknown) => {
        if (isCurrent() && !(error instanceof EngineError && error.replaced)) toast(t("drawDeclined"));
      });
  }

  /** The time left, as it runs. */
  remaining(color: Color): number | null {
    const { remaining } = this.state.peek();
    if (!remaining) return null;
    const running = this.#since !== null && this.position.peek().turn === color;
    return Math.max(0, remaining[color] - (running ? performance.now() - this.#since! : 0));
  }

  pgn(): string {
    return gamePgn(this);
  }

  /** The same players with colours swapped. In Chess960, another position would be another game: the same stays. */
  rematch(): Game {
    const { start, white, black, clock } = this.state.peek();
    this.close();
    return Game.start({ start, white: black, black: white, clock });
  }

  close(): void {
    this.#closed = true;
    this.#stopThinking();
    clearInterval(this.#timer);
    this.#stopListening();
  }

  /** Forgets the game: the next visit begins a new one. */
  discard(): void {
    const { id, end } = this.state.peek();
    this.close();
    store("game", null);
    if (!end && mode() === "server") deleteGame(id).catch(() => {});
  }

  #lose(loser: Color, kind: EndKind["kind"], message: string): void {
    this.#finish(
      {
        result: loser === "white" ? "0-1" : "1-0",
        message: `${message} ${t("wins", { color: colorName(other(loser)) })}.`,
      },
      { kind, loser },
    );
  }

  #finish(end: GameEnd, kind: EndKind | null): void {
    if (this.over) return;
    this.#stopThinking();
    this.#bank();
    this.state.value = { ...this.state.peek(), end };
    this.#keep(kind);
    if (end.result !== "*") {
      const finished = load<string[]>("finished") ?? [];
      store("finished", [...finished, this.pgn()].slice(-200));
    }
    announce(end.message);
  }

  /** Adds the time since the clock started to the mover's account, and stops the clock. */
  #bank(): void {
    if (this.#since === null) return;
    const state = this.state.peek();
    const { turn } = this.position.peek();
    const left = this.remaining(turn);
    this.#since = null;
    if (state.remaining && left !== null)
      this.state.value = { ...state, remaining: { ...state.remaining, [turn]: left } };
  }

  /** The first move of each side is free, as on most servers. */
  #clockCounts(): boolean {
    return this.state.peek().moves.length >= 2;
  }

  #runClock(): void {
    this.#since = this.state.peek().clock && this.#clockCounts() && !this.over ? performance.now() : null;
  }

  #onTick(): void {
    if (this.#since === null) return;
    this.tick.value++;
    const { turn, mating_material } = this.position.peek();
    if (this.remaining(turn)! > 0) return;
    if (!mating_material[other(turn)])
      this.#finish(
        { result: "1/2-1/2", message: t("outOfTimeDraw", { color: colorName(turn) }) },
        { kind: "timeout", loser: turn },
      );
    else this.#lose(turn, "timeout", t("outOfTime", { color: colorName(turn) }));
  }

  #stopThinking(): void {
    if (!this.thinking.peek()) return;
    this.thinking.value = false;
    engine().stop();
  }

  async #computerMoves(): Promise<void> {
    const { computer } = this;
    const { moves, start, clock, remaining } = this.state.peek();
    if (!computer || this.over || this.position.peek().turn !== computer.color || this.#closed || this.thinking.peek())
      return;
    const isCurrent = () => !this.#closed && !this.over && this.state.peek().moves === moves;
    this.thinking.value = true;
    const began = performance.now();
    const limits =
      clock && remaining && moves.length >= 2
        ? { clock: { remaining: Math.max(1, Math.round(remaining[computer.color])), increment: clock.increment } }
        : { movetime: 2000 };
    try {
      const best = await engine().think({ fen: start, moves, level: computer.level, limits }).best;
      // A reply in no time at all looks like a jump of one's own piece.
      const pause = 300 - (performance.now() - began);
      if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
      if (!isCurrent() || !this.thinking.peek()) return;
      this.thinking.value = false;
      if (best.uci === null) return;
      this.#temper.update(best.info ? pointsFor(computer.color, best.info.eval) : null);
      if (this.#temper.resigns(computer.level))
        this.#lose(computer.color, "resigned", t("resigned", { color: colorName(computer.color) }));
      else if (this.#temper.claims(this.position.peek())) this.claimDraw();
      else {
        this.play(best.uci);
        const { moves: played, drawOffer } = this.state.peek();
        if (!this.over && !drawOffer && this.#temper.offers(this.position.peek(), played.length)) {
          this.state.value = { ...this.state.peek(), drawOffer: computer.color };
          announce(t("drawOffered", { name: this.playerName(computer.color) }));
        }
      }
    } catch (error) {
      if (!isCurrent()) return;
      this.thinking.value = false;
      if (error instanceof EngineError && error.replaced) return;
      toast(error instanceof Error ? error.message : String(error));
    }
  }

  /** `kind` is an end that the moves do not show. */
  #keep(kind: EndKind | null = null): void {
    const state = this.state.peek();
    store("game", state);
    if (mode() !== "server") return;
    const { id, start, moves, white, black, clock, remaining } = state;
    // The browser has it too, so a server that is away loses nothing: the next move brings it up to date.
    saveGame(id, {
      start,
      moves,
      white,
      black,
      clock,
      remaining: remaining && { white: Math.round(remaining.white), black: Math.round(remaining.black) },
      end: kind,
    }).catch(() => {});
  }
}
