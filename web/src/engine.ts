/**
 * The engine for the page: one interface with two ends. A `WebSocket` leads to the native engine of `tabiya serve`; a
 * `Worker` runs the engine as WebAssembly. Both speak the same messages, so nothing else in the page knows which it is.
 *
 * A client has one search at a time: a new one stops the one before. Answers to requests that are over never arrive.
 */

import type { Eval } from "./rules";

export interface Limits {
  depth?: number;
  nodes?: number;
  /** Milliseconds for this move. */
  movetime?: number;
  /** The game clock of the side to move, in milliseconds: the engine decides how much of it to use. */
  clock?: { remaining: number; increment: number };
}

export interface ThinkRequest {
  /** The starting position; the usual one if it is missing. */
  fen?: string;
  /** Moves in UCI notation. */
  moves?: string[];
  /** Without limits the search runs until it is stopped. */
  limits?: Limits;
  /** How many best lines to find, 1 to 5. */
  multipv?: number;
  /** A playing level from 1 to 10, with its opening book; full strength without a book if it is missing. */
  level?: number;
  /** Decides what a level leaves to chance: give each game another whole number. */
  seed?: number;
}

/** One of the best lines so far. */
export interface SearchInfo {
  multipv: number;
  depth: number;
  seldepth: number;
  /** For White. */
  eval: Eval;
  /** Whether the true evaluation may be higher or lower for White. */
  bound?: "at_least" | "at_most";
  /** Expected shares of White wins, draws and Black wins; they add up to 1. */
  wdl: { white: number; draw: number; black: number };
  nodes: number;
  nps: number;
  /** Milliseconds. */
  time: number;
  /** How full the hash table is, in thousandths. */
  hashfull: number;
  /** The line in UCI notation, and in SAN. */
  uci: string[];
  san: string[];
}

export interface BestMove {
  /** `null` if there is no legal move. */
  uci: string | null;
  san: string | null;
  info: SearchInfo | null;
}

/** A good move and why it is good. */
export interface HintAnswer {
  uci: string | null;
  san: string | null;
  /** "Nxe5 wins a pawn: …" A whole sentence. */
  message: string;
}

/** What the exhaustive prover says about a mate. */
export interface MateAnswer {
  verdict: "mate" | "no mate" | "unknown";
  /** Moves to mate. */
  moves: number | null;
  uci: string[];
  san: string[];
  message: string;
}

/** From the page. */
export type EngineRequest =
  | ({ type: "think"; id: number } & ThinkRequest)
  | { type: "hint"; id: number; fen?: string; moves?: string[] }
  | { type: "mate"; id: number; fen?: string; moves?: string[]; mate: number }
  | { type: "stop"; id: number }
  | { type: "new_game"; id: number };

/** To the page. */
export type EngineResponse =
  | { type: "ready"; engine: EngineDescription }
  | { type: "info"; id: number; info: SearchInfo }
  | ({ type: "best"; id: number } & BestMove)
  | ({ type: "hint"; id: number } & HintAnswer)
  | ({ type: "mate"; id: number } & MateAnswer)
  | { type: "error"; id: number | null; message: string };

export interface EngineDescription {
  /** "native" for the server's, "browser" for the worker's. */
  kind: "native" | "browser";
  name: string;
  threads: number;
  /** Megabytes of the hash table. */
  hash: number;
}

/** Where the engine is. `waiting` means that the connection is lost and being tried again. */
export type EngineState = "loading" | "ready" | "waiting" | "failed";

/** One end: it carries messages and says when it lives. */
interface Port {
  post(message: EngineRequest): void;
  /** Ends requests up to this one, where messages do not reach a search that runs. */
  interrupt(id: number): void;
  /** Starts anew after a failure. */
  retry(): void;
  close(): void;
}

interface PortEvents {
  message(message: EngineResponse): void;
  state(state: EngineState, message?: string): void;
}

type OpenPort = (events: PortEvents) => Port;

/** A search that runs. */
export interface Search {
  readonly id: number;
  /** The best move, once the search has ended by itself or was stopped. Rejects if another request replaced it. */
  readonly best: Promise<BestMove>;
  /** Ends the search; `best` still resolves with the best move so far. */
  stop(): void;
}

/** Thrown into promises whose request another one replaced, or whose engine went away. */
export class EngineError extends Error {
  constructor(
    message: string,
    readonly replaced = false,
  ) {
    super(message);
  }
}

interface Pending {
  request: Extract<EngineRequest, { id: number }>;
  info?: (info: SearchInfo) => void;
  resolve: (answer: never) => void;
  reject: (error: EngineError) => void;
}

export class Engine {
  readonly #port: Port;
  #nextId = 1;
  #pending: Pending | null = null;
  #state: EngineState = "loading";
  #description: EngineDescription | null = null;
  /** Called when the engine becomes ready, goes away or comes back. */
  onstate: (state: EngineState, message?: string) => void = () => {};

  constructor(open: OpenPort) {
    this.#port = open({
      message: (message) => this.#receive(message),
      state: (state, message) => this.#setState(state, message),
    });
  }

  get state(): EngineState {
    return this.#state;
  }

  get description(): EngineDescription | null {
    return this.#description;
  }

  /** Searches a position. `info` is called about ten times a second, with each of the best lines. */
  think(request: ThinkRequest, info: (info: SearchInfo) => void = () => {}): Search {
    const id = this.#nextId++;
    const best = this.#send<BestMove>({ type: "think", id, ...request }, info);
    return { id, best, stop: () => this.stop(id) };
  }

  /** Finds a good move and says why it is good. */
  hint(line: { fen?: string; moves?: string[] }): Promise<HintAnswer> {
    return this.#send<HintAnswer>({ type: "hint", id: this.#nextId++, ...line });
  }

  /** Proves or refutes a mate in so many moves by the side to move. */
  mate(line: { fen?: string; moves?: string[] }, moves: number): Promise<MateAnswer> {
    return this.#send<MateAnswer>({ type: "mate", id: this.#nextId++, ...line, mate: moves });
  }

  /** Ends a request, or whatever runs. */
  stop(id = this.#pending?.request.id): void {
    if (id === undefined || this.#pending?.request.id !== id) return;
    this.#port.interrupt(id);
    this.#port.post({ type: "stop", id });
  }

  /** Forgets what earlier searches learnt. */
  newGame(): void {
    this.stop();
    this.#drop("Another request replaced this one.", true);
    this.#port.post({ type: "new_game", id: this.#nextId++ });
  }

  close(): void {
    this.#drop("The engine was closed.");
    this.#port.close();
  }

  #send<T>(request: Extract<EngineRequest, { id: number }>, info?: (info: SearchInfo) => void): Promise<T> {
    this.stop();
    this.#drop("Another request replaced this one.", true);
    return new Promise<T>((resolve, reject) => {
      this.#pending = { request, info, resolve: resolve as (answer: never) => void, reject };
      // Otherwise it is sent when the engine is ready.
      if (this.#state === "ready") this.#port.post(request);
      else if (this.#state === "failed") {
        this.#setState("loading");
        this.#port.retry();
      }
    });
  }

  #drop(message: string, replaced = false): void {
    const pending = this.#pending;
    this.#pending = null;
    pending?.reject(new EngineError(message, replaced));
  }

  #setState(state: EngineState, message?: string): void {
    this.#state = state;
    if (state === "ready" && this.#pending) this.#port.post(this.#pending.request);
    if (state === "failed") this.#drop(message ?? "The engine cannot be reached.");
    this.onstate(state, message);
  }

  #receive(message: EngineResponse): void {
    if (message.type === "ready") {
      this.#description = message.engine;
      this.#setState("ready");
      return;
    }
    const pending = this.#pending;
    if (message.type === "error" && message.id === null) {
      this.#drop(message.message);
      return;
    }
    // A stale answer: its request was replaced.
    if (!pending || message.id !== pending.request.id) return;
    if (message.type === "info") {
      pending.info?.(message.info);
      return;
    }
    this.#pending = null;
    if (message.type === "error") {
      pending.reject(new EngineError(message.message));
    } else {
      pending.resolve(message as never);
    }
  }
}

const RETRY_MS = [250, 500, 1000, 2000, 5000];

/** The native engine of `tabiya serve`. A lost connection is tried again, and the running request repeated. */
function openSocket(url: string | URL): OpenPort {
  return (events) => {
    let socket: WebSocket | null = null;
    let attempt = 0;
    let timer = 0;
    let closed = false;
    const connect = () => {
      socket = new WebSocket(url);
      socket.onmessage = (event) => {
        attempt = 0;
        events.message(JSON.parse(event.data as string) as EngineResponse);
      };
      socket.onclose = () => {
        socket = null;
        if (closed) return;
        events.state("waiting", "The connection to the server is lost. Trying again…");
        timer = setTimeout(connect, RETRY_MS[Math.min(attempt++, RETRY_MS.length - 1)]);
      };
    };
    connect();
    return {
      post(message) {
        if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
      },
      interrupt() {},
      // It never gives up by itself.
      retry() {},
      close() {
        closed = true;
        clearTimeout(timer);
        socket?.close();
      },
    };
  };
}

/** What the worker needs to begin. */
export interface WorkerStart {
  type: "start";
  wasm: string;
  network: string;
  /** The stop flag: requests up to this 32-bit number are over. Missing where memory cannot be shared. */
  flag: SharedArrayBuffer | null;
  /** Megabytes of the hash table. */
  hash: number;
}

/** The engine as WebAssembly in a worker. */
function openWorker(files: EngineFiles): OpenPort {
  return (events) => {
    const isolated = typeof SharedArrayBuffer !== "undefined" && globalThis.crossOriginIsolated;
    const flag = isolated ? new SharedArrayBuffer(4) : null;
    const cell = flag && new Int32Array(flag);
    let worker: Worker;
    let last: { id: number; info: SearchInfo } | null = null;
    const start = () => {
      worker = new Worker(files.worker, { type: "module", name: "engine" });
      worker.onmessage = (event) => {
        const message = event.data as EngineResponse;
        if (message.type === "info" && message.info.multipv === 1) last = message;
        if (message.type === "error" && message.id === null) events.state("failed", message.message);
        else events.message(message);
      };
      worker.onerror = (event) => {
        event.preventDefault();
        events.state("failed", "The engine could not be started.");
      };
      const message: WorkerStart = {
        type: "start",
        wasm: String(files.wasm),
        network: String(files.network),
        flag,
        hash: files.hash ?? 16,
      };
      worker.postMessage(message);
    };
    start();
    return {
      post(message) {
        if (message.type !== "stop") worker.postMessage(message);
      },
      interrupt(id) {
        if (cell) {
          Atomics.store(cell, 0, id);
          return;
        }
        // Without shared memory nothing reaches a search that runs: end the worker and start another.
        worker.terminate();
        const info = last?.id === id ? last.info : null;
        const [uci = null] = info?.uci ?? [];
        const [san = null] = info?.san ?? [];
        events.message({ type: "best", id, uci, san, info });
        events.state("loading");
        start();
      },
      retry() {
        worker.terminate();
        start();
      },
      close() {
        worker.terminate();
      },
    };
  };
}

export interface EngineFiles {
  worker: string | URL;
  wasm: string | URL;
  network: string | URL;
  hash?: number;
}

/** Where the page gets its engine from: the server's socket, or the files of the static site. */
export type EngineSource = { socket: string | URL } | EngineFiles;

export function openEngine(source: EngineSource): Engine {
  return new Engine("socket" in source ? openSocket(source.socket) : openWorker(source));
}
