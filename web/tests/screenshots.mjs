// Pictures of the main screens for docs/images: SITE=folder node tests/screenshots.mjs OUT
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { launch, open } from "./harness.mjs";
import { serveFolder } from "./static.mjs";

const out = process.argv[2];
mkdirSync(out, { recursive: true });
const target = await serveFolder(process.env.SITE);
const browser = await launch();
const desktop = { viewport: { width: 1280, height: 800 } };
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const GAME = `[Event "Paris"][White "Morphy"][Black "Duke Karl"][Date "1858.11.02"][Result "1-0"]
1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5
11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0`;

async function picture(name, options, work) {
  const hands = await open(browser, target.url, options);
  await work(hands);
  await hands.page.screenshot({ path: join(out, `web-${name}.png`) });
  await hands.done();
}

const play = async (hands) => {
  await hands.start({ opponent: "here", clock: "10+0" });
  for (const move of ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6"]) await hands.type(move);
  await hands.sees("n", "f6");
  await hands.page.evaluate(() => document.activeElement.blur());
  await hands.click("e1");
};
const refused = async (hands) => {
  await hands.start({ fen: "r1bqk2r/pppp1ppp/2n2n2/4p3/1b2P3/2NP1N2/PPP2PPP/R1BQKB1R w KQkq - 1 5" });
  await hands.drag("c3", "d5");
  await hands.page.waitForSelector(".sentence:not(:empty)");
};
const analyse = async (hands) => {
  await hands.page.waitForSelector(".tree .move");
  await hands.page.keyboard.press("l");
  await hands.page.waitForFunction(
    () => Number(/depth (\d+)/.exec(document.querySelector(".numbers").textContent)?.[1]) >= 10,
  );
};
const analysis = `#/analyse?pgn=${encodeURIComponent(GAME)}&ply=17`;
const report = async (hands) => {
  await hands.page.click("#make-report");
  await hands.page.waitForSelector(".graph");
  await hands.page.locator(".mistakes .blunder, .mistakes .mistake").first().click();
  await hands.page.locator(".report .row").last().scrollIntoViewIfNeeded();
};

const chosen = process.argv[3];
const pictures = [
  ["new-light", { ...desktop }, async () => {}],
  ["play-light", { ...desktop }, play],
  ["refused-dark", { ...desktop, colorScheme: "dark" }, refused],
  ["analyse-light", { ...desktop, hash: analysis }, analyse],
  ["analyse-dark", { ...desktop, hash: analysis, colorScheme: "dark" }, analyse],
  ["report-light", { ...desktop, hash: analysis }, report],
  ["learn-dark", { ...desktop, hash: "#/learn", colorScheme: "dark" }, async () => {}],
  ["phone-new-dark", { ...phone, colorScheme: "dark" }, async () => {}],
  ["phone-play-light", { ...phone }, play],
  [
    "phone-analyse-dark",
    { ...phone, hash: analysis, colorScheme: "dark" },
    async (hands) => {
      await hands.page.evaluate(() => document.querySelector("#engine-switch").click());
      await hands.page.waitForFunction(
        () => Number(/depth (\d+)/.exec(document.querySelector(".numbers").textContent)?.[1]) >= 10,
      );
    },
  ],
];
for (const [name, options, work] of pictures) if (!chosen || name.includes(chosen)) await picture(name, options, work);
await browser.close();
await target.close();
