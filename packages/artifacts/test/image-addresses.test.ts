import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { askImageRegistry } from "../src/oci/ask-registry.ts";

const MANIFEST = JSON.stringify({ schemaVersion: 2, layers: [] });
const ends: (() => void)[] = [];
let asked: string[] = [];

beforeEach(() => {
  asked = [];
});
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** Starts a server on the loopback network that records its requests; returns its host. */
async function listen(handle: RequestListener): Promise<string> {
  const server = createServer((request, response) => {
    asked.push(`${request.headers.host} ${request.url?.split("?")[0]} ${request.headers.authorization ?? "-"}`);
    handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const redirecting = (to: string): Promise<string> =>
  listen((_request, response) => response.writeHead(307, { location: to }).end());
const challenging = (realm: string): Promise<string> =>
  listen((_request, response) =>
    response.writeHead(401, { "www-authenticate": `Bearer realm="${realm}",service="s"` }).end(),
  );

test.each([
  ["http://169.254.169.254/latest/meta-data", "forbidden address"],
  ["http://[fe80::1]/", "forbidden address"],
  ["http://0.0.0.0/", "forbidden address"],
  ["ftp://127.0.0.1/", "instead of an HTTP address"],
])("neither a redirect nor a realm of a registry leads to %s", async (to, reason) => {
  const [redirect, realm] = [await redirecting(to), await challenging(to)];
  const refused = { code: "no-answer", message: expect.stringContaining(reason) };
  await expect(askImageRegistry(`${redirect}/a`, "1")).rejects.toMatchObject(refused);
  const error = await askImageRegistry(`${realm}/a`, "1").catch((thrown: unknown) => thrown);
  // A realm that is not an HTTP address is not a challenge, so the image needs a login.
  expect(["no-answer", "not-found"]).toContain((error as { code?: string }).code);
  expect(asked).toHaveLength(2);
});

test("a registry of this machine may redirect on this machine, and another origin gets no token", async () => {
  const other = await listen((_request, response) => response.end(MANIFEST));
  const registry = await listen((request, response) => {
    if (request.url?.startsWith("/token")) response.end(JSON.stringify({ token: "secret" }));
    else if (request.headers.authorization === undefined) {
      const realm = `http://${request.headers.host}/token`;
      response.writeHead(401, { "www-authenticate": `Bearer realm="${realm}"` }).end();
    } else response.writeHead(307, { location: `http://${other}/elsewhere` }).end();
  });
  expect(await askImageRegistry(`${registry}/a`, "1")).toMatchObject({ integrity: expect.stringMatching(/^sha256:/) });
  expect(asked).toEqual([
    `${registry} /v2/a/manifests/1 -`,
    `${registry} /token -`,
    `${registry} /v2/a/manifests/1 Bearer secret`,
    `${other} /elsewhere -`,
  ]);
});

test("the number of redirects is limited", async () => {
  const registry = await listen((request, response) =>
    response.writeHead(307, { location: String(request.url) }).end(),
  );
  const endless = { code: "no-answer", message: expect.stringContaining("redirects endlessly") };
  await expect(askImageRegistry(`${registry}/a`, "1")).rejects.toMatchObject(endless);
  expect(asked).toHaveLength(6);
});
