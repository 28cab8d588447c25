// Runs the engine's WebAssembly in Node, and compares it with the native engine.
//
//   node crates/wasm/tests/engine.mjs FOLDER [TABIYA]
//
// FOLDER is what web/build-site --engine wrote; TABIYA is the native command, for its bench count.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const [folder, tabiya] = process.argv.slice(2);
const BENCH_DEPTH = 12;

/** Starts an engine whose answers are collected. `stopped` is the last request that is over. */
async function start(network) {
  const answers = [];
  const engine = { answers, stopped: 0, polls: 0 };
  const imports = {
    tabiya: {
      now: () => performance.now(),
      stopped: () => {
        engine.polls++;
        return engine.onpoll?.() ?? engine.stopped;
      },
      emit: (address, length) => {
        const bytes = new Uint8Array(engine.exports.memory.buffer, address, length);
        answers.push(JSON.parse(new TextDecoder().decode(bytes)));
      },
    },
  };
  const { instance } = await WebAssembly.instantiate(readFileSync(join(folder, "engine.wasm")), imports);
  engine.exports = instance.exports;
  const send = (bytes) => {
    const address = engine.exports.allocate(bytes.length);
    new Uint8Array(engine.exports.memory.buffer, address, bytes.length).set(bytes);
    return [address, bytes.length];
  };
  engine.ask = (request) => {
    answers.length = 0;
    const text = typeof request === "string" ? request : JSON.stringify(request);
    engine.exports.run(...send(new TextEncoder().encode(text)));
    return answers.at(-1);
  };
  engine.exports.start(...send(network), 16);
  return engine;
}

const network = readFileSync(join(folder, "network.nn"));

// A damaged network is refused, and does not trap.
const broken = await start(network.subarray(0, 1000));
assert.equal(broken.answers.at(-1).type, "error");

const engine = await start(network);
assert.equal(engine.answers.at(-1).type, "ready");
assert.equal(engine.answers.at(-1).engine.kind, "browser");

const mate = engine.ask({ type: "think", id: 1, fen: "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", limits: { depth: 6 } });
assert.equal(mate.san, "Rd8#");
assert.deepEqual(mate.info.eval, { mate: 1 });

// The flag stops a search without limits.
engine.polls = 0;
engine.onpoll = () => (engine.polls > 20 ? 2 : 1);
const stopped = engine.ask({ type: "think", id: 2, multipv: 3 });
assert.equal(stopped.type, "best");
assert.ok(stopped.uci);
engine.onpoll = undefined;
engine.stopped = 2;

assert.match(engine.ask({ type: "hint", id: 3, fen: "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1" }).message, /^Rd8# /);
assert.equal(engine.ask({ type: "mate", id: 4, fen: "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", mate: 3 }).verdict, "mate");
assert.equal(engine.ask({ type: "think", id: 5, level: 3, seed: 7 }).type, "best");
assert.equal(engine.ask({ type: "think", id: 6, fen: "rubbish" }).type, "error");
assert.equal(engine.ask("rubbish").type, "error");

// The same search as the native engine, node for node.
const begin = performance.now();
const nodes = engine.exports.bench_nodes(BENCH_DEPTH);
const seconds = (performance.now() - begin) / 1000;
console.log(`WebAssembly: ${nodes} nodes, ${Math.round(nodes / seconds)} nodes a second`);
if (tabiya) {
  const output = execFileSync(tabiya, ["bench", "--depth", String(BENCH_DEPTH)], { encoding: "utf8" });
  console.log(`native: ${output.trim().replaceAll("\n", ", ")}`);
  const counts = output.replaceAll(/(\d)[, ](?=\d{3}\b)/g, "$1").match(/\d+/g).map(Number);
  assert.ok(counts.includes(nodes), "the browser's engine visits the same nodes as the native one");
}
console.log("the engine's WebAssembly works");
