import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { AuthError } from "../errors.ts";
import { LOGIN_TIMEOUT } from "../limits.ts";

const PATH = "/callback";

/** A listener on the loopback address for an authorization server's answer. */
export interface Callback extends AsyncDisposable {
  /** The redirect address, with the port. */
  readonly address: string;
  /** Returns the parameters of the first answer that has this state; other answers are discarded. */
  answer(state: string, signal?: AbortSignal): Promise<URLSearchParams>;
}

/**
 * Opens the listener.
 *
 * @param port 0 for any free port
 * @throws {@link AuthError} `auth-credential` if the port is not free
 */
export async function listenForCallback(port: number): Promise<Callback> {
  const server = createServer({ maxHeaderSize: 64 * 1024, requestTimeout: 10_000 });
  let receive: ((parameters: URLSearchParams) => boolean) | undefined;
  server.on("request", ({ method, url = "" }, response) => {
    const target = new URL(url, "http://127.0.0.1");
    if (method !== "GET" || target.pathname !== PATH) return page(response, 404, "There is nothing here.");
    if (receive?.(target.searchParams)) return page(response, 200, "The answer has arrived. You can close this page.");
    return page(response, 400, "This answer does not belong to a pending login.");
  });
  await listen(server, port);
  const { port: bound } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${bound}${PATH}`,
    answer: (state, signal) =>
      new Promise((resolve, reject) => {
        const late = AbortSignal.timeout(LOGIN_TIMEOUT);
        const ended = signal === undefined ? late : AbortSignal.any([late, signal]);
        const end = (): void => {
          const why = late.aborted ? `no one logged in within ${LOGIN_TIMEOUT / 1000} s` : "the login was cancelled";
          reject(new AuthError("auth-limit", why, { fix: "run the command again" }));
        };
        if (ended.aborted) return end();
        ended.addEventListener("abort", end, { once: true });
        receive = (parameters) => {
          if (parameters.get("state") !== state) return false;
          receive = undefined;
          resolve(parameters);
          return true;
        };
      }),
    [Symbol.asyncDispose]: async () => {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      });
    },
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause) => {
      const message = `cannot listen on 127.0.0.1:${port}`;
      reject(
        new AuthError("auth-credential", message, {
          expected: "a free port",
          fix: "name another --redirect-port",
          cause,
        }),
      );
    });
    server.listen(port, "127.0.0.1", resolve);
  });
}

function page(response: ServerResponse, status: number, sentence: string): void {
  response
    .writeHead(status, {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": "default-src 'none'",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
      connection: "close",
    })
    .end(`<!doctype html><html lang="en"><title>agentprint</title><p>${sentence}</p></html>\n`);
}
