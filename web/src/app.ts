/** What every part of the page shares: the rules, the engine, and ways to tell the user something. */

import { h } from "./dom";
import { openEngine, type Engine, type EngineState } from "./engine";
import { Rules } from "./rules";
import { mode } from "./server";
import { settings } from "./settings";
import { signal } from "./signal";
import { t } from "./texts";

let loadedRules: Rules | null = null;

export function setRules(rules: Rules): void {
  loadedRules = rules;
}

export function rules(): Rules {
  if (!loadedRules) throw new Error("The rules are not loaded yet.");
  return loadedRules;
}

let opened: Engine | null = null;
export const engineState = signal<EngineState>("loading");

/** The one engine of the page. It is started when it is first needed. */
export function engine(): Engine {
  if (opened) return opened;
  const at = (path: string) => new URL(path, document.baseURI);
  if (mode() === "server") {
    const socket = at("/api/engine");
    socket.protocol = socket.protocol === "https:" ? "wss:" : "ws:";
    opened = openEngine({ socket });
  } else {
    opened = openEngine({ worker: at("engine-worker.js"), wasm: at("engine.wasm"), network: at("network.nn") });
  }
  opened.onstate = (state, message) => {
    engineState.value = state;
    if (state === "failed" && message) toast(message);
  };
  return opened;
}

const region = h("div", { class: "hidden-text", role: "status", "aria-live": "polite", id: "announcer" });
const toasts = h("div", { class: "toasts", role: "status", "aria-live": "polite" });

export function mountMessages(): void {
  document.body.append(region, toasts);
}

/** Says something to screen readers; `lang` if it is not in the language of the page. */
export function announce(text: string, lang?: string): void {
  region.textContent = "";
  region.lang = lang ?? "";
  // An empty region first, so that the same words twice are spoken twice.
  requestAnimationFrame(() => {
    region.textContent = text;
  });
}

/** Shows a short message for a while. */
export function toast(text: string): void {
  const message = h("div", { class: "toast" }, text);
  toasts.append(message);
  setTimeout(() => message.remove(), 5000);
}

/** Asks a question in a dialog. Resolves with whether the answer was yes. */
export function confirm(question: string, yes: string = t("yes")): Promise<boolean> {
  return new Promise((resolve) => {
    const done = (answer: boolean) => {
      dialog.close();
      dialog.remove();
      resolve(answer);
    };
    const dialog = h(
      "dialog",
      {
        class: "dialog",
        "aria-label": question,
        oncancel: (event: Event) => {
          event.preventDefault();
          done(false);
        },
      },
      h("p", null, question),
      h(
        "div",
        { class: "row end" },
        h("button", { type: "button", class: "button", onclick: () => done(false) }, t("cancel")),
        h("button", { type: "button", class: "button primary", id: "confirm-yes", onclick: () => done(true) }, yes),
      ),
    );
    document.body.append(dialog);
    dialog.showModal();
    dialog.querySelector<HTMLButtonElement>("#confirm-yes")!.focus();
  });
}

/** Opens a dialog with a title and a button that closes it. */
export function openDialog(title: string, content: HTMLElement): HTMLDialogElement {
  const dialog: HTMLDialogElement = h(
    "dialog",
    {
      class: "dialog",
      "aria-label": title,
      onclose: () => {
        dialog.remove();
      },
    },
    h("h2", null, title),
    content,
    h(
      "div",
      { class: "row end" },
      h("button", { type: "button", class: "button primary", onclick: () => dialog.close() }, t("close")),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without permission or a secure context: the old way.
    const area = h("textarea", { class: "hidden-text" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  toast(t("copied"));
}

export function download(name: string, text: string | BlobPart[]): void {
  const url = URL.createObjectURL(new Blob(Array.isArray(text) ? text : [text], { type: "application/x-chess-pgn" }));
  const link = h("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

let audio: AudioContext | null = null;

/** A short wooden knock; lower for a capture, higher for a check. */
export function playSound(kind: "move" | "capture" | "check" | "end"): void {
  if (!settings.peek().sound) return;
  audio ??= new AudioContext();
  const frequency = { move: 320, capture: 220, check: 520, end: 400 }[kind];
  const length = kind === "end" ? 0.5 : 0.09;
  const oscillator = audio.createOscillator();
  const gain = audio.createGain();
  oscillator.type = "triangle";
  oscillator.frequency.setValueAtTime(frequency, audio.currentTime);
  oscillator.frequency.exponentialRampToValueAtTime(frequency / 2, audio.currentTime + length);
  gain.gain.setValueAtTime(0.25, audio.currentTime);
  gain.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + length);
  oscillator.connect(gain).connect(audio.destination);
  oscillator.start();
  oscillator.stop(audio.currentTime + length);
}
