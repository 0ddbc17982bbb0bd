import { trustedUrl } from "../engine/trusted-urls.ts";

/** The service worker's response to a request to keep all files. */
export type Kept = { readonly kept: number } | { readonly error: string };

/**
 * Registers the service worker, which keeps what the page loads.
 *
 * @throws {Error} if the browser does not support service workers, or not at this address
 */
export async function registerServiceWorker(): Promise<void> {
  if (!("serviceWorker" in navigator)) throw new Error("no service worker");
  await navigator.serviceWorker.register(trustedUrl(new URL("service-worker.js", document.baseURI).href));
}

/** Asks the service worker to keep all files of the page; returns how many it kept. */
export async function keepEverything(): Promise<Kept> {
  const { active } = await navigator.serviceWorker.ready;
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }: MessageEvent<Kept>) => resolve(data);
    active?.postMessage("keep", [port2]);
  });
}
