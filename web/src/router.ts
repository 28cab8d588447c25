/** Addresses: `#/play`, `#/analyse?fen=…`. Everything after `#` stays on this computer. */

import { signal } from "./signal";

/** Makes the page for an address. */
export type View = (parameters: URLSearchParams) => HTMLElement;

export const route = signal({ path: "play", parameters: new URLSearchParams() });

function read(): { path: string; parameters: URLSearchParams } {
  const [path = "", query = ""] = location.hash.replace(/^#\/?/, "").split("?", 2);
  return { path: path || "play", parameters: new URLSearchParams(query) };
}

export function startRouter(): void {
  route.value = read();
  addEventListener("hashchange", () => {
    route.value = read();
  });
}

export function navigate(hash: string): void {
  if (location.hash === hash) route.value = read();
  else location.hash = hash;
}

/** Changes the address without leaving the page. */
export function replaceAddress(hash: string): void {
  history.replaceState(null, "", hash);
}
