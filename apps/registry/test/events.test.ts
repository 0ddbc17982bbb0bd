import { EMPTY, withScopes } from "@agentprint/testing/manifest/scoped-manifests";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readEvents, take } from "./support/read-events.ts";
import { openRegistry, type TestRegistry } from "./support/registry.ts";

let registry: TestRegistry;
beforeAll(async () => {
  registry = await openRegistry({ stream_limit: "3" });
});
afterAll(() => registry.close());

async function listen(query: string, lastEventId?: string) {
  const ending = new AbortController();
  const headers = lastEventId === undefined ? {} : { "last-event-id": lastEventId };
  const response = await registry.app.request(`/events?${query}`, { headers, signal: ending.signal });
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  const events = readEvents(response);
  return { take: (count: number) => take(events, count), end: () => events.return() };
}

test("a stream reports each version of its agents, and which are breaking", async () => {
  await registry.create("a", withScopes({ "x:y": "low" }));
  await registry.create("b", EMPTY);
  const stream = await listen("agent=a&agent=b");
  await registry.publish("b", EMPTY);
  await registry.publish("a", EMPTY);
  const events = await stream.take(2);
  const byAgent = new Map(events.map((event) => [event.data.agent_id, event]));
  expect(byAgent.get("b")).toMatchObject({
    event: "version",
    data: { capability_manifest_version: 2, breaking_changes: [] },
  });
  expect(byAgent.get("a")).toMatchObject({
    event: "breaking",
    data: {
      capability_manifest_version: 2,
      breaking_changes: [{ kind: "tool_removed" }, { kind: "permission_scope_removed" }],
    },
  });
  expect(events.at(-1)?.id).toBe("a=2&b=2");
  await stream.end();
});

test("a stream continues after the last event, however many versions were missed", async () => {
  await registry.create("missed", EMPTY);
  const first = await listen("agent=missed");
  await registry.publish("missed", EMPTY);
  const [event] = await first.take(1);
  await first.end();
  for (let count = 0; count < 250; count++) await registry.publish("missed", EMPTY);
  const second = await listen("agent=missed", event?.id);
  const versions = (await second.take(250)).map(({ data }) => data.capability_manifest_version);
  expect(versions).toEqual(Array.from({ length: 250 }, (_, index) => index + 3));
  await second.end();
});

test.each(["gap=9", "gap=-1", "other=1", "%", "gap=99999999999", ""])(
  "a stream that cannot be continued from %j begins with reset",
  async (id) => {
    if ((await registry.get("/agents/gap")).status === 404) await registry.create("gap", EMPTY);
    const stream = await listen("agent=gap", id);
    const [reset] = await stream.take(1);
    expect(reset).toMatchObject({
      event: "reset",
      id: "gap=1",
      data: { agent_id: "gap", capability_manifest_version: 1 },
    });
    await stream.end();
  },
);

test("an agent that does not exist yet is reported when it is added", async () => {
  const stream = await listen("agent=later");
  await registry.create("later", EMPTY);
  expect(await stream.take(1)).toMatchObject([{ event: "version", id: "later=1" }]);
  await stream.end();
});

test("streams are limited, and an ended stream makes room for another", async () => {
  const streams = [await listen("agent=a"), await listen("agent=a"), await listen("agent=a")];
  expect((await registry.get("/events?agent=a")).body).toMatchObject({ status: 503, code: "UNAVAILABLE" });
  await registry.publish("a", EMPTY);
  for (const stream of streams) {
    await stream.take(1);
    await stream.end();
  }
  await registry.publish("a", EMPTY);
  const again = await listen("agent=a");
  await again.end();
});

test("one address cannot use up the streams of others", async () => {
  const shared = await openRegistry({ address_stream_limit: "1", trusted_proxies: "1" });
  const open = (address: string) => shared.app.request("/events?agent=a", { headers: { "x-forwarded-for": address } });
  const [first, refused, other] = [await open("192.0.2.1"), await open("192.0.2.1"), await open("192.0.2.2")];
  expect([first.status, refused.status, other.status]).toEqual([200, 429, 200]);
  expect(await refused.json()).toMatchObject({ code: "RATE_LIMITED" });
  await first.body?.cancel();
  const again: Response[] = [];
  await expect.poll(async () => again.push(await open("192.0.2.1")) && again.at(-1)?.status).toBe(200);
  await Promise.all([other.body?.cancel(), again.at(-1)?.body?.cancel()]);
  await shared.close();
});

test("a query names one to fifty agents", async () => {
  expect((await registry.get("/events")).body.code).toBe("INVALID_QUERY");
  const many = Array.from({ length: 51 }, (_, index) => `agent=a${index}`).join("&");
  expect((await registry.get(`/events?${many}`)).body.code).toBe("INVALID_QUERY");
});
