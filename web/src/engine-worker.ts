/// <reference lib="webworker" />
/**
 * The worker that runs the engine as WebAssembly. It gets one `EngineRequest` after another and answers as the server's
 * socket does. While a search runs, messages wait: only the flag in shared memory reaches it.
 */

import type { EngineRequest, EngineResponse, WorkerStart } from "./engine";

interface Exports {
  memory: WebAssembly.Memory;
  allocate(length: number): number;
  /** Takes the network's bytes and the megabytes of the hash table, and returns an answer. */
  start(address: number, length: number, hash: number): number;
  /** Runs a request to its end. It calls `emit` for every answer. */
  run(address: number, length: number): void;
}

const scope = self as unknown as DedicatedWorkerGlobalScope;
const decoder = new TextDecoder();
const encoder = new TextEncoder();
let engine: Exports | null = null;

function post(message: EngineResponse): void {
  scope.postMessage(message);
}

function send(exports: Exports, bytes: Uint8Array): [number, number] {
  const address = exports.allocate(bytes.length);
  new Uint8Array(exports.memory.buffer, address, bytes.length).set(bytes);
  return [address, bytes.length];
}

async function start(message: WorkerStart): Promise<void> {
  const flag = message.flag && new Int32Array(message.flag);
  let exports: Exports | null = null;
  const imports = {
    tabiya: {
      /** Milliseconds since some fixed moment. */
      now: () => performance.now(),
      /** The last request that is over. */
      stopped: () => (flag ? Atomics.load(flag, 0) : 0),
      /** An answer as JSON. */
      emit: (address: number, length: number) => {
        if (!exports) return;
        const bytes = new Uint8Array(exports.memory.buffer, address, length);
        // The decoder takes no shared memory, and this memory is not shared.
        post(JSON.parse(decoder.decode(bytes)) as EngineResponse);
      },
    },
  };
  const load = async (url: string) => {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url}: ${response.status}`);
    return response;
  };
  const [module, network] = await Promise.all([
    WebAssembly.instantiateStreaming(load(message.wasm), imports),
    load(message.network).then((response) => response.arrayBuffer()),
  ]);
  exports = module.instance.exports as unknown as Exports;
  const [address, length] = send(exports, new Uint8Array(network));
  exports.start(address, length, message.hash);
  engine = exports;
}

let waiting: Promise<void> = Promise.resolve();

scope.onmessage = (event: MessageEvent<WorkerStart | EngineRequest>) => {
  const message = event.data;
  if (message.type === "start") {
    waiting = start(message).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      post({ type: "error", id: null, message: `The engine could not be loaded (${reason}).` });
    });
    return;
  }
  void waiting.then(() => {
    if (!engine) return;
    const [address, length] = send(engine, encoder.encode(JSON.stringify(message)));
    engine.run(address, length);
  });
};
