import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { runs } from "@agentprint/testing/property-runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Guarded, INITIALIZE } from "../guard/guarded.ts";
import { listening, postCall } from "../guard/support.ts";
import { Workspace } from "../support/workspace.ts";

/** A server of both eras that logs each of its starts. */
const serverOf = (mark: string) => `
import { createInterface } from "node:readline";
import { appendFileSync } from "node:fs";
appendFileSync("started.log", ${JSON.stringify(`${mark}\n`)});
console.error("errors of ${mark}");
const about = { resultType: "complete", _meta: { "io.modelcontextprotocol/serverInfo": { name: "s", version: "1" } } };
const answers = {
  initialize: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } },
  "server/discover": { ...about, supportedVersions: ["2026-07-28"], capabilities: { tools: {} } },
  "tools/list": { ...about, ttlMs: 0, cacheScope: "private", tools: [{ name: "t", inputSchema: { type: "object" } }] },
  "tools/call": { ...about, content: [{ type: "text", text: "answered by ${mark}" }] },
};
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  const result = answers[method];
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, ...(result ? { result } : { error: { code: -32601, message: "?" } }) }));
});
`;
const [PINNED, OTHER] = [serverOf("pinned"), serverOf("other")];

async function pinned(...args: string[]): Promise<Workspace> {
  const space = new Workspace();
  writeFileSync(space.path("server.mjs"), PINNED);
  await pin(space, ...args);
  return space;
}

async function pin(space: Workspace, ...args: string[]): Promise<void> {
  const launch = args.length > 0 ? args : [process.execPath, "server.mjs"];
  const { code, stderr } = await space.run(["pin", "--name", "s", "--", ...launch]);
  if (code !== 0) throw new Error(stderr);
  writeFileSync(space.path("started.log"), "");
}

const started = (space: Workspace): string[] =>
  readFileSync(space.path("started.log"), "utf8").split("\n").filter(Boolean);

const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const post = (url: URL, body: object, session?: string): Promise<Response> =>
  fetch(url, {
    method: "POST",
    headers: { ...headers, ...(session !== undefined && { "mcp-session-id": session }) },
    body: JSON.stringify(body),
  });

/** Opens a session in the era with the handshake, and returns the status, text and session of the answer. */
async function open(url: URL): Promise<{ status: number; text: string; session: string | undefined }> {
  const response = await post(url, INITIALIZE);
  return {
    status: response.status,
    text: await response.text(),
    session: response.headers.get("mcp-session-id") ?? undefined,
  };
}

const call = { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "t", arguments: {} } };

test("a replaced script is started by no session and no modern request, and running processes continue", async () => {
  using space = await pinned();
  await using guard = await listening(space, ["s"]);
  const before = await open(guard.url);
  expect(before).toMatchObject({ status: 200, session: expect.any(String) });
  await post(guard.url, { jsonrpc: "2.0", method: "notifications/initialized" }, before.session);

  writeFileSync(space.path("server.mjs"), OTHER);
  expect(await open(guard.url)).toMatchObject({ status: 500, text: expect.stringContaining("could not be started") });
  const modern = await (await postCall(guard.url, "t", {})).text();
  expect(modern).toContain("Refused by the guard");
  expect(new Set(started(space))).toEqual(new Set(["pinned"]));
  const answered = await (await post(guard.url, call, before.session)).text();
  expect(answered).toContain("answered by pinned");

  // Once the lock in force contains the new file, the new file is started.
  expect((await space.run(["approve", "s", "--yes"])).stderr).toContain("a file other than the pinned one");
  writeFileSync(space.path("started.log"), "");
  const deadline = Date.now() + 60_000;
  while ((await open(guard.url)).status !== 200 && Date.now() < deadline) await sleep(50);
  expect(new Set(started(space))).toEqual(new Set(["other"]));
});

test("whatever happens to the script, a session starts it if and only if its bytes are the pinned ones", async () => {
  using space = await pinned();
  await using guard = await listening(space, ["s"]);
  const change = fc.record({
    text: fc.constantFrom(PINNED, OTHER, `${PINNED}\n`, ""),
    how: fc.constantFrom("in place", "by another file"),
    way: fc.constantFrom("session", "modern"),
  });
  await fc.assert(
    fc.asyncProperty(change, async ({ text, how, way }) => {
      writeFileSync(space.path("started.log"), "");
      const file = how === "in place" ? "server.mjs" : "next.mjs";
      writeFileSync(space.path(file), text);
      if (file === "next.mjs") renameSync(space.path(file), space.path("server.mjs"));
      if (way === "session") {
        expect((await open(guard.url)).status).toBe(text === PINNED ? 200 : 500);
        expect(started(space)).toEqual(text === PINNED ? ["pinned"] : []);
      } else {
        // The process of the new era may already be running, and then continues.
        await (await postCall(guard.url, "t", {})).text();
        expect(started(space)).not.toContain("other");
      }
    }),
    { numRuns: runs(4) },
  );
});

/** Loaded before the script: waits, so that the script is read only after the guard has compared it. */
const WAITS = `
import { existsSync, writeFileSync } from "node:fs";
writeFileSync("waits", "");
while (!existsSync("go")) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
`;

async function waiting(): Promise<Workspace> {
  const space = new Workspace();
  writeFileSync(space.path("server.mjs"), PINNED);
  writeFileSync(space.path("first.mjs"), WAITS);
  writeFileSync(space.path("go"), "");
  await pin(space, process.execPath, "--import", "./first.mjs", "server.mjs");
  renameSync(space.path("go"), space.path("gone"));
  renameSync(space.path("waits"), space.path("waited"));
  return space;
}

const until = async (isTrue: () => boolean): Promise<void> => {
  const deadline = Date.now() + 60_000;
  while (!isTrue()) {
    if (Date.now() > deadline) throw new Error("nothing happened");
    await sleep(10);
  }
};

test.each(["and stays there", "and back again"])(
  "a script that replaces the compared one passes nothing on %s",
  async (swap) => {
    using space = await waiting();
    await using guarded = await Guarded.start(space, "s");
    guarded.send(INITIALIZE);
    await until(() => existsSync(space.path("waits")));
    renameSync(space.path("server.mjs"), space.path("aside.mjs"));
    // The other script answers late, so that the files can be restored by then.
    const late = `import "./late.mjs";\n${OTHER}`;
    writeFileSync(space.path("late.mjs"), WAITS.replaceAll("waits", "late").replaceAll(`"go"`, `"go-on"`));
    writeFileSync(space.path("server.mjs"), late);
    renameSync(space.path("gone"), space.path("go"));
    await until(() => existsSync(space.path("late")));
    if (swap === "and back again") renameSync(space.path("aside.mjs"), space.path("server.mjs"));
    writeFileSync(space.path("go-on"), "");
    await until(() => guarded.child.exitCode !== null || guarded.unread.length > 0);
    expect(guarded.unread).toEqual([]);
    expect(await guarded.end()).toEqual([2, null]);
    expect(guarded.stderr).toContain("changed while it was being started");
    expect(guarded.stderr).not.toContain("errors of other");
  },
);

test("a process is started in one place", () => {
  const folder = fileURLToPath(new URL("../../src/guard", import.meta.url));
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const starts = files.filter((file) =>
    /\b(?:startServer|spawn|fork|exec\w*)\(/.test(
      readFileSync(`${folder}/${file}`, "utf8").replaceAll(/\.exec\(/g, ""),
    ),
  );
  expect(files.length).toBeGreaterThan(20);
  expect(starts).toEqual(["start-pinned.ts"]);
});

test("no session starts a package with another integrity, and the next one does once the integrity is the pinned one", async () => {
  using space = new Workspace();
  const integrityOf = (text: string) => `sha512-${createHash("sha512").update(text).digest("base64")}`;
  const install = (bytes: string): void => {
    const entry = {
      version: "1.2.3",
      resolved: "https://registry.npmjs.org/s/-/s-1.2.3.tgz",
      integrity: integrityOf(bytes),
    };
    const packages = { "node_modules/s": entry };
    const lock = JSON.stringify({ name: "project", lockfileVersion: 3, requires: true, packages });
    writeFileSync(space.path("node_modules/.package-lock.json"), lock);
  };
  mkdirSync(space.path("node_modules/s"), { recursive: true });
  writeFileSync(space.path("node_modules/s/package.json"), JSON.stringify({ name: "s", version: "1.2.3" }));
  writeFileSync(space.path("node_modules/s/server.mjs"), PINNED);
  install("pinned");
  await pin(space, process.execPath, "node_modules/s/server.mjs");
  await using guard = await listening(space, ["s"]);
  expect(await open(guard.url)).toMatchObject({ status: 200 });
  writeFileSync(space.path("started.log"), "");

  install("other");
  expect(await open(guard.url)).toMatchObject({ status: 500, text: expect.stringContaining("could not be started") });
  expect(started(space)).toEqual([]);
  install("pinned");
  expect(await open(guard.url)).toMatchObject({ status: 200 });
  expect(started(space)).toEqual(["pinned"]);
});
