/// <reference lib="webworker" />
// The service worker: a classic script, into which the build writes the names of all files.

declare const VERSION: string;
/** The files that the page needs to open. */
declare const SHELL: readonly string[];
declare const FILES: readonly string[];

const scope = self as unknown as ServiceWorkerGlobalScope;
const PREFIX = "agentprint-playground-";
const CACHE = `${PREFIX}${scope.registration.scope}-${VERSION}`;

scope.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(SHELL)));
});

scope.addEventListener("activate", (event) => {
  event.waitUntil(forgetOld().then(() => scope.clients.claim()));
});

/** Keeps every file when the page asks for it, and reports whether that worked. */
scope.addEventListener("message", (event) => {
  const [port] = event.ports;
  if (event.data !== "keep" || port === undefined) return;
  const keeping = caches.open(CACHE).then((cache) => cache.addAll(FILES));
  const answer = keeping.then(
    () => port.postMessage({ kept: FILES.length }),
    (error: unknown) => port.postMessage({ error: String(error) }),
  );
  event.waitUntil(answer);
});

scope.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(scope.registration.scope)) return;
  event.respondWith(answerTo(request));
});

/** Returns this version's cached response, or else the server's response, which it caches. */
async function answerTo(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  const [address] = request.url.split(/[?#]/);
  const kept = await cache.match(address === scope.registration.scope ? "index.html" : request, { ignoreVary: true });
  if (kept !== undefined) return kept;
  const response = await fetch(request);
  if (response.ok && response.type === "basic") await cache.put(request, response.clone());
  return response;
}

async function forgetOld(): Promise<void> {
  const own = `${PREFIX}${scope.registration.scope}-`;
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(own) && name !== CACHE).map((name) => caches.delete(name)));
}
