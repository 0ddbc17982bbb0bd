import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { createGunzip } from "node:zlib";
import { type ProgramEnd, runBeside } from "@agentprint/testing/programs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { REPOSITORY } from "../examples.ts";

const ADVISORY = {
  id: 1,
  url: "https://advisories.example/1",
  title: "Reads beyond its end",
  severity: "high",
  vulnerable_versions: "<1.2.0",
};

let folder = "";
let registry: Server;
let asked: unknown[];
/** The advisories that the registry has; if `undefined`, it does not answer npm's query. */
let advisories: Readonly<Record<string, readonly (typeof ADVISORY)[]>> | undefined;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "advisories-test-"));
  [asked, advisories] = [[], {}];
  registry = createServer(async (request, response) => {
    if (request.url !== "/-/npm/v1/security/advisories/bulk" || advisories === undefined) {
      response.writeHead(request.method === "POST" ? 405 : 404).end();
      return;
    }
    const isPacked = request.headers["content-encoding"] === "gzip";
    asked.push(await json(isPacked ? request.pipe(createGunzip()) : request));
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(advisories));
  });
  await new Promise<void>((resolve) => registry.listen(0, "127.0.0.1", resolve));
});
afterEach(() => {
  registry.close();
  registry.closeAllConnections();
  rmSync(folder, { recursive: true });
});

/** Writes a bill of materials that lists the packages. */
function billOf(name: string, packages: readonly (readonly [name: string, version: string])[]): string {
  const file = join(folder, name);
  const components = packages.map(([id, version]) => {
    const [, group, own] = /^(?:(@[^/]+)\/)?(.+)$/.exec(id) ?? [];
    return { type: "library", ...(group !== undefined && { group }), name: own, version };
  });
  writeFileSync(file, JSON.stringify({ bomFormat: "CycloneDX", specVersion: "1.6", version: 1, components }));
  return file;
}

/** Asks this test's registry as the release job would. */
function ask(...files: readonly string[]): Promise<ProgramEnd> {
  const { port } = registry.address() as AddressInfo;
  const env = {
    ...process.env,
    npm_config_registry: `http://127.0.0.1:${port}/`,
    npm_config_cache: join(folder, "cache"),
    npm_config_fetch_retries: "0",
  };
  return runBeside(process.execPath, [`${REPOSITORY}apps/scripts/src/release/advisories.ts`, ...files], { env });
}

test("npm is asked for each version of each package, and no advisory is exit code 0", async () => {
  const packages = [
    ["inner", "1.1.0"],
    ["inner", "1.2.0"],
    ["@scope/other", "3.0.0"],
  ] as const;
  const file = billOf("bill.json", packages);
  expect(await ask(file)).toEqual({
    code: 0,
    stdout: `${file}: 0 advisories concern 3 packages\n`,
    stderr: expect.any(String),
  });
  expect(asked).toEqual([{ inner: expect.arrayContaining(["1.1.0", "1.2.0"]), "@scope/other": ["3.0.0"] }]);
});

test("an advisory is printed with its address, and is exit code 1", async () => {
  advisories = { inner: [ADVISORY] };
  const file = billOf("bill.json", [["inner", "1.1.0"]]);
  const { code, stdout } = await ask(file);
  expect(stdout).toBe(
    `${file}: 1 advisories concern 1 packages\nError: high: inner <1.2.0: Reads beyond its end (https://advisories.example/1)\n`,
  );
  expect(code).toBe(1);
});

test("an advisory that concerns other versions alone is none", async () => {
  advisories = { inner: [ADVISORY] };
  expect(await ask(billOf("bill.json", [["inner", "1.2.0"]]))).toMatchObject({ code: 0 });
});

test("a registry that does not answer, a bill that is not one, and none at all are exit code 2, also in addition to an advisory", async () => {
  const file = billOf("bill.json", [["inner", "1.1.0"]]);
  advisories = { inner: [ADVISORY] };
  const missing = join(folder, "missing.json");
  const [found, unread] = [await ask(file, missing), await ask(missing)];
  expect(found).toMatchObject({ code: 2, stdout: expect.stringContaining("1 advisories concern 1 packages") });
  expect(found.stdout).toContain(`${missing}: could not tell: ENOENT`);
  expect(unread).toMatchObject({ code: 2 });
  writeFileSync(missing, JSON.stringify({ bomFormat: "CycloneDX", specVersion: "1.6", components: [{ name: "a" }] }));
  expect(await ask(missing)).toMatchObject({
    code: 2,
    stdout: expect.stringContaining("could not tell: CycloneDX 1.6"),
  });
  expect(await ask()).toMatchObject({ code: 2, stdout: "expected the file of a bill of materials\n" });
  advisories = undefined;
  expect(await ask(file)).toMatchObject({
    code: 2,
    stdout: expect.stringMatching(/could not tell: npm audit: 405 Method Not Allowed/),
  });
});
