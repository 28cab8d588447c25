// Every sentence about a move has its German one: node --test tests/german.test.mjs
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { build } from "esbuild";

async function load(path) {
  const entry = new URL(path, import.meta.url).pathname;
  const { outputFiles } = await build({ entryPoints: [entry], bundle: true, format: "esm", write: false });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

const { loadRules } = await load("../src/rules.ts");
const { german } = await load("../src/texts/de-rules.ts");
const rules = await loadRules(readFileSync(new URL("../dist/rules.wasm", import.meta.url)));

const POSITIONS = [
  undefined,
  // Castling in every state, pins, checks, promotions, en passant.
  "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
  "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
  "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
  "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
  "r3k2r/8/8/8/4q3/8/8/R3K2R w KQkq - 0 1",
  "r3k2r/8/8/8/5q2/8/8/R3K2R w KQkq - 0 1",
  "4k3/8/8/8/8/8/8/R3K2R w - - 0 1",
  "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
  "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
  "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2",
  "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 2",
  "4k3/1P6/8/8/8/8/1p6/4K3 w - - 0 1",
  "4r2k/8/8/8/1b6/8/3BN3/4K3 w - - 0 1",
  "4r2k/8/8/8/7b/8/8/R3K2R w KQ - 0 1",
  "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
  "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
  "4k3/8/8/8/8/5n2/3r4/4K2R w K - 0 1",
];
const SQUARES = Array.from({ length: 64 }, (_, i) => `${"abcdefgh"[i % 8]}${(i >> 3) + 1}`);

describe("German", () => {
  it("has a sentence for every reason and every move", () => {
    const unknown = new Set();
    const seen = new Set();
    const note = (message) => {
      seen.add(message.replace(/[a-h][1-8]/g, "e4"));
      if (german(message) === null) unknown.add(message);
    };
    for (const fen of POSITIONS) {
      const { moves } = rules.position({ fen });
      for (const { uci } of moves) note(rules.play({ fen }, uci).move.words);
      for (const move of ["e2e3q", "b7b8k", "b1c3q", "Qh5", "Nb5", "e5xd6"]) {
        const answer = rules.play({ fen }, move);
        if (!answer.ok && /^(Only pawns|Pawns promote|No )/.test(answer.error.message)) note(answer.error.message);
      }
      for (const from of SQUARES) {
        if (!moves.some((move) => move.from === from)) note(rules.whyNoMoves({ fen }, from).message);
        for (const to of SQUARES) {
          note(rules.why({ fen }, from + to).message);
        }
      }
    }
    assert.deepEqual([...unknown], []);
    assert.ok(seen.size > 100, `only ${seen.size} kinds of sentences`);
  });

  it("declines nouns", () => {
    for (const [english, wanted] of [
      ["The pawn on e2 is in the way.", "Der Bauer auf e2 steht im Weg."],
      ["The queen on a7 would attack the king on e3.", "Die Dame auf a7 würde den König auf e3 angreifen."],
      [
        "The knight on c3 is pinned to the king on e1 by the bishop on b4.",
        "Der Springer auf c3 ist an den König auf e1 gefesselt, von dem Läufer auf b4.",
      ],
      [
        "The pawn on e4 captures the pawn on d5, with check.",
        "Der Bauer auf e4 schlägt den Bauern auf d5, mit Schach.",
      ],
      [
        "The rook on a1 can't move: your own knight on b1 and pawn on a2 are in the way.",
        "Der Turm auf a1 kann nicht ziehen: im Weg stehen Springer auf b1 und Bauer auf a2.",
      ],
      ["A sentence that nobody knows.", null],
    ]) {
      assert.equal(german(english), wanted);
    }
  });
});
