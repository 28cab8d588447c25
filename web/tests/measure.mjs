// What the page costs, in Chromium: first load, first paint, a reply to a move, layout jumps, and the engine's speed.
//
//   SITE=folder TABIYA=path/to/tabiya node tests/measure.mjs
//
// SITE is what build-site wrote, TABIYA a release build. Beside times stand processor times, which say more on a busy
// machine. The two engines take turns.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { build } from "esbuild";
import { launch, open } from "./harness.mjs";
import { startServer } from "./server.mjs";
import { serveFolder } from "./static.mjs";

const { SITE, TABIYA } = process.env;
if (!SITE || !TABIYA) throw new Error("set SITE and TABIYA");
const BENCH_DEPTH = 12;
const ROUNDS = 3;

const sorted = (values) => [...values].sort((a, b) => a - b);
const at = (values, share) => sorted(values)[Math.min(values.length - 1, Math.floor(values.length * share))];
const spread = (values, digits) =>
  `median ${at(values, 0.5).toFixed(digits)} ms, fastest ${at(values, 0).toFixed(digits)} ms, ` +
  `99 % under ${at(values, 0.99).toFixed(digits)} ms`;

const dist = new URL("../dist/", import.meta.url).pathname;
const files = ["index.html", "app.css", "app.js", "rules.wasm", "icon.svg", "manifest.webmanifest", "sw.js"];
const sizes = files.map((name) => readFileSync(join(dist, name)));
const sum = (compress) => (sizes.reduce((all, bytes) => all + compress(bytes).length, 0) / 1000).toFixed(0);
console.log(`first load without the engine: ${sum(gzipSync)} KB with gzip, ${sum(brotliCompressSync)} KB with brotli`);

/** Seconds of processor time of the page's process, all threads together. */
async function processorTime(hands) {
  const session = await hands.context.newCDPSession(hands.page);
  await session.send("Performance.enable");
  const { metrics } = await session.send("Performance.getMetrics");
  await session.detach();
  return metrics.find(({ name }) => name === "ProcessTime").value;
}

const browser = await launch();
const targets = { "tabiya serve": await startServer(TABIYA), "static site": await serveFolder(SITE) };
for (const [name, { url }] of Object.entries(targets)) {
  const paints = [];
  const ready = [];
  for (let i = 0; i < 11; i++) {
    const hands = await open(browser, url);
    paints.push(await hands.page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime));
    ready.push(1000 * (await processorTime(hands)));
    await hands.done();
  }
  console.log(`${name}: first paint ${spread(paints, 0)}, of ${paints.length} fresh profiles`);
  console.log(`    processor time of the page's process until it can be played on: ${spread(ready, 0)}`);
}

// A reply to a move: from the key press to the board with the new position and its legal moves.
const LINE =
  "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Nb8 d4 Nbd7 Nbd2 Bb7 Bc2 Re8 Nf1 Bf8 Ng3 g6".split(" ");
const hands = await open(browser, targets["static site"].url);
await hands.start();
const replies = [];
let spent = 0;
for (let round = 0; round < 10; round++) {
  const before = await processorTime(hands);
  replies.push(
    ...(await hands.page.evaluate((line) => {
      const input = document.querySelector("#move-input");
      return line.map((san) => {
        const before = document.querySelectorAll(".moves .move").length;
        const began = performance.now();
        input.value = san;
        input.form.requestSubmit();
        const took = performance.now() - began;
        const { legal } = document.querySelector("tabiya-board");
        if (document.querySelectorAll(".moves .move").length !== before + 1 || legal.size === 0) throw new Error(san);
        return took;
      });
    }, LINE)),
  );
  spent += (await processorTime(hands)) - before;
  await hands.page.evaluate((count) => {
    const input = document.querySelector("#move-input");
    for (let i = 0; i < count; i++) {
      input.value = "undo";
      input.form.requestSubmit();
    }
  }, LINE.length);
}
console.log(`a move on the page: ${spread(replies, 1)}`);
console.log(`    processor time of a move, painting included: ${((1000 * spent) / replies.length).toFixed(1)} ms`);
// The rules alone: a position after some moves, with all its legal moves.
const { outputFiles } = await build({
  stdin: { contents: 'export * from "./rules"', resolveDir: new URL("../src", import.meta.url).pathname },
  bundle: true,
  format: "iife",
  globalName: "measured",
  write: false,
});
await hands.page.evaluate(`${outputFiles[0].text}; globalThis.measured = measured;`);
const calls = await hands.page.evaluate(async () => {
  const rules = await globalThis.measured.loadRules(new URL("rules.wasm", document.baseURI));
  const moves =
    "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6 c2c3 e8g8 h2h3 c6b8 d2d4 b8d7".split(" ");
  const times = [];
  for (let round = 0; round < 50; round++) {
    for (let ply = 1; ply <= moves.length; ply++) {
      const began = performance.now();
      rules.position({ moves: moves.slice(0, ply) });
      times.push(performance.now() - began);
    }
  }
  return times;
});
console.log(`the rules' part of it: ${spread(calls, 2)}`);
await hands.done();

// What moves although nobody touched it, while pages open and the engine fills its lines.
for (const hash of ["#/play", "#/analyse", "#/games", "#/learn"]) {
  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ]) {
    const page = await open(browser, targets["static site"].url, { hash, viewport, settings: { engineOn: true } });
    if (hash === "#/analyse") await page.page.waitForSelector(".line:nth-child(3) .pv-move");
    const shift = await page.page.evaluate(
      () =>
        new Promise((resolve) => {
          new PerformanceObserver((list) => {
            resolve(list.getEntries().reduce((all, { value }) => all + value, 0));
          }).observe({ type: "layout-shift", buffered: true });
          setTimeout(() => resolve(0), 300);
        }),
    );
    console.log(`layout shift of ${hash} at ${viewport.width} px: ${shift.toFixed(3)}`);
    await page.done();
  }
}

// The same search in the page and natively, by turns.
const engine = await open(browser, targets["static site"].url);
const speeds = { browser: [], native: [] };
const counts = new Set();
for (let round = 0; round < ROUNDS; round++) {
  const before = await processorTime(engine);
  counts.add(
    await engine.page.evaluate(async (depth) => {
      const imports = { tabiya: { now: () => performance.now(), stopped: () => 0, emit() {} } };
      const wasm = await WebAssembly.instantiateStreaming(fetch("engine.wasm"), imports);
      const { memory, allocate, start, bench_nodes } = wasm.instance.exports;
      const network = new Uint8Array(await (await fetch("network.nn")).arrayBuffer());
      const address = allocate(network.length);
      new Uint8Array(memory.buffer, address, network.length).set(network);
      start(address, network.length, 16);
      return bench_nodes(depth);
    }, BENCH_DEPTH),
  );
  speeds.browser.push((await processorTime(engine)) - before);
  const output = execFileSync(
    "bash",
    ["-c", `TIMEFORMAT='processor %U'; { time "$0" bench --depth ${BENCH_DEPTH}; } 2>&1`, TABIYA],
    { encoding: "utf8" },
  );
  const numbers = output.replaceAll(/(\d)[, ](?=\d{3}\b)/g, "$1");
  counts.add(Number(/nodes: *(\d+)/.exec(numbers)[1]));
  speeds.native.push(Number(/processor ([\d.]+)/.exec(numbers)[1]));
}
await engine.done();
assert.equal(counts.size, 1, `the engines visit the same nodes: ${[...counts].join(", ")}`);
const [nodes] = counts;
const [page, native] = [speeds.browser, speeds.native].map((times) => nodes / at(times, 0));
console.log(
  `bench, depth ${BENCH_DEPTH}: ${nodes} nodes in both; ${Math.round(page / 1000)} and ${Math.round(native / 1000)} ` +
    `thousand a second of processor time, the browser's ${(page / native).toFixed(2)} of the native (best of ${ROUNDS})`,
);

await browser.close();
for (const { close } of Object.values(targets)) await close();
