// A browser, a page and hands for it. Tests wait for what they expect to see, never for a time.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export const launch = () =>
  chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: flags });

/** Generous: the machine may be busy. Nothing waits that long when all is well. */
const PATIENCE = 120_000;

/** Opens the page in a context of its own, and collects everything that goes wrong in it. */
export async function open(browser, url, { hash = "#/play", allow = [], settings, ...options } = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    locale: "en-GB",
    reducedMotion: "reduce",
    ...options,
  });
  context.setDefaultTimeout(PATIENCE);
  if (settings)
    await context.addInitScript((value) => {
      if (!localStorage.getItem("tabiya.settings")) localStorage.setItem("tabiya.settings", value);
    }, JSON.stringify(settings));
  const page = await context.newPage();
  const problems = [];
  const note = (text) => {
    if (!allow.some((pattern) => pattern.test(text))) problems.push(text);
  };
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") note(message.text());
  });
  page.on("pageerror", (error) => note(error.stack ?? error.message));
  await page.goto(url + hash);
  await page.waitForSelector("html[data-ready]");
  return new Hands(page, context, problems);
}

export class Hands {
  constructor(page, context, problems) {
    Object.assign(this, { page, context, problems });
  }

  square(name) {
    return this.page.locator(`.square[data-square="${name}"]`);
  }

  async center(name) {
    const box = await this.square(name).boundingBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
  }

  async drag(from, to, button = "left") {
    await this.page.mouse.move(...(await this.center(from)));
    await this.page.mouse.down({ button });
    await this.page.mouse.move(...(await this.center(to)), { steps: 4 });
    await this.page.mouse.up({ button });
  }

  async click(name) {
    await this.page.mouse.click(...(await this.center(name)));
  }

  async clickMove(from, to) {
    await this.click(from);
    await this.click(to);
  }

  /** Waits until a piece is somewhere: `Q` on `h5`. */
  async sees(letter, square) {
    const color = letter === letter.toUpperCase() ? "white" : "black";
    const name = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" }[letter.toLowerCase()];
    await this.page.waitForSelector(`.square[data-square="${square}"][aria-label^="${square}, ${color} ${name}"]`, {
      state: "attached",
    });
  }

  async empty(square) {
    await this.page.waitForSelector(`.square[data-square="${square}"][aria-label^="${square}, empty"]`, {
      state: "attached",
    });
  }

  /** Walks to a square by arrow keys and presses Enter. The focus must be on the board. */
  async keySquare(name) {
    const focused = () =>
      this.page.evaluate(() => document.querySelector("tabiya-board").shadowRoot.activeElement?.dataset.square);
    const flipped = await this.page.evaluate(() => document.querySelector("tabiya-board").orientation === "black");
    let at = await focused();
    while (at !== name) {
      const files = name.charCodeAt(0) - at.charCodeAt(0);
      const ranks = name.charCodeAt(1) - at.charCodeAt(1);
      const right = flipped ? -files : files;
      const up = flipped ? -ranks : ranks;
      await this.page.keyboard.press(
        right > 0 ? "ArrowRight" : right < 0 ? "ArrowLeft" : up > 0 ? "ArrowUp" : "ArrowDown",
      );
      const next = await focused();
      if (next === at) throw new Error(`the focus stays on ${at} on its way to ${name}`);
      at = next;
    }
    await this.page.keyboard.press("Enter");
  }

  async keyMove(from, to) {
    await this.keySquare(from);
    await this.keySquare(to);
  }

  async type(move) {
    await this.page.fill("#move-input", move);
    await this.page.press("#move-input", "Enter");
  }

  text(selector) {
    return this.page.locator(selector).first().innerText();
  }

  async waitForText(selector, pattern) {
    await this.page.waitForFunction(
      ([where, source, how]) =>
        [...document.querySelectorAll(where)].some((element) => new RegExp(source, how).test(element.textContent)),
      [selector, pattern.source, pattern.flags],
    );
  }

  async start({ opponent = "here", color, fen, level, clock } = {}) {
    const { page } = this;
    await page.check(`input[name=opponent][value=${opponent}]`);
    if (color) await page.check(`input[name=color][value=${color}]`);
    if (level) await page.fill("#level", String(level));
    if (clock) await page.check(`input[name=clock][value="${clock}"]`);
    if (fen) {
      await page.check("input[name=start][value=fen]");
      await page.fill(".setup .mono", fen);
    }
    await page.click("#start-game");
    await page.waitForSelector(".game");
  }

  /** Serious and critical findings of axe, as text. */
  async axe() {
    await this.page.evaluate(axeSource);
    return this.page.evaluate(async () => {
      const { violations } = await axe.run(document, { resultTypes: ["violations"] });
      return violations
        .filter(({ impact }) => impact === "serious" || impact === "critical")
        .map(
          ({ id, help, nodes }) =>
            `${id}: ${help}: ${nodes.map(({ target, failureSummary }) => `${target.join(" ")} ${failureSummary}`).join(" | ")}`,
        );
    });
  }

  /** Whether something sticks out to the right. */
  overflow() {
    return this.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  }

  async done() {
    await this.context.close();
    if (this.problems.length) throw new Error(`the console says:\n${this.problems.join("\n")}`);
  }
}
