/**
 * Keeps the page usable without a network: its files are stored at the first visit, the engine's when they are first
 * used. On a static host it also adds the headers without which a search cannot be stopped at once.
 */

export {};

declare const VERSION: string;
declare const FILES: string[];
declare const self: ServiceWorkerGlobalScope;

const CACHE = `tabiya-${VERSION}`;

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(FILES.map((file) => new Request(file, { cache: "reload" }))))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys())
        if (name.startsWith("tabiya-") && name !== CACHE) await caches.delete(name);
      await self.clients.claim();
    })(),
  );
});

function isolated(response: Response): Response {
  if (response.status === 0 || response.headers.has("Cross-Origin-Embedder-Policy")) return response;
  const headers = new Headers(response.headers);
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  headers.set("Cross-Origin-Embedder-Policy", "require-corp");
  headers.set("Cross-Origin-Resource-Policy", "same-origin");
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}

async function answer(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  const stored = await cache.match(request, { ignoreSearch: request.mode === "navigate" });
  if (request.mode === "navigate") {
    // The newest page if there is a network, the stored one if not.
    try {
      const response = await fetch(request);
      if (response.ok) await cache.put("./", response.clone());
      return isolated(response);
    } catch {
      return isolated(stored ?? (await cache.match("./")) ?? Response.error());
    }
  }
  if (stored) return isolated(stored);
  const response = await fetch(request);
  if (response.ok && response.type === "basic") await cache.put(request, response.clone());
  return isolated(response);
}

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== self.location.origin || url.pathname.startsWith("/api")) return;
  event.respondWith(answer(event.request));
});
