import { EMPTY } from "@agentprint/testing/manifest/scoped-manifests";
import { runs } from "@agentprint/testing/property-runs";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openRegistry, type TestRegistry } from "../../../apps/registry/test/support/registry.ts";
import { type ClientMemory, createRegistryClient, type RegistryClient, type RegistryEvent } from "../src/index.ts";

let registry: TestRegistry;
beforeAll(async () => {
  registry = await openRegistry();
});
afterAll(() => registry.close());

function inMemory(): ClientMemory {
  let text: string | undefined;
  return {
    read: async () => text,
    write: async (next) => {
      text = next;
    },
  };
}

function clientOf(memory: ClientMemory, signal?: AbortSignal): RegistryClient {
  return createRegistryClient({
    url: "http://127.0.0.1:8787",
    token: registry.token,
    memory,
    fetch: async (url, init) => registry.app.request(url, init),
    ...(signal && { signal }),
  });
}

let agents = 0;
const patch = (number: number) => ({ ...EMPTY, agent_version: `1.0.${number}` });
const named = ({ event, news }: RegistryEvent): string =>
  event === "start" ? "start" : `${news.agent_id} ${news.capability_manifest_version}`;

/** A running reader: it takes events until it is killed, either before or after it requests the next one. */
class Reader {
  readonly #ending = new AbortController();
  readonly #events: AsyncGenerator<RegistryEvent, void>;

  constructor(memory: ClientMemory, agentIds: readonly string[]) {
    this.#events = clientOf(memory, this.#ending.signal).hear(agentIds);
  }

  async next(): Promise<string> {
    const { value } = await this.#events.next();
    if (!value) throw new Error("the stream ended");
    return named(value);
  }

  /** Ends the reader while it waits for the next event, as a signal does. */
  async end(): Promise<void> {
    const last = this.#events.next();
    this.#ending.abort();
    expect(await last).toMatchObject({ done: true });
  }

  /** Ends the reader while it handles the last event. */
  async kill(): Promise<void> {
    this.#ending.abort();
    await this.#events.return();
  }
}

test("a restarted reader resumes where it ended: every version is reported once, whoever else uses the memory", async () => {
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.constant("publish") },
    { weight: 2, arbitrary: fc.constant("hear") },
    fc.constantFrom("end", "kill", "pull"),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), fc.boolean(), async (steps, isThere) => {
      const agent = `heard-${agents++}`;
      const memory = inMemory();
      const publish = async () => {
        const { status } =
          published === 0
            ? await registry.create(agent, patch(1))
            : await registry.publish(agent, patch(published + 1));
        expect([200, 201]).toContain(status);
        published++;
      };
      let published = 0;
      if (isThere) await publish();
      const first = published;
      let reader = new Reader(memory, [agent]);
      expect(await reader.next()).toBe("start");
      const told: string[] = [];
      /** Whether the last event may come again, because the reader was killed while handling it. */
      let mayRepeat = false;
      const again = async (): Promise<void> => {
        reader = new Reader(memory, [agent]);
        expect(await reader.next()).toBe("start");
      };
      const hear = async (): Promise<void> => {
        const event = await reader.next();
        if (!(mayRepeat && event === told.at(-1))) told.push(event);
        mayRepeat = false;
      };
      // As with a version, the reader must have taken the `start` event before it is killed.
      await reader.end();
      await again();
      for (const one of steps) {
        if (one === "publish") await publish();
        else if (one === "hear" && first + told.length < published) await hear();
        else if (one === "pull" && published > 0) await clientOf(memory).readManifest(agent);
        else if (one === "end" || one === "kill") {
          mayRepeat ||= one === "kill";
          await reader[one]();
          await again();
        }
      }
      while (first + told.length < published) await hear();
      await reader.kill();
      const all = Array.from({ length: published - first }, (_, index) => `${agent} ${first + index + 1}`);
      expect(told).toEqual(all);
    }),
    { numRuns: runs(20) },
  );
});

test("an agent that the memory does not know begins at its current version, next to one that continues", async () => {
  const memory = inMemory();
  const [known, other] = [`known-${agents++}`, `other-${agents++}`];
  for (const agent of [known, other]) await registry.create(agent, patch(1));
  await clientOf(memory).readManifest(known);
  for (const agent of [known, other]) await registry.publish(agent, patch(2));
  const reader = new Reader(memory, [known, other, `later-${agents++}`]);
  expect([await reader.next(), await reader.next()]).toEqual(["start", `${known} 2`]);
  await registry.publish(other, patch(3));
  expect(await reader.next()).toBe(`${other} 3`);
  await reader.kill();
});

test("a version that appeared while no one listened is compared with the chain, below a later one that is remembered", async () => {
  const memory = inMemory();
  const agent = `missed-${agents++}`;
  await registry.create(agent, patch(1));
  const reader = new Reader(memory, [agent]);
  expect(await reader.next()).toBe("start");
  await reader.end();
  for (const number of [2, 3]) await registry.publish(agent, patch(number));
  await clientOf(memory).readManifest(agent);
  const next = new Reader(memory, [agent]);
  expect([await next.next(), await next.next(), await next.next()]).toEqual(["start", `${agent} 2`, `${agent} 3`]);
  await next.kill();
});

test("an event id counts more than the memory", async () => {
  const memory = inMemory();
  const agent = `since-${agents++}`;
  await registry.create(agent, patch(1));
  await registry.publish(agent, patch(2));
  await clientOf(memory).readManifest(agent);
  const ending = new AbortController();
  const heard: string[] = [];
  for await (const event of clientOf(memory, ending.signal).hear([agent], { lastEventId: `${agent}=1` })) {
    heard.push(named(event));
    if (event.event !== "start") ending.abort();
  }
  expect(heard).toEqual(["start", `${agent} 2`]);
});
