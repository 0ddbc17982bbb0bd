import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { INITIALIZE } from "../guard/guarded.ts";
import { ModelWorkspace } from "../guard/model-servers.ts";
import { listening, postCall } from "../guard/support.ts";
import { Workspace } from "../support/workspace.ts";

const LIMIT = { timeout: 60_000, interval: 50 };
/** In milliseconds. */
const IN_FORCE_WITHIN = 2000;
const LOCK = "agentprint.lock";

const serverOf = (mark: string) => `
import { createInterface } from "node:readline";
const answers = {
  initialize: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "s", version: "${mark}" } },
  "tools/list": { tools: [{ name: "t", inputSchema: { type: "object" } }] },
};
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  const result = answers[method];
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, ...(result ? { result } : { error: { code: -32601, message: "?" } }) }));
});
`;

/** Creates a folder with a lock of one script; also returns the text of a lock of another script. */
async function twoLocks(): Promise<{ space: Workspace; next: string }> {
  const space = new Workspace();
  const pin = async (script: string): Promise<string> => {
    writeFileSync(space.path(script), serverOf(script));
    const pinned = await space.run(["pin", "--name", "s", "--replace", "--", process.execPath, script]);
    expect(pinned, pinned.stderr).toMatchObject({ code: 0 });
    return readFileSync(space.path(LOCK), "utf8");
  };
  const next = await pin("next.mjs");
  await pin("first.mjs");
  return { space, next };
}

/** Opens a session and returns the answer: the script's name, or the refusal. */
async function opened(url: URL): Promise<string> {
  const answered = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify(INITIALIZE),
  });
  const { result, error } = (await answered.json()) as {
    result?: { serverInfo: { version: string } };
    error?: { code: number };
  };
  return result?.serverInfo.version ?? `error ${error?.code}`;
}

test("a lock that exists before its pinned script starts the script as soon as it appears", async () => {
  const { space, next } = await twoLocks();
  using _ = space;
  await using guard = await listening(space, ["s"]);
  expect(await opened(guard.url)).toBe("first.mjs");
  writeFileSync(space.path("next.mjs"), serverOf("another"));
  writeFileSync(space.path(LOCK), next);
  await expect.poll(() => opened(guard.url), LIMIT).toBe("error -31403");
  rmSync(space.path("next.mjs"));
  expect(await opened(guard.url)).toBe("error -31403");
  writeFileSync(space.path("next.mjs"), serverOf("next.mjs"));
  await expect.poll(() => opened(guard.url), LIMIT).toBe("next.mjs");
});

test("another launch is one event", async () => {
  const { space, next } = await twoLocks();
  using _ = space;
  const record = ["--record", "trail", "--record-key", "recorder.key"];
  {
    await using guard = await listening(space, ["s", ...record]);
    expect(await opened(guard.url)).toBe("first.mjs");
    writeFileSync(space.path(LOCK), next);
    await expect.poll(() => opened(guard.url), LIMIT).toBe("next.mjs");
  }
  const { stdout } = await space.run(["guard", "log", ...record, "--format", "json"]);
  const kinds = stdout
    .trim()
    .split("\n")
    .flatMap((line) => JSON.parse(line).event?.kind ?? []);
  expect(kinds).toContain("capabilities");
  expect(kinds.filter((kind) => kind === "replaced")).toHaveLength(1);
});

test("a lock decides about new requests at most two seconds after it was edited", async () => {
  using space = new ModelWorkspace();
  await space.pinAll();
  await using guard = await listening(space, ["a"]);
  const isCalled = async (): Promise<boolean> =>
    (await (await postCall(guard.url, "two", {})).text()).includes("called");
  expect(await isCalled()).toBe(true);
  for (const variant of [1, 0, 1, 0] as const) {
    const edited = performance.now();
    space.edit(LOCK, { does: "write", text: space.lockWith({ a: variant, b: 0, c: 0 }) });
    // When the last request that the old lock decided was sent: a busy machine answers late, and may send the next
    // request late.
    let decidedByOld = edited;
    let asked = edited;
    do [decidedByOld, asked] = [asked, performance.now()];
    while ((await isCalled()) !== (variant === 0));
    expect(decidedByOld - edited).toBeLessThan(IN_FORCE_WITHIN);
  }
});
