// Builds the page into dist/. The result depends on the sources only, so that a test can compare it.
//
//   node build.mjs [FOLDER]     dist/ if no folder is named
//
// dist/rules.wasm is made from crates/wasm by build-rules; run that first.
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, "dist");
const out = process.argv[2] ? resolve(process.argv[2]) : dist;
mkdirSync(out, { recursive: true });

const options = {
  absWorkingDir: here,
  bundle: true,
  minify: true,
  format: "esm",
  target: ["chrome111", "firefox115", "safari16.4"],
  legalComments: "none",
  charset: "utf8",
  logLevel: "warning",
};
await build({ ...options, entryPoints: { app: "src/main.ts", "engine-worker": "src/engine-worker.ts" }, outdir: out });
await build({ ...options, entryPoints: { app: "src/style/app.css" }, outdir: out });
for (const name of readdirSync(join(here, "public"))) copyFileSync(join(here, "public", name), join(out, name));
if (out !== dist) copyFileSync(join(dist, "rules.wasm"), join(out, "rules.wasm"));

// The service worker keeps these files. Its version is a hash of their contents, so that every change replaces them.
const files = ["index.html", "app.css", "app.js", "engine-worker.js", "icon.svg", "manifest.webmanifest", "rules.wasm"];
const hash = createHash("sha256");
for (const name of files) hash.update(readFileSync(join(out, name)));
// A static site's engine and network, which are stored when they are first used.
for (const name of ["engine.wasm", "network.nn"])
  if (existsSync(join(out, name))) hash.update(readFileSync(join(out, name)));
await build({
  ...options,
  format: "iife",
  entryPoints: { sw: "src/service-worker.ts" },
  outdir: out,
  define: {
    VERSION: JSON.stringify(hash.digest("hex").slice(0, 16)),
    FILES: JSON.stringify(["./", ...files.slice(1)]),
  },
});
