// Starts `tabiya serve` on a free port, with a home of its own.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";

/** The program that builds and reads archives. */
const ARCHIVE = process.env.TABIYA_ARCHIVE ?? "tabiya-archive";

/** Builds an archive of some games, if it is not there. */
function archiveOf(pgn, folder) {
  if (existsSync(folder)) return folder;
  const games = `${folder}.pgn`;
  writeFileSync(games, pgn);
  const { status, stderr, error } = spawnSync(ARCHIVE, ["build", games, "-o", folder], { encoding: "utf8" });
  if (status !== 0) throw new Error(`${ARCHIVE} cannot build an archive: ${error ?? stderr}`);
  return folder;
}

/** `home` and `port` let a test start a killed server again in its old place; `games` is the PGN of an archive. */
export function startServer(
  tabiya,
  { home = mkdtempSync(join(tmpdir(), "tabiya-")), port = 0, host = null, games = null } = {},
) {
  const options = ["serve", "--port", String(port), "--no-open"];
  if (host) options.push("--host", host);
  if (games) options.push("--archive", archiveOf(games, join(home, "Club games")));
  const child = spawn(tabiya, options, {
    env: {
      ...process.env,
      PATH: `${process.env.PATH}${delimiter}${dirname(ARCHIVE)}`,
      HOME: home,
      XDG_DATA_HOME: join(home, "data"),
      XDG_CONFIG_HOME: join(home, "config"),
      TABIYA_HOME: home,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  return new Promise((resolve, reject) => {
    let output = "";
    const read = (chunk) => {
      output += chunk;
      const url = /http:\/\/\S+?:(\d+)\/\S*(?=\s)/.exec(output);
      if (!url) return;
      resolve({
        url: url[0],
        port: Number(url[1]),
        home,
        kill: async () => {
          child.kill("SIGKILL");
          await ended;
        },
        close: async () => {
          child.kill("SIGINT");
          await ended;
          rmSync(home, { recursive: true, force: true });
        },
      });
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("exit", (code) => reject(new Error(`tabiya serve ended with ${code}:\n${output}`)));
    child.once("error", reject);
  });
}
