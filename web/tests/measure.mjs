// What the page costs: SITE=folder node tests/measure.mjs, or TABIYA=program node tests/measure.mjs
import { readFileSync } from "node:fs";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { join } from "node:path";
import { build } from "esbuild";
import { launch, open } from "./harness.mjs";
import { startServer } from "./server.mjs";
import { serveFolder } from "./static.mjs";

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];
const dist = new URL("../dist/", import.meta.url).pathname;

const files = ["index.html", "app.css", "app.js", "rules.wasm", "icon.svg", "manifest.webmanifest", "sw.js"];
const sizes = files.map((name) => readFileSync(join(dist, name)));
const sum = (compress) => (sizes.reduce((all, bytes) => all + compress(bytes).length, 0) / 1000).toFixed(0);
console.log(
  `first load without the engine: ${sum(brotliCompressSync)} KB with brotli, ${sum((bytes) => gzipSync(bytes, { level: 9 }))} KB with gzip`,
);

const target = process.env.TABIYA ? await startServer(process.env.TABIYA) : await serveFolder(process.env.SITE);
const browser = await launch();
const paints = [];
for (let i = 0; i < 11; i++) {
  const hands = await open(browser, target.url);
  paints.push(await hands.page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime));
  await hands.context.close();
}
console.log(`first paint: ${median(paints).toFixed(0)} ms (median of ${paints.length}, a fresh profile each)`);

// A legal-move reply is one call of the rules: the position after a move with all its legal moves.
const { outputFiles } = await build({
  entryPoints: [new URL("../src/rules.ts", import.meta.url).pathname],
  bundle: true,
  format: "esm",
  write: false,
});
const source = `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`;
await browser.close();
await target.close();
const { loadRules } = await import(source);
const rules = await loadRules(readFileSync(join(dist, "rules.wasm")));
const moves =
  "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6 c2c3 e8g8 h2h3 c6b8 d2d4 b8d7".split(" ");
const calls = [];
for (let round = 0; round < 50; round++) {
  for (let ply = 1; ply <= moves.length; ply++) {
    const began = performance.now();
    rules.position({ moves: moves.slice(0, ply) });
    calls.push(performance.now() - began);
  }
}
const sorted = calls.sort((a, b) => a - b);
console.log(
  `legal moves after a move: median ${sorted[sorted.length >> 1].toFixed(2)} ms, 99 % under ${sorted[Math.floor(sorted.length * 0.99)].toFixed(2)} ms`,
);
