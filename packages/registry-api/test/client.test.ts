import { type CapabilityManifest, hashManifest } from "@agentprint/manifest";
import { EMPTY, withScopes } from "@agentprint/testing/manifest/scoped-manifests";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openRegistry, type TestRegistry } from "../../../apps/registry/test/support/registry.ts";
import { createRegistryClient, type RegistryClientOptions } from "../src/index.ts";

const URL_OF_REGISTRY = "http://127.0.0.1:8787/below/";
const voice: CapabilityManifest = { ...EMPTY, capability_flags: { supports_voice: true } };

let registry: TestRegistry;
let agent = "";
let count = 0;
beforeAll(async () => {
  registry = await openRegistry();
});
beforeEach(async () => {
  agent = `agent-${count++}`;
  await registry.create(agent, EMPTY);
});
afterAll(() => registry.close());

type Fetch = NonNullable<RegistryClientOptions["fetch"]>;

/** Sends requests to the registry, below the path of the client's URL. */
const reach: Fetch = async (url, init) => registry.app.request(url.replace("/below/", "/"), init);

function clientOf(fetch: Fetch = reach, options: Partial<RegistryClientOptions> = {}) {
  return createRegistryClient({ url: URL_OF_REGISTRY, token: registry.token, fetch, ...options });
}

/** Forwards every request that `fail` does not answer. */
function failing(fail: (url: string, init: RequestInit, nth: number) => Promise<Response | undefined>): Fetch {
  let nth = 0;
  return async (url, init) => (await fail(url, init, nth++)) ?? reach(url, init);
}

async function all<T, R = T>(items: AsyncIterable<T>, map?: (item: T) => R): Promise<R[]> {
  const found: R[] = [];
  for await (const item of items) found.push(map ? map(item) : (item as unknown as R));
  return found;
}

const answer = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(typeof body === "string" ? body : JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json", ...headers },
  });

describe("reading", () => {
  test("takes every route of the registry, page by page", async () => {
    for (let version = 2; version <= 103; version++) await registry.publish(agent, version % 2 === 0 ? voice : EMPTY);
    await registry.sign();
    const client = clientOf();
    const ids = await all(client.listAgents(), ({ agent_id }) => agent_id);
    expect(ids).toContain(agent);
    const versions = await all(client.listVersions(agent), (one) => one.capability_manifest_version);
    expect(versions).toEqual(Array.from({ length: 103 }, (_, index) => index + 1));
    expect(await all(client.listVersions(agent, 101))).toHaveLength(2);
    expect(await all(client.history(agent), ({ proof }) => proof?.size)).toEqual(Array(103).fill(103));
    expect(await client.readManifest(agent)).toMatchObject({ capability_manifest_version: 103, manifest: EMPTY });
    expect((await client.readManifest(agent, 2)).capability_manifest_hash).toBe(hashManifest(voice));
    expect((await client.diff(agent, 2, 3)).breaking_changes).toMatchObject([{ kind: "capability_flag_revoked" }]);
    expect(await client.consent(agent, 1)).toMatchObject({ accepted: 1, present: 103, review: true });
    expect(await client.checkpoint(agent)).toContain(`/agents/${agent}\n103\n`);
  });

  test("reads pages of many agents until the last one", async () => {
    const pages: Record<string, object> = {
      agents: { agents: [item("a")], next: "a" },
      "agents?after=a": { agents: [], next: "a" },
    };
    const client = clientOf(async (url) => answer(pages[url.split("/below/")[1] ?? ""]));
    expect(await all(client.listAgents(), ({ agent_id }) => agent_id)).toEqual(["a"]);
  });
});

const item = (agent_id: string): object => ({
  agent_id,
  capability_manifest_version: 1,
  capability_manifest_hash: "0".repeat(64),
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-01-01T00:00:00.000Z",
});

describe("publishing", () => {
  test("adds the agent if it may, publishes on the version that was read, and nothing twice", async () => {
    const client = clientOf();
    await expect(client.publish("new", EMPTY)).rejects.toMatchObject({
      code: "refused",
      problem: { code: "AGENT_NOT_FOUND", status: 404 },
    });
    expect(await client.publish("new", EMPTY, { create: true })).toMatchObject({
      outcome: "published",
      answer: { agent_id: "new", capability_manifest_version: 1, breaking_changes: [] },
    });
    expect((await client.publish("new", voice)).answer.capability_manifest_version).toBe(2);
    expect(await client.publish("new", voice)).toMatchObject({
      outcome: "unchanged",
      answer: { capability_manifest_version: 2, capability_manifest_hash: hashManifest(voice) },
    });
    const { answer: third } = await client.publish("new", EMPTY);
    expect(third.breaking_changes).toMatchObject([{ kind: "capability_flag_revoked" }]);
  });

  test("shows what it would do, and publishes only that", async () => {
    const seen: number[] = [];
    const client = clientOf();
    const declined = await client.publish(agent, voice, { review: () => false });
    expect(declined).toMatchObject({ outcome: "declined", answer: { dry_run: true, capability_manifest_version: 2 } });
    const { answer: published } = await client.publish(agent, withScopes({ "a:b": "low" }), {
      review: async ({ capability_manifest_version }) => {
        // Another publisher comes first after the first review.
        if (seen.push(capability_manifest_version) === 1) await registry.publish(agent, voice);
        return true;
      },
    });
    expect(seen).toEqual([2, 3]);
    expect(published.capability_manifest_version).toBe(3);
  });

  test("by many at once gives each its version", async () => {
    const publishing = Array.from({ length: 8 }, (_, index) =>
      clientOf().publish(agent, { ...EMPTY, agent_version: `2.0.${index}` }),
    );
    const versions = (await Promise.all(publishing)).map(({ answer: one }) => one.capability_manifest_version);
    expect(versions.sort()).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test.each([true, false])("whose answer is lost is not done twice (the agent exists: %s)", async (exists) => {
    const id = exists ? agent : `${agent}-new`;
    let lost = 0;
    const client = clientOf(async (url, init) => {
      const response = await reach(url, init);
      if (init.method === "GET" || lost++ > 0) return response;
      throw new TypeError("fetch failed", { cause: new Error("socket hang up") });
    });
    const { outcome, answer: one } = await client.publish(id, voice, { create: true });
    expect([outcome, one.capability_manifest_version, lost]).toEqual(["published", exists ? 2 : 1, 2]);
  });

  test("gives all attempts of a change one name, and each change another", async () => {
    const names: (string | null)[] = [];
    const client = clientOf(async (url, init) => {
      const response = await reach(url, init);
      if (init.method === "GET") return response;
      names.push(new Headers(init.headers).get("idempotency-key"));
      // The registry stores the change, but a proxy loses its answer.
      return names.length % 2 === 1 ? answer({}, 503) : response;
    });
    expect((await client.publish(agent, voice)).answer.capability_manifest_version).toBe(2);
    expect((await client.publish(agent, EMPTY)).answer.capability_manifest_version).toBe(3);
    const [first, again, second, once] = names;
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect([again, once]).toEqual([first, second]);
    expect(second).not.toBe(first);
    expect((await registry.get(`/agents/${agent}`)).body.capability_manifest_version).toBe(3);
  });

  test("is not done twice by a registry that knows no names of requests", async () => {
    let lost = 0;
    const client = clientOf(async (url, init) => {
      const headers = new Headers(init.headers);
      headers.delete("idempotency-key");
      const response = await reach(url, { ...init, headers });
      if (init.method === "GET" || lost++ > 0) return response;
      throw new TypeError("fetch failed");
    });
    const { outcome, answer: one } = await client.publish(agent, voice);
    expect([outcome, one.capability_manifest_version, lost]).toEqual(["published", 2, 2]);
  });

  test("gives up on an agent that changes faster", async () => {
    let patch = 0;
    const client = clientOf(
      failing(async (_url, { method }) => {
        if (method !== "GET") await registry.publish(agent, { ...EMPTY, agent_version: `3.0.${patch++}` });
        return undefined;
      }),
    );
    await expect(client.publish(agent, voice)).rejects.toMatchObject({ code: "conflict" });
  });

  test("with a wrong key says what the registry said", async () => {
    await expect(clientOf(reach, { token: "hsk_x" }).publish(agent, voice)).rejects.toMatchObject({
      code: "refused",
      message: expect.stringContaining("UNAUTHENTICATED"),
    });
  });
});

describe("a registry that fails", () => {
  test("in passing is asked again, as late as it says", async () => {
    const started = performance.now();
    const client = clientOf(
      failing(async (_url, _init, nth) => {
        if (nth === 0) throw new TypeError("fetch failed");
        if (nth === 1) return answer({}, 503);
        if (nth === 2) return answer({}, 429, { "retry-after": "1" });
        return undefined;
      }),
    );
    expect((await client.readAgent(agent)).agent_id).toBe(agent);
    expect(performance.now() - started).toBeGreaterThan(1000);
  });

  test.each<[string, Fetch, string]>([
    ["is not there", async () => Promise.reject(new TypeError("fetch failed")), "unreachable"],
    ["throws anything", async () => Promise.reject("no"), "unreachable"],
    ["breaks off", async () => new Response(brokenBody()), "unreachable"],
    ["asks to wait for a day", async () => answer({}, 429, { "retry-after": "86400" }), "invalid-answer"],
    [
      "asks to wait until 2100",
      async () => answer({}, 503, { "retry-after": "Fri, 01 Jan 2100 00:00:00 GMT" }),
      "invalid-answer",
    ],
    ["leads elsewhere", async () => answer("", 302, { location: "https://example.com/" }), "invalid-answer"],
    ["answers no JSON", async () => answer("{"), "invalid-answer"],
    ["answers text", async () => new Response("ok"), "invalid-answer"],
    ["answer does not match", async () => answer({ agent_id: "demo" }), "invalid-answer"],
    ["answers too much", async () => answer(`"${"x".repeat(33 * 2 ** 20)}"`), "invalid-answer"],
  ])("because it %s is an error", async (_name, fetch, code) => {
    await expect(clientOf(fetch, { retries: 1 }).readAgent(agent)).rejects.toMatchObject({
      name: "RegistryClientError",
      code,
    });
  });

  test("because its manifest has not its hash is an error", async () => {
    const real = await clientOf().readVersion(agent, 1);
    for (const manifest of [voice, {}]) {
      const client = clientOf(async () => answer({ ...real, manifest }));
      await expect(client.readManifest(agent, 1)).rejects.toMatchObject({
        code: "invalid-answer",
        message: expect.stringContaining(hashManifest(EMPTY)),
      });
    }
  });

  test("for longer than a request may take is an error", async () => {
    const never: Fetch = (_url, { signal }) =>
      new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
    await expect(clientOf(never, { retries: 0, timeoutMs: 20 }).readAgent(agent)).rejects.toMatchObject({
      code: "unreachable",
    });
    const signal = AbortSignal.abort();
    await expect(clientOf(never, { signal }).readAgent(agent)).rejects.toMatchObject({ code: "ended" });
  });
});

function brokenBody(): ReadableStream<Uint8Array> {
  return new ReadableStream({ pull: (controller) => controller.error(new Error("terminated")) });
}

describe("an option that is wrong", () => {
  test.each([
    { url: "ftp://example.com/" },
    { url: "example.com" },
    { url: "https://user@example.com/" },
    { url: "https://example.com/?a=b" },
    { url: "http://example.com/", token: "hsk_x" },
    { url: "https://example.com/", token: "hsk_x\nx" },
  ])("is refused: %j", (options) => {
    expect(() => createRegistryClient(options)).toThrow(expect.objectContaining({ code: "invalid-option" }));
  });

  test("shows no token", () => {
    expect(() => createRegistryClient({ url: "http://example.com/", token: "hsk_secret" })).not.toThrow(/secret/);
  });

  test("is an agent that is no id", async () => {
    for (const id of ["", "a/b", "..", "a\u202eb"]) {
      await expect(clientOf().readAgent(id)).rejects.toMatchObject({ code: "invalid-option" });
    }
  });
});

test("the key goes only where something is changed", async () => {
  const sent: [string, boolean][] = [];
  const client = clientOf((url, init) => {
    sent.push([String(init.method), new Headers(init.headers).has("authorization")]);
    return reach(url, init);
  });
  await client.publish(agent, voice);
  expect(sent).toEqual([
    ["GET", false],
    ["PATCH", true],
  ]);
});
