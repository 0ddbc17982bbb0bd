import { EMPTY } from "@agentprint/testing/manifest/scoped-manifests";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createApp } from "../src/http/app.ts";
import { EVERY_AGENT, issueKey } from "../src/keys/keys.ts";
import { openRegistry, type TestRegistry } from "./support/registry.ts";

const voice = { ...EMPTY, capability_flags: { supports_voice: true } };
let registry: TestRegistry;
beforeAll(async () => {
  registry = await openRegistry();
});
afterAll(() => registry.close());

const named = (name: string): { headers: Record<string, string> } => ({ headers: { "idempotency-key": name } });
const versionOf = async (agent: string): Promise<number> =>
  (await registry.get(`/agents/${agent}`)).body.capability_manifest_version;

test("a change repeated with its Idempotency-Key is answered as before, and uses no version number", async () => {
  await registry.create("again", voice);
  const first = await registry.publish("again", EMPTY, named("one"));
  const second = await registry.publish("again", EMPTY, named("one"));
  expect([second.status, second.text, second.headers.get("etag")]).toEqual([
    first.status,
    first.text,
    first.headers.get("etag"),
  ]);
  expect([first, second].map(({ headers }) => headers.get("idempotent-replayed"))).toEqual([null, "true"]);
  await registry.publish("again", voice);
  expect((await registry.publish("again", EMPTY, named("one"))).text).toBe(first.text);
  expect(await versionOf("again")).toBe(3);
});

test("a new agent, and a change whose If-Match no longer holds, are answered as before, too", async () => {
  const add = (name: string) =>
    registry.request("POST", "/agents", {
      body: JSON.stringify({ agent_id: "added", manifest: EMPTY }),
      ...named(name),
    });
  const [first, second, other] = [await add("add"), await add("add"), await add("else")];
  expect([first.status, second.status, second.text, other.status]).toEqual([201, 201, first.text, 409]);
  const headers = { ...named("match").headers, "if-match": first.headers.get("etag") ?? "" };
  const statuses = [];
  for (let count = 0; count < 2; count++) {
    statuses.push((await registry.publish("added", voice, { headers })).status);
  }
  expect([...statuses, await versionOf("added")]).toEqual([200, 200, 2]);
});

test("an Idempotency-Key sent with another body or for another agent is refused, and another API key may use the same one", async () => {
  for (const agent of ["mine", "other"]) await registry.create(agent, EMPTY);
  expect((await registry.publish("mine", voice, named("shared"))).status).toBe(200);
  for (const refused of [
    await registry.publish("mine", EMPTY, named("shared")),
    await registry.publish("other", voice, named("shared")),
    await registry.request("POST", "/agents", {
      body: JSON.stringify({ agent_id: "x", manifest: EMPTY }),
      ...named("shared"),
    }),
  ]) {
    expect(refused.body).toMatchObject({ status: 422, code: "IDEMPOTENCY_KEY_REUSED" });
  }
  const { token } = await issueKey(registry.services.store, EVERY_AGENT, new Date());
  expect((await registry.publish("mine", voice, { ...named("shared"), token })).body.capability_manifest_version).toBe(
    3,
  );
  expect([await versionOf("mine"), await versionOf("other")]).toEqual([3, 1]);
});

test("twenty simultaneous repetitions store one version", async () => {
  await registry.create("race", EMPTY);
  const answers = await Promise.all(Array.from({ length: 20 }, () => registry.publish("race", voice, named("race"))));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(await versionOf("race")).toBe(2);
});

test("the answer to a refused change is not kept, and other answers are kept for a day", async () => {
  await registry.create("day", EMPTY);
  const refused = await registry.publish("day", voice, { headers: { ...named("day").headers, "if-match": '"9-x"' } });
  expect(refused.status).toBe(412);
  expect((await registry.publish("day", voice, named("day"))).body.capability_manifest_version).toBe(2);
  const later = createApp({ ...registry.services, now: () => new Date(Date.now() + 86_400_001) });
  const headers = {
    authorization: `Bearer ${registry.token}`,
    "content-type": "application/json",
    "idempotency-key": "day",
  };
  const next = await later.request("/agents/day", { method: "PATCH", headers, body: JSON.stringify(EMPTY) });
  expect(await next.json()).toMatchObject({ capability_manifest_version: 3 });
});

test.each(["", "a b", "ü", "x".repeat(256)])("an Idempotency-Key of %j is 400", async (name) => {
  await registry.create("bad", EMPTY);
  const answer = await registry.publish("bad", EMPTY, named(name));
  expect(answer.body).toMatchObject({ status: 400, code: "INVALID_IDEMPOTENCY_KEY" });
});
