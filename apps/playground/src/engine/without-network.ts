/** The globals through which a worker could reach the network or other pages. */
const WAYS_OUT = [
  "fetch",
  "XMLHttpRequest",
  "WebSocket",
  "WebSocketStream",
  "WebTransport",
  "EventSource",
  "BroadcastChannel",
  "Worker",
  "importScripts",
];

/**
 * Removes a worker's network functions before it reads anything: a policy in a `meta` element does not apply to a
 * worker, and a server may send no header.
 */
export function withoutNetwork(scope: object): void {
  for (let holder: object | null = scope; holder !== null; holder = Object.getPrototypeOf(holder)) {
    for (const name of WAYS_OUT) Reflect.deleteProperty(holder, name);
  }
}
