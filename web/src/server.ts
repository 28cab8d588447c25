/**
 * What only `tabiya serve` can do: keep games on disk, and let a friend on the network play. The rest of the page works
 * without it.
 *
 * The page is told where it runs by `<meta name="tabiya" content="server">`; `web/build-site` writes `site` instead.
 */

import type { Color, Line } from "./rules";

export type Mode = "server" | "site";

export function mode(): Mode {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="tabiya"]');
  return meta?.content === "site" ? "site" : "server";
}

export type GamePlayer = { kind: "person"; name: string } | { kind: "computer"; level: number };

export interface GameClock {
  /** Milliseconds at the start and for each move. */
  base: number;
  increment: number;
}

/** How a game ended. */
export interface GameEnd {
  result: "1-0" | "0-1" | "1/2-1/2" | "*";
  /** "White resigned.", "Checkmate: Black wins." */
  message: string;
}

/** A game in progress, as the server keeps it: the same record that `tabiya play --resume` continues. */
export interface SavedGame {
  id: string;
  start: string;
  moves: string[];
  white: GamePlayer;
  black: GamePlayer;
  clock: GameClock | null;
  /** Milliseconds left, if there is a clock. */
  remaining: { white: number; black: number } | null;
  end: GameEnd | null;
}

export type SavedGameInput = Omit<SavedGame, "id" | "end"> & {
  end?: { kind: "resigned" | "timeout" | "agreed" | "claimed" | "aborted"; loser?: Color } | null;
};

export class ServerError extends Error {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

async function request<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  const response = await fetch(path, {
    method,
    signal,
    headers: body === undefined ? {} : { "Content-Type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const answer: unknown = response.status === 204 ? null : await response.json();
  if (!response.ok) {
    const { error } = answer as { error: { message: string } };
    throw new ServerError(error.message, response.status);
  }
  return answer as T;
}

/** Unfinished games, the most recent first. */
export async function listGames(): Promise<SavedGame[]> {
  return (await request<{ games: SavedGame[] }>("GET", "/api/games")).games;
}

/** Keeps a game as it stands; call it after every change. A game with an `end` moves to the collection. */
export function saveGame(id: string, game: SavedGameInput): Promise<SavedGame> {
  return request("PUT", `/api/games/${encodeURIComponent(id)}`, game);
}

/** Forgets an unfinished game. */
export function deleteGame(id: string): Promise<void> {
  return request("DELETE", `/api/games/${encodeURIComponent(id)}`);
}

/** What was played in a position by the games of the archive. */
export interface Explored {
  /** The games that had the position. */
  games: number;
  /** The most frequent first; the games that end here come last. */
  moves: ExploredMove[];
  top: ExploredGame[];
  recent: ExploredGame[];
}

export interface ExploredMove {
  /** `null` for the games that end here. */
  uci: string | null;
  san: string | null;
  games: number;
  white_wins: number;
  draws: number;
  black_wins: number;
  /** Games without a result. */
  unknown: number;
  average_rating: number | null;
  /** As PGN writes days: `2024.05.31`. */
  last_played: string | null;
}

export interface ExploredGame {
  game_id: number;
  tags: [string, string][];
}

/** The name of the archive that `tabiya serve --archive` has opened, if there is one. */
export async function archiveName(): Promise<string | null> {
  return (await request<{ archive: string | null }>("GET", "/api")).archive;
}

/** What was played in a position; 404 if no archive is open. */
export function explore(line: Line, signal: AbortSignal): Promise<Explored> {
  return request("POST", "/api/explore", line, signal);
}

/** A game with a friend on the network. The server keeps the board and the clock; both pages are views of it. */
export interface FriendState {
  you: Color;
  start: string;
  moves: string[];
  turn: Color;
  /** Who is connected. */
  present: { white: boolean; black: boolean };
  clock: GameClock | null;
  /** Milliseconds left at the time of the message. */
  remaining: { white: number; black: number } | null;
  /** Whose clock runs. */
  running: Color | null;
  draw_offer: Color | null;
  takeback_offer: Color | null;
  rematch_offer: Color | null;
  end: GameEnd | null;
}

export interface FriendInvitation {
  id: string;
  /** Opens this side's seat. */
  seat: string;
  /** The address for the friend. `null` if the server only listens to this computer: start it with `--host`. */
  link: string | null;
}

export function inviteFriend(setup: {
  color: Color | "random";
  start?: string;
  clock?: GameClock | null;
}): Promise<FriendInvitation> {
  return request("POST", "/api/friends", setup);
}

export type FriendAction =
  | { type: "move"; uci: string; /** Plies played before it: a stale move is refused. */ ply: number }
  | { type: "resign" }
  /** Claims a draw, accepts the friend's offer, or offers one. */
  | { type: "draw" }
  | { type: "takeback" }
  /** Declines what the friend offers. */
  | { type: "decline" }
  | { type: "rematch" };

export interface FriendGame {
  act(action: FriendAction): void;
  close(): void;
}

/** Takes a seat. A lost connection is tried again. */
export function joinFriend(
  id: string,
  seat: string,
  events: {
    state(state: FriendState): void;
    error(message: string): void;
    connection(connected: boolean): void;
  },
): FriendGame {
  const url = new URL(`/api/friends/${encodeURIComponent(id)}/socket`, location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  url.searchParams.set("seat", seat);
  let socket: WebSocket | null = null;
  let timer = 0;
  let closed = false;
  /** What was done while the connection was lost. A move that has become stale is refused by its ply. */
  let waiting: FriendAction[] = [];
  const connect = () => {
    socket = new WebSocket(url);
    socket.onopen = () => {
      events.connection(true);
      const actions = waiting;
      waiting = [];
      for (const action of actions) socket?.send(JSON.stringify(action));
    };
    socket.onmessage = (event) => {
      const message = JSON.parse(event.data as string) as
        ({ type: "state" } & FriendState) | { type: "error"; message: string };
      if (message.type === "state") events.state(message);
      else events.error(message.message);
    };
    socket.onclose = () => {
      socket = null;
      if (closed) return;
      events.connection(false);
      timer = setTimeout(connect, 1000);
    };
  };
  connect();
  return {
    act(action) {
      if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(action));
      else waiting.push(action);
    },
    close() {
      closed = true;
      clearTimeout(timer);
      socket?.close();
    },
  };
}
