// The page in a browser, in both modes: as a static site with the engine in a worker, and from `tabiya serve`.
//
//   SITE=folder TABIYA=path/to/tabiya node --test tests/page.test.mjs
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { launch, open } from "./harness.mjs";
import { startServer } from "./server.mjs";
import { serveFolder } from "./static.mjs";

const targets = [];
if (process.env.SITE) targets.push(["static site", (again) => serveFolder(process.env.SITE, again)]);
if (process.env.TABIYA) targets.push(["tabiya serve", (again) => startServer(process.env.TABIYA, again)]);
assert.ok(targets.length > 0, "set SITE or TABIYA");

/** What a browser says when the server is away. */
const AWAY = [/WebSocket connection/, /Failed to load resource/, /ERR_/];

const GAME = `[Event "Paris"]
[White "Morphy"]
[Black "Duke Karl"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 {Philidor} 3. d4 Bg4? (3... exd4 4. Nxd4 Nf6 (4... g6 5. Nc3) 5. Nc3 {solid}) 4. dxe5 Bxf3 5. Qxf3
dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15.
Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0
`;

/** Games for an archive: 1. e4 three times, 1. d4 once, and a game that ends where it begins. */
const CLUB = [
  ["2410", "2390", "2021.04.01", "1-0", "1. e4 c5 2. Nf3"],
  ["2600", "2400", "2024.05.31", "1/2-1/2", "1. e4 c5 2. c3"],
  ["1900", "2100", "2019.01.02", "0-1", "1. e4 e5 2. Nf3 Nc6"],
  ["2200", "2000", "2020.02.03", "1-0", "1. d4 d5"],
  ["2000", "2000", "2018.07.08", "1/2-1/2", ""],
]
  .map(
    ([white, black, date, result, moves], i) =>
      `[White "Player ${i}"]\n[Black "Player ${i + 10}"]\n[UTCDate "${date}"]\n[Result "${result}"]\n` +
      `[WhiteElo "${white}"]\n[BlackElo "${black}"]\n\n${moves} ${result}\n`,
  )
  .join("\n");

for (const [name, startTarget] of targets) {
  describe(name, () => {
    let browser;
    let target;
    before(async () => {
      [browser, target] = await Promise.all([launch(), startTarget()]);
    });
    after(async () => {
      await browser?.close();
      await target?.close();
    });

    /** A test with a page of its own, which must leave the console empty. */
    const page = (title, options, work) =>
      it(title, async () => {
        const hands = await open(browser, target.url, options);
        try {
          await work(hands);
        } catch (error) {
          if (hands.problems.length) error.message += `\nconsole:\n${hands.problems.join("\n")}`;
          await hands.context.close();
          throw error;
        }
        await hands.done();
      });

    page("a game to mate by mouse, by clicks and by drags", {}, async (hands) => {
      await hands.start();
      await hands.clickMove("e2", "e4");
      await hands.sees("P", "e4");
      await hands.drag("e7", "e5");
      await hands.sees("p", "e5");
      await hands.drag("f1", "c4");
      await hands.clickMove("b8", "c6");
      await hands.clickMove("d1", "h5");
      await hands.drag("g8", "f6");
      await hands.sees("n", "f6");
      await hands.drag("h5", "f7");
      await hands.waitForText(".result", /1–0.*White wins/);
      assert.match(await hands.text(".result"), /checkmate/);
      assert.match(await hands.text(".moves"), /Qxf7#/);
      // The card brings accuracy and the worst moves when the engine has looked at the game.
      await hands.waitForText(".sides", /White\d+ %.*Black\d+ %/);
      assert.match(await hands.text(".sides"), /3\.\.\. Nf6|3… Nf6/);
      await hands.page.click("#review");
      await hands.page.waitForSelector(".graph");
      await hands.page.goBack();
      await hands.page.click("#rematch");
      await hands.sees("P", "e2");
    });

    page("a rematch against the computer changes colours", {}, async (hands) => {
      await hands.start({ opponent: "computer", color: "white", level: 1 });
      await hands.type("e4");
      await hands.page.waitForSelector(".moves li:first-child .move:nth-of-type(2)");
      await hands.page.click("text=Resign");
      await hands.page.click("#confirm-yes");
      await hands.page.click("#rematch");
      // Black sits below the board, and the computer begins.
      await hands.page.waitForFunction(() => document.querySelector("tabiya-board").orientation === "black");
      await hands.waitForText(".player.bottom", /You/);
      await hands.page.waitForSelector(".moves li:first-child .move");
      await hands.waitForText(".status", /Your turn/);
    });

    page("a press on Play is all that a new visitor needs, on a phone too", {}, async (hands) => {
      for (const viewport of [
        { width: 1280, height: 800 },
        { width: 390, height: 844 },
        { width: 360, height: 640 },
      ]) {
        await hands.page.setViewportSize(viewport);
        await hands.page.reload();
        await hands.page.waitForSelector("#start-game");
        const { top, bottom } = await hands.page.evaluate(() => {
          const box = document.querySelector("#start-game").getBoundingClientRect();
          return { top: box.top, bottom: box.bottom };
        });
        assert.ok(top > 0 && bottom <= viewport.height, `${viewport.width} px: ${top} to ${bottom}`);
      }
      await hands.page.mouse.click(180, 610);
      await hands.page.waitForSelector(".game");
    });

    page("a game to mate by keyboard alone", {}, async (hands) => {
      const { page: tab } = hands;
      // Tab walks through the form; radio buttons take arrow keys, and Enter starts.
      await tab.focus("input[name=opponent][value=computer]");
      await tab.keyboard.press("ArrowRight");
      await tab.keyboard.press("Enter");
      await tab.waitForSelector(".game");
      await tab.keyboard.press("b");
      for (const [from, to] of [
        ["f2", "f3"],
        ["e7", "e5"],
        ["g2", "g4"],
        ["d8", "h4"],
      ])
        await hands.keyMove(from, to);
      await hands.waitForText(".result", /0–1.*Black wins/);
    });

    page("typed moves, castling and en passant", {}, async (hands) => {
      await hands.start({ fen: "r3k2r/8/8/8/5p2/8/4P3/R3K2R w KQkq - 0 1" });
      await hands.drag("e1", "g1");
      await hands.sees("K", "g1");
      await hands.sees("R", "f1");
      // By the rook, as Chess960 players do.
      await hands.clickMove("e8", "a8");
      await hands.sees("k", "c8");
      await hands.type("e4");
      await hands.sees("P", "e4");
      await hands.drag("f4", "e3");
      await hands.sees("p", "e3");
      await hands.empty("e4");
    });

    page("castling in Chess960, the king onto its rook", {}, async (hands) => {
      await hands.start({ fen: "1k5r/8/8/8/8/8/8/RK5R w HAh - 0 1" });
      await hands.drag("b1", "h1");
      await hands.sees("K", "g1");
      await hands.sees("R", "f1");
      assert.match(await hands.text(".moves"), /O-O/);
    });

    page("the promotion chooser by mouse, and Escape lets go", {}, async (hands) => {
      await hands.start({ fen: "4k3/1P6/8/8/8/8/8/4K3 w - - 0 1" });
      await hands.drag("b7", "b8");
      await hands.page.waitForSelector(".promotion");
      await hands.page.keyboard.press("Escape");
      await hands.page.waitForSelector(".promotion", { state: "detached" });
      await hands.sees("P", "b7");
      await hands.clickMove("b7", "b8");
      await hands.page.click('.promotion [data-role="n"]');
      await hands.sees("N", "b8");
      assert.match(await hands.text(".moves"), /b8=N/);
    });

    page("an illegal move shows its reason on the squares it names", {}, async (hands) => {
      await hands.start({ fen: "4k3/8/8/8/4r3/8/4B3/4K3 w - - 0 1" });
      await hands.drag("e2", "d3");
      await hands.waitForText("#announcer", /pinned/i);
      await hands.page.waitForSelector('.square.reason[data-square="e4"]');
      await hands.page.waitForSelector(".sentence:not(:empty)");
      await hands.sees("B", "e2");
      await hands.type("Bb5");
      await hands.page.waitForSelector(".sentence:not(:empty)");
      // Picking another piece clears the board.
      await hands.click("e1");
      await hands.page.waitForSelector(".square.reason", { state: "detached" });
    });

    page("takeback, resignation with confirmation, and looking back", {}, async (hands) => {
      await hands.start();
      for (const move of ["e4", "e5", "Nf3"]) await hands.type(move);
      await hands.sees("N", "f3");
      await hands.type("undo");
      await hands.sees("N", "g1");
      await hands.page.locator("body").click({ position: { x: 5, y: 400 } });
      await hands.page.keyboard.press("ArrowLeft");
      await hands.sees("p", "e7");
      await hands.waitForText(".status", /looking back/);
      await hands.page.keyboard.press("ArrowDown");
      await hands.sees("p", "e5");
      await hands.page.click("text=Resign");
      await hands.page.click("dialog >> text=Cancel");
      await hands.page.click("text=Resign");
      await hands.page.click("#confirm-yes");
      await hands.waitForText(".result", /White resigned/);
    });

    page("the computer replies, gives a hint in words, and a reload keeps the game", {}, async (hands) => {
      await hands.start({ opponent: "computer", color: "white", level: 2 });
      await hands.clickMove("e2", "e4");
      await hands.page.waitForSelector(".moves li:first-child .move:nth-of-type(2)");
      const reply = await hands.text(".moves li:first-child .move:nth-of-type(2)");
      await hands.page.click("text=Hint");
      await hands.waitForText(".status .hint", /^(?!Thinking).{8,}/);
      await hands.page.reload();
      await hands.page.waitForSelector(".moves li:first-child .move:nth-of-type(2)");
      assert.equal(await hands.text(".moves li:first-child .move:nth-of-type(2)"), reply);
      await hands.page.click("text=Take back");
      await hands.sees("P", "e2");
    });

    page("analysis starts, updates and stops", { hash: "#/analyse" }, async (hands) => {
      const { page: tab } = hands;
      await tab.keyboard.press("l");
      await tab.waitForSelector(".engine-panel[data-running=true]");
      await tab.waitForSelector(".line:nth-child(3) .pv-move");
      await hands.waitForText(".numbers", /depth \d/);
      const depth = Number(/depth (\d+)/.exec(await hands.text(".numbers"))[1]);
      await tab.waitForFunction(
        (before) => Number(/depth (\d+)/.exec(document.querySelector(".numbers").textContent)?.[1]) > before,
        depth,
      );
      await tab.keyboard.press(" ");
      await tab.waitForSelector(".tree .move[aria-current]");
      await tab.waitForSelector(".line .pv-move");
      await tab.keyboard.press("x");
      await tab.waitForSelector("path.red", { state: "attached" });
      await tab.keyboard.press("l");
      await tab.waitForSelector(".engine-panel[data-running=false]");
      await tab.waitForSelector("path.blue", { state: "detached" });
    });

    page("without an archive there is no explorer", { hash: "#/analyse" }, async (hands) => {
      const asked =
        name === "tabiya serve" ? hands.page.waitForResponse((response) => response.url().endsWith("/api")) : null;
      await hands.page.reload();
      await hands.page.waitForSelector(".tree");
      await asked;
      await hands.type("e4");
      await hands.sees("P", "e4");
      assert.equal(await hands.page.isVisible(".explorer"), false);
    });

    page("PGN in and out, with variations, comments and glyphs", { hash: "#/analyse" }, async (hands) => {
      const { page: tab } = hands;
      await tab.click("#open-import");
      await tab.fill("#import-text", GAME);
      await tab.click("#import-load");
      await hands.waitForText(".tree", /Qb8\+/);
      assert.match(await hands.text(".tree"), /solid/);
      await tab.click('.tree .variation .move >> text="exd4"');
      await hands.empty("e5");
      await tab.click(".notes >> text=/Comment/");
      await tab.click('[aria-label="good move"]');
      await tab.fill("#comment", "takes the centre");
      await tab.press("#comment", "Tab");
      await tab.click("text=Make main line");
      await tab.click("#open-export");
      const pgn = await tab.inputValue("#export-pgn");
      assert.match(pgn, /3\. d4 exd4 ?(!|\$1) \{ ?takes the centre ?\}/);
      assert.match(pgn, /\(\s?3\.\.\. Bg4/);
      assert.match(pgn, /4\.\.\. g6/);
      assert.match(pgn, /\[White "Morphy"\]/);
      await tab.click("dialog >> text=Close");
      // The address carries the game.
      const address = tab.url();
      const again = await hands.context.newPage();
      await again.goto(address);
      await again.waitForSelector(".tree .move");
      assert.match(await again.locator(".tree").innerText(), /takes the centre/);
      await again.close();
      await tab.click("text=Delete from here");
      assert.doesNotMatch(await hands.text(".tree"), /takes the centre/);
    });

    page("a PGN of several games becomes a list", { hash: "#/analyse" }, async (hands) => {
      const { page: tab } = hands;
      await tab.click("#open-import");
      await tab.setInputFiles("#import-file", {
        name: "two.pgn",
        mimeType: "application/x-chess-pgn",
        buffer: Buffer.from(`${GAME}\n${GAME.replace("Morphy", "Anderssen")}`),
      });
      await tab.waitForSelector(".games tbody tr:nth-child(2)");
      await hands.waitForText("[role=status]", /two\.pgn · 2 of 2 games/);
      await tab.click(".games tbody tr:nth-child(2) button");
      await hands.waitForText(".game-title", /Anderssen/);
    });

    page("a report on the whole game, and learning from its mistakes", { hash: "#/analyse" }, async (hands) => {
      const { page: tab } = hands;
      await tab.click("#open-import");
      await tab.fill("#import-text", "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0");
      await tab.click("#import-load");
      await tab.click("#make-report");
      await tab.waitForSelector(".graph");
      assert.match(await hands.text(".sides"), /Accuracy/);
      await hands.waitForText(".mistakes", /Nf6/);
      await tab.click(".report .button >> text=Black");
      // Others may come first: the one that everybody knows is the last.
      while (!/3… Nf6/.test(await hands.text(".exercise"))) {
        await hands.waitForText(".exercise", /Find a better move/);
        await tab.click("text=Show the solution");
        await hands.waitForText(".exercise", /Good/);
        await tab.click(".exercise >> text=Next");
      }
      await hands.type("Nf6");
      await hands.waitForText(".exercise", /Nf6 is not better/);
      await hands.type("g6");
      await hands.waitForText(".exercise", /Good: g6/);
    });

    page("the board editor, a mate proof, and play from there", { hash: "#/editor" }, async (hands) => {
      const { page: tab } = hands;
      await tab.click("text=Empty board");
      await hands.waitForText(".error", /king/i);
      for (const [letter, square] of [
        ["K", "f6"],
        ["Q", "g5"],
        ["k", "h8"],
      ]) {
        await tab.check(`input[name=brush][value=${letter}]`);
        await hands.click(square);
        await hands.sees(letter, square);
      }
      await tab.click("#use-board");
      await tab.waitForSelector("#open-mate");
      await tab.click("#open-mate");
      await tab.fill("#mate-moves", "1");
      await tab.click("#prove");
      await tab.click(`dialog .button:has-text("Qg7#")`);
      await hands.sees("Q", "g7");
      assert.match(await hands.text(".opening"), /checkmate/);
    });

    page("the wheel steps through the moves", { hash: `#/analyse?pgn=1.e4%20e5%202.Nf3` }, async (hands) => {
      const { page: tab } = hands;
      await tab.mouse.move(...(await hands.center("d5")));
      await tab.mouse.wheel(0, 100);
      await hands.sees("P", "e4");
      for (let i = 0; i < 3; i++) await tab.mouse.wheel(0, 25);
      await hands.sees("p", "e5");
      await tab.mouse.wheel(0, -100);
      await hands.sees("p", "e7");
    });

    page("arrows and circles by the right button", { hash: "#/analyse" }, async (hands) => {
      await hands.drag("e2", "e4", "right");
      await hands.page.waitForSelector(".shapes path.green", { state: "attached" });
      await hands.drag("d4", "d4", "right");
      await hands.page.waitForSelector(".shapes circle.ring", { state: "attached" });
      await hands.click("a5");
      await hands.page.waitForSelector(".shapes circle.ring", { state: "detached" });
    });

    page(
      "touch: taps and drags",
      { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
      async (hands) => {
        await hands.start();
        await hands.page.touchscreen.tap(...(await hands.center("e2")));
        await hands.page.touchscreen.tap(...(await hands.center("e4")));
        await hands.sees("P", "e4");
        const session = await hands.context.newCDPSession(hands.page);
        const [[x1, y1], [x2, y2]] = [await hands.center("g8"), await hands.center("f6")];
        const touch = (type, points) => session.send("Input.dispatchTouchEvent", { type, touchPoints: points });
        await touch("touchStart", [{ x: x1, y: y1 }]);
        await touch("touchMove", [{ x: (x1 + x2) / 2, y: (y1 + y2) / 2 }]);
        await touch("touchMove", [{ x: x2, y: y2 }]);
        await touch("touchEnd", []);
        await hands.sees("n", "f6");
        assert.equal(await hands.overflow(), 0);
      },
    );

    for (const colorScheme of ["light", "dark"]) {
      for (const viewport of [
        { width: 1280, height: 800 },
        { width: 360, height: 740 },
      ]) {
        page(
          `no serious finding of axe and no overflow: ${colorScheme}, ${viewport.width} px`,
          { colorScheme, viewport },
          async (hands) => {
            const { page: tab } = hands;
            const check = async (place) => {
              assert.deepEqual(await hands.axe(), [], place);
              assert.equal(await hands.overflow(), 0, place);
            };
            await check("new game");
            await hands.start();
            await hands.type("e4");
            await hands.sees("P", "e4");
            await check("game");
            await tab.goto(`${target.url}#/analyse?pgn=${encodeURIComponent(GAME)}&ply=7`);
            await tab.waitForSelector(".tree .move");
            await tab.click(".notes >> text=/Comment/");
            await check("analyse");
            await tab.click('a[href="#/games"]');
            await tab.setInputFiles("#collection-file", {
              name: "paris.pgn",
              mimeType: "application/x-chess-pgn",
              buffer: Buffer.from(GAME + GAME.replace("Morphy", "Anderssen")),
            });
            await tab.waitForSelector(".games tbody tr");
            await check("games");
            await tab.click('a[href="#/learn"]');
            await tab.waitForSelector(".palette");
            await check("learn");
            await tab.click('a[href="#/settings"]');
            await tab.waitForSelector("#setting-sound");
            await check("settings");
          },
        );
      }
    }

    page("nothing sticks out, from a small phone to a wide screen", {}, async (hands) => {
      for (const [width, height] of [
        [320, 568],
        [740, 360],
        [844, 390],
        [768, 1024],
        [1024, 600],
        [1920, 1080],
        [2560, 1440],
      ]) {
        await hands.page.setViewportSize({ width, height });
        for (const hash of [
          "play",
          `analyse?pgn=${encodeURIComponent(GAME)}`,
          "editor",
          "games",
          "learn",
          "settings",
        ]) {
          await hands.page.goto(`${target.url}#/${hash}`);
          await hands.page.waitForSelector("main > *");
          assert.equal(await hands.overflow(), 0, `${hash.slice(0, 7)} at ${width} px`);
          const board = await hands.page.locator("tabiya-board").count();
          if (!board) continue;
          const { width: side, height: other } = await hands.page.locator("tabiya-board").first().boundingBox();
          assert.ok(side >= 200 && Math.abs(side - other) < 1, `board of ${side} by ${other} at ${width} px`);
          assert.ok(other <= height, `the board is higher than ${height} px`);
        }
      }
    });

    page("a collection: search, sort, open", { hash: "#/games" }, async (hands) => {
      const { page: tab } = hands;
      const text = ["Zukertort", "Anderssen", "Morphy"].map((name) => GAME.replace("Morphy", name)).join("\n");
      await tab.setInputFiles("#collection-file", {
        name: "games.pgn",
        mimeType: "application/x-chess-pgn",
        buffer: Buffer.from(text),
      });
      await tab.waitForSelector(".games tbody tr:nth-child(3)");
      await tab.click("th >> text=White");
      assert.match(await hands.text(".games tbody tr"), /Anderssen/);
      await tab.fill("#search", "anderssen");
      await tab.waitForSelector(".games tbody tr:nth-child(2)", { state: "detached" });
      const [saved] = await Promise.all([tab.waitForEvent("download"), tab.click("text=Save the listed games")]);
      const pgn = readFileSync(await saved.path(), "utf8");
      assert.match(pgn, /White "Anderssen"[\s\S]*17\. Rd8# 1-0/);
      assert.doesNotMatch(pgn, /Zukertort/);
      await tab.fill("#search", "");
      await tab.waitForSelector(".games tbody tr:nth-child(3)");
      await tab.click(".games tbody tr button");
      await hands.waitForText(".game-title", /Anderssen/);
      await tab.click("text=Next game");
      await hands.waitForText(".game-title", /Morphy/);
      await tab.click('a[href="#/games"]');
      await tab.fill("#search", "zuker");
      await tab.waitForSelector(".games tbody tr:nth-child(2)", { state: "detached" });
      await tab.click(".games tbody tr button");
      await hands.waitForText(".game-title", /Zukertort/);
    });

    page("learn: a lone knight, and the trainer", { hash: "#/learn" }, async (hands) => {
      const { page: tab } = hands;
      await hands.waitForText("[role=status]", /8 squares|7 squares/);
      await tab.check("input[name=lesson][value=squares]");
      await tab.click("#trainer-start");
      const square = await hands.text("#trainer-square");
      await hands.click(square);
      await hands.waitForText("[role=status]", /1 right, 0 wrong/);
    });

    it("a premove is played as soon as the computer has moved", async () => {
      // The engine answers only when the premove has been made, so that it certainly is one.
      let release;
      const held = new Promise((resolve) => {
        release = resolve;
      });
      const allow = [/Service Worker registration blocked/];
      const hands = await open(browser, target.url, { serviceWorkers: "block", allow });
      await hands.context.route("**/engine.wasm", async (route) => {
        await held;
        await route.continue();
      });
      await hands.context.routeWebSocket(/api\/engine/, (socket) => {
        const server = socket.connectToServer();
        server.onMessage((message) => void held.then(() => socket.send(message)));
      });
      await hands.page.reload();
      await hands.page.waitForSelector("html[data-ready]");
      // Black has one legal move.
      await hands.start({ opponent: "computer", color: "white", fen: "7k/7P/5K2/8/8/8/8/6R1 b - - 0 1" });
      await hands.drag("g1", "h1");
      await hands.page.waitForSelector('.square.premove[data-square="h1"]');
      await hands.sees("R", "g1");
      release();
      await hands.sees("R", "h1");
      assert.match(await hands.text(".moves"), /Kxh7[\s\S]*Rh1\+/);
      await hands.done();
    });

    it("works offline after the first load", async () => {
      const own = await startTarget();
      const hands = await open(browser, own.url, { allow: AWAY });
      await hands.page.evaluate(async () => {
        await navigator.serviceWorker.ready;
        if (!navigator.serviceWorker.controller) {
          await new Promise((resolve) =>
            navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true }),
          );
        }
      });
      await own.close();
      await hands.context.setOffline(true);
      await hands.page.reload();
      await hands.page.waitForSelector("html[data-ready]");
      await hands.start();
      await hands.clickMove("e2", "e4");
      await hands.sees("P", "e4");
      await hands.done();
    });

    it("a server that is killed and started again in mid-game", async () => {
      const own = await startTarget();
      const hands = await open(browser, own.url, { allow: AWAY });
      await hands.start({ opponent: "computer", color: "white", level: 1 });
      await hands.clickMove("e2", "e4");
      await hands.page.waitForSelector(".moves li:first-child .move:nth-of-type(2)");
      await own.kill();
      await hands.type("Nf3");
      await hands.sees("N", "f3");
      // The static site's engine is in the page and plays on; the native one is waited for.
      if (name === "tabiya serve") await hands.waitForText(".status", /cannot be reached/);
      const again = await startTarget(own);
      await hands.page.waitForSelector(".moves li:nth-child(2) .move:nth-of-type(2)");
      await hands.page.reload();
      await hands.page.waitForSelector("html[data-ready]");
      await hands.sees("N", "f3");
      await hands.done();
      if (name === "tabiya serve") {
        // The record on disk has the game too: a browser that knows nothing finds it.
        const other = await open(browser, again.url);
        await other.page.click(".continue");
        await other.sees("N", "f3");
        await other.done();
      }
      await again.close();
    });

    // The server's engine is in the server.
    if (name === "static site")
      it("an engine that cannot be loaded says so, and is tried again", async () => {
        const allow = [/Service Worker registration blocked/, ...AWAY];
        const hands = await open(browser, target.url, { serviceWorkers: "block", allow });
        await hands.context.route("**/network.nn", (route) => route.abort());
        await hands.page.reload();
        await hands.page.waitForSelector("html[data-ready]");
        await hands.start({ opponent: "computer", color: "black", level: 1 });
        await hands.waitForText(".status", /The engine could not be loaded/);
        await hands.context.unroute("**/network.nn");
        await hands.page.click("text=Try again");
        await hands.waitForText(".status", /Your turn/);
        await hands.done();
      });

    // A static host has no archive, and cannot bring two people together.
    if (name === "tabiya serve") {
      /** The first moves of the explorer, each with everything that its row says. */
      const rows = async (hands, count) => {
        await hands.page.waitForFunction(
          (wanted) =>
            document.querySelector(".explorer-list").getAttribute("aria-busy") === "false" &&
            document.querySelectorAll(".explorer tbody tr").length === wanted,
          count,
        );
        return hands.page.evaluate(() =>
          [...document.querySelectorAll(".explorer tbody tr")].map((row) =>
            [...row.cells].map((cell) => cell.querySelector("[role=img]")?.ariaLabel ?? cell.innerText).join(" | "),
          ),
        );
      };

      it("the explorer of an archive follows the position, and its moves can be played", async () => {
        const own = await startServer(process.env.TABIYA, { games: CLUB });
        const hands = await open(browser, own.url, { hash: "#/analyse", allow: AWAY });
        const { page: tab } = hands;
        await hands.waitForText(".explorer summary", /Opening explorer · Club games/);
        assert.deepEqual(await rows(hands, 3), [
          "e4 | 3 | White wins 33 %, draw 33 %, Black wins 33 % | 2300 | 2024",
          "d4 | 1 | White wins 100 %, draw 0 %, Black wins 0 % | 2100 | 2020",
          "(end) | 1 | White wins 0 %, draw 100 %, Black wins 0 % | 2000 | 2018",
        ]);
        assert.match(await hands.text(".explorer tfoot"), /All\s+5/);
        // By mouse, anywhere in the row.
        await tab.click(".explorer tbody tr:first-child .results");
        await hands.sees("P", "e4");
        assert.match((await rows(hands, 2)).join(), /^c5 \| 2 .* 2450 \| 2024,e5 \| 1 /);
        // By keyboard: the focus stays in the list.
        await tab.focus('.explorer button[aria-label="c5, 2 games"]');
        await tab.keyboard.press("Enter");
        await hands.sees("p", "c5");
        assert.match((await rows(hands, 2)).join(), /^c3 .*,Nf3 /);
        await tab.waitForFunction(() => document.activeElement.textContent === "c3");
        await tab.keyboard.press("Enter");
        await hands.empty("c2");
        assert.match((await rows(hands, 1))[0], /^\(end\)/);
        // It follows the one who walks.
        await tab.keyboard.press("ArrowLeft");
        assert.match((await rows(hands, 2)).join(), /^c3 .*,Nf3 /);
        await tab.keyboard.press("ArrowUp");
        await rows(hands, 3);
        await hands.type("a4");
        await hands.waitForText(".explorer-list p", /No game in the archive reached this position\./);
        assert.equal(await tab.isVisible(".explorer table"), false);
        // Without its server it says so; a new one without an archive has none.
        await own.kill();
        await hands.type("a5");
        await hands.waitForText(".explorer-list p", /The server cannot be reached/);
        const again = await startServer(process.env.TABIYA, { home: own.home, port: own.port });
        await hands.type("b4");
        await tab.waitForSelector(".explorer", { state: "hidden" });
        await hands.done();
        await again.close();
      });

      it("the explorer has no serious finding of axe and no overflow, in light, dark, German and on a phone", async () => {
        const own = await startServer(process.env.TABIYA, { games: CLUB });
        for (const options of [
          { colorScheme: "light" },
          { colorScheme: "dark", locale: "de-DE" },
          { colorScheme: "light", viewport: { width: 360, height: 740 }, locale: "de-DE" },
          { colorScheme: "dark", viewport: { width: 360, height: 740 } },
        ]) {
          const hands = await open(browser, own.url, { hash: "#/analyse", ...options });
          await rows(hands, 3);
          assert.deepEqual(await hands.axe(), []);
          assert.equal(await hands.overflow(), 0);
          if (options.locale)
            await hands.waitForText(".explorer", /Eröffnungsexplorer · Club games.*Zug.*Partien.*Alle/);
          await hands.done();
        }
        await own.close();
      });

      it("a friend on the network, by a link that survives a restart of the server", async () => {
        const own = await startServer(process.env.TABIYA, { host: "0.0.0.0" });
        // Without https there is neither a service worker nor isolation, and the browser says so.
        const allow = [/Cross-Origin-Opener-Policy/, ...AWAY];
        const white = await open(browser, own.url, { allow });
        await white.page.check("input[name=opponent][value=link]");
        await white.page.click("#start-game");
        const link = await white.text(".link");
        await white.page.click("text=Play >> nth=-1");
        await white.waitForText(".status", /Waiting for your friend/);
        const black = await open(browser, link, { hash: "", allow });
        await black.page.waitForSelector(".game");
        await white.waitForText(".status", /to move|Your turn/);
        await white.clickMove("e2", "e4");
        await black.sees("P", "e4");
        await own.kill();
        await black.waitForText(".status", /connection to the server is lost/);
        // A move without a server is shown, and sent when there is one again.
        await black.clickMove("e7", "e5");
        await black.sees("p", "e5");
        const again = await startServer(process.env.TABIYA, { home: own.home, port: own.port, host: "0.0.0.0" });
        await white.sees("p", "e5");
        await white.waitForText(".status", /to move|Your turn/);
        await white.clickMove("g1", "f3");
        await black.sees("N", "f3");
        await white.page.click("text=Take back");
        await black.waitForText(".status", /White asks to take back a move/);
        await black.page.click("text=Accept");
        await white.sees("N", "g1");
        await black.page.click("text=Resign");
        await black.page.click("#confirm-yes");
        await white.waitForText(".result", /1–0/);
        await white.waitForText(".sides", /White\d+ %/);
        // The next game has its own summary.
        await white.page.click("#rematch");
        await black.waitForText(".status", /White: Rematch\?/);
        await black.page.click("#rematch");
        await black.page.waitForFunction(() => document.querySelector("tabiya-board").orientation === "white");
        for (const [hands, move] of [
          [black, "f3"],
          [white, "e5"],
          [black, "g4"],
        ]) {
          await hands.waitForText(".status", /Your turn/);
          await hands.type(move);
        }
        await white.waitForText(".status", /Your turn/);
        await white.type("Qh4");
        await black.waitForText(".result", /0–1.*2\. g4/);
        await white.done();
        await black.done();
        await again.close();
      });
    }

    page("the flag falls: a draw if the other side cannot mate, a loss if it can", {}, async (hands) => {
      // The page's clock jumps; nobody waits.
      await hands.page.clock.install();
      const flag = async (fen, result) => {
        await hands.start({ fen, clock: "1+0" });
        for (const move of ["Kd2", "Kd7", "Ke2"]) await hands.type(move);
        await hands.sees("K", "e2");
        await hands.page.clock.runFor(70_000);
        await hands.waitForText(".result", result);
        await hands.page.click("#new-game");
        await hands.page.waitForSelector(".setup");
      };
      // Black runs out of time against a lone knight: a draw with a queen, but a pawn could block its own king.
      await flag("4k3/q7/8/8/8/8/8/N2K4 w - - 0 1", /½–½.*cannot mate/);
      await flag("4k3/p7/8/8/8/8/8/N2K4 w - - 0 1", /1–0.*ran out of time/);
    });

    page("the computer declines a draw that it is winning, and accepts one that it is not", {}, async (hands) => {
      const offer = async (fen) => {
        await hands.start({ opponent: "computer", color: "white", level: 5, fen });
        await hands.type("Kd2");
        await hands.page.waitForSelector(".moves li:first-child .move:nth-of-type(2)");
        await hands.page.click(".actions >> text=Draw");
        await hands.page.click("#confirm-yes");
      };
      await offer("4k3/8/8/8/7q/8/8/3K4 w - - 0 1");
      await hands.waitForText(".toast", /declines/);
      await hands.page.click("text=Resign");
      await hands.page.click("#confirm-yes");
      await hands.page.click("#new-game");
      await offer("4k3/8/8/8/8/8/R6Q/3K4 w - - 0 1");
      await hands.waitForText(".result", /½–½.*agreement/);
    });

    page("German", { locale: "de-DE" }, async (hands) => {
      await hands.waitForText("h1", /Neue Partie/);
      assert.equal(await hands.page.getAttribute("html", "lang"), "de");
      await hands.page.waitForSelector('.square[aria-label="e2, weißer Bauer"]', { state: "attached" });
      await hands.start();
      await hands.type("Ke2");
      await hands.waitForText("#announcer", /Auf e2 steht dein eigener Bauer\./);
      for (const move of ["f3", "e5", "g4", "Qh4"]) await hands.type(move);
      await hands.waitForText(".result", /0–1 · Schwarz gewinnt.*Schachmatt: Schwarz gewinnt\./);
    });

    page("settings survive a reload", { hash: "#/settings" }, async (hands) => {
      await hands.page.check("input[name=theme][value=dark]");
      await hands.page.check("input[name=board][value=forest]");
      await hands.page.reload();
      await hands.page.waitForSelector('html[data-theme="dark"][data-board="forest"]');
      await hands.page.keyboard.press("Home");
    });
  });
}
