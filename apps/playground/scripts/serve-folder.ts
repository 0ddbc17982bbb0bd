import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { PAGE_HEADER, WORKER_HEADER } from "../build/policies.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
};

/** A static server below a path, as a stranger might have one. */
export interface Served {
  /** Address of the page. */
  readonly url: string;
  close(): void;
}

/** Serves a folder below a path, with the headers that the README recommends or with none. */
export async function serveFolder(folder: string, path: string, withHeaders: boolean): Promise<Served> {
  const server = createServer((request, response) => {
    const asked = decodeURIComponent(new URL(request.url ?? "/", "http://localhost").pathname);
    const name = asked === path ? "index.html" : normalize(asked.slice(path.length));
    const file = join(folder, name);
    if (!asked.startsWith(path) || name.startsWith("..") || !existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404).end();
      return;
    }
    const policy = name.startsWith("assets/worker-") ? WORKER_HEADER : PAGE_HEADER;
    response.writeHead(200, {
      "content-type": TYPES[extname(file)] ?? "application/octet-stream",
      ...(withHeaders && { "content-security-policy": policy }),
    });
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${encodeURI(path)}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
