// Starts `tabiya serve` on a free port, with a home of its own.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** `home` and `port` let a test start a killed server again in its old place. */
export function startServer(tabiya, { home = mkdtempSync(join(tmpdir(), "tabiya-")), port = 0, host = null } = {}) {
  const child = spawn(tabiya, ["serve", "--port", String(port), "--no-open", ...(host ? ["--host", host] : [])], {
    env: {
      ...process.env,
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
