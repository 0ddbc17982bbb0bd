import {
  type CapabilityManifest,
  type ConsentGate,
  createArtifactResponse,
  createConsentGate,
  createPendingToolCalls,
  type PendingToolCalls,
  receiveToolCall,
  type ToolCallOutcome,
} from "@agentprint/manifest";
import { type ClientMemory, createRegistryClient, type RegistryEvent } from "@agentprint/registry-api";
import { EMPTY, withScopes } from "@agentprint/testing/manifest/scoped-manifests";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openRegistry, type TestRegistry } from "./support/registry.ts";

let registry: TestRegistry;
beforeAll(async () => {
  registry = await openRegistry();
});
afterAll(() => registry.close());

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The file in which a machine stores its memory of the registry. */
function memoryFile(): ClientMemory {
  let text: string | undefined;
  return {
    read: async () => text,
    write: async (next) => {
      text = next;
    },
  };
}

function connect(memory: ClientMemory, signal?: AbortSignal) {
  return createRegistryClient({
    url: "http://127.0.0.1:8787",
    token: registry.token,
    memory,
    fetch: async (url, init) => registry.app.request(url, init),
    ...(signal && { signal }),
  });
}

/** Listens until `count` events have arrived, like a watch that is then ended. */
async function watch(memory: ClientMemory, agents: readonly string[], count: number): Promise<string[]> {
  const ending = new AbortController();
  const told: string[] = [];
  for await (const { event, news } of connect(memory, ending.signal).hear(agents)) {
    told.push("agent_id" in news ? `${event} ${news.agent_id} ${news.capability_manifest_version}` : event);
    if (told.length === count) ending.abort();
  }
  return told;
}

/** A user with one phone: the accepted permissions, and the phone's clock. */
class User {
  readonly clock: { at: number };
  readonly #gate: ConsentGate;
  accepted = 0;

  constructor(clock: { at: number }) {
    this.clock = clock;
    this.#gate = createConsentGate({ now: () => clock.at });
  }

  /** Reads the card of the current version, and adds the agent or accepts the update. */
  async accept(agent: string): Promise<void> {
    const { capability_manifest_version, manifest } = await connect(memoryFile()).readManifest(agent);
    this.#gate.accept(manifest);
    this.accepted = capability_manifest_version;
  }

  /**
   * Receives a call; `answer` is the button that the user taps if the phone asks. Returns what the phone did, and the
   * response.
   */
  receive(call: object, manifest: CapabilityManifest, answer?: boolean): readonly [string, object | undefined] {
    const place = { device_id: "phone", session_id: "chat" };
    const { call_id, decision } = receiveToolCall(call, manifest, this.#gate, place);
    const decided =
      decision.decision === "prompt" && answer !== undefined ? this.#gate.answer(call_id, answer) : decision;
    if (decided?.decision === "execute") return [decision.decision, createArtifactResponse(call_id, { result: "ran" })];
    if (decided?.decision === "denied") return [decision.decision, createArtifactResponse(call_id, decided)];
    return [decision.decision, undefined];
  }
}

/** An agent's process, which makes calls and waits on the test's clock. */
function agentProcess(
  manifest: CapabilityManifest,
  clock: { at: number },
): { calls: PendingToolCalls; tick: () => void } {
  const timers = new Map<() => void, number>();
  const schedule = (run: () => void, ms: number) => {
    timers.set(run, clock.at + ms);
    return () => timers.delete(run);
  };
  const tick = (): void => {
    for (const [run, at] of timers) if (at <= clock.at && timers.delete(run)) run();
  };
  return { calls: createPendingToolCalls({ schedule, manifest }), tick };
}

test("a week with two agents, their versions and their users", async () => {
  const clock = { at: 0 };
  const developer = memoryFile();
  const publisher = connect(developer);
  const listener = memoryFile();

  // Monday: two agents are published. Their developer also listens, and goes home.
  const weather1 = withScopes({ "notification:send": "low", "filesystem:read": "medium" });
  const notes1 = withScopes({ "notes:write": "high" });
  expect((await publisher.publish("weather", weather1, { create: true })).answer.capability_manifest_version).toBe(1);
  expect((await publisher.publish("notes", notes1, { create: true })).outcome).toBe("published");
  expect(await watch(listener, ["weather", "notes"], 1)).toEqual(["start"]);

  // A new user reads the questions before they are asked. A permission of low sensitivity needs no prompt: adding the
  // agent grants it.
  const ask = async (accepted?: number) =>
    (await publisher.consent("weather", accepted)).scopes.map(({ id, ask }) => `${id} ${ask}`);
  expect(await ask()).toEqual(["notification:send never", "filesystem:read first_use"]);
  const user = new User(clock);
  await user.accept("weather");
  const send = (call_id: string, tool_name: string) => ({
    subtype: "tool_call" as const,
    call_id,
    tool_name,
    arguments: {},
  });
  expect(user.receive(send("1", "use_notification_send"), weather1)).toMatchObject(["execute", { status: "ok" }]);

  // Tuesday: the agent reads a file. The user looks after 45 seconds and allows it; the tool runs once, because the agent waits.
  clock.at += DAY;
  const { calls, tick } = agentProcess(weather1, clock);
  const ended: ToolCallOutcome[] = [];
  for (const id of ["2", "3"]) void calls.call(send(id, "use_filesystem_read")).then((outcome) => ended.push(outcome));
  expect(user.receive(send("2", "use_filesystem_read"), weather1)).toEqual(["prompt", undefined]);
  // Meanwhile the agent calls again, which causes no second prompt.
  expect(user.receive(send("3", "use_filesystem_read"), weather1)[0]).toBe("wait");
  clock.at += 45_000;
  tick();
  expect(ended).toEqual([]);
  for (const id of ["2", "3"]) calls.receive(createArtifactResponse(id, { result: "ran" }));
  await Promise.resolve();
  expect(ended.map(({ status }) => status)).toEqual(["ok", "ok"]);

  // Wednesday: version 2 of weather adds the location permission. It breaks nothing, and no user has granted the new
  // permission.
  const weather2 = {
    ...withScopes({ "notification:send": "low", "filesystem:read": "medium", "location:read": "high" }),
    agent_version: "1.1.0",
  };
  const second = await publisher.publish("weather", weather2, {
    review: ({ breaking_changes }) => breaking_changes.length === 0,
  });
  expect(second.outcome).toBe("published");
  expect(await ask(1)).toEqual(["notification:send never", "filesystem:read first_use", "location:read every_call"]);

  // Thursday: version 3 declares the location permission as low. A review that checks consent declines it, but it is
  // published anyway.
  const weather3 = {
    ...withScopes({ "notification:send": "low", "filesystem:read": "low", "location:read": "low" }),
    agent_version: "1.2.0",
  };
  const declined = await publisher.publish("weather", weather3, { review: ({ weakens_consent }) => !weakens_consent });
  expect(declined.outcome).toBe("declined");
  await publisher.publish("weather", weather3);
  // The user of version 1 sees the same question about files as before, and a standard scope never asks less than it
  // must.
  expect(await ask(1)).toEqual(["notification:send never", "filesystem:read first_use", "location:read every_call"]);

  // Friday: version 4 breaks callers, because a tool is gone. The user gets the card and reviews it.
  const weather4 = { ...withScopes({ "notification:send": "low", "location:read": "high" }), agent_version: "2.0.0" };
  await publisher.publish("weather", weather4);
  expect((await publisher.consent("weather", user.accepted)).review).toBe(true);
  await user.accept("weather");
  expect((await publisher.consent("weather", user.accepted)).review).toBe(false);
  // A version that the listener's machine reads directly does not count as received.
  await connect(listener).readManifest("weather");

  // Saturday: the developer starts the watch again. No event of the week is missing, and the break is named.
  expect(await watch(listener, ["weather", "notes"], 4)).toEqual([
    "start",
    "version weather 2",
    "version weather 3",
    "breaking weather 4",
  ]);
  expect(await watch(listener, ["weather", "notes"], 1)).toEqual(["start"]);

  // Sunday: the agent's page shows the week at a glance, and the history verifies.
  const page = (await registry.get("/pages/agents/weather")).text;
  expect(page).toMatch(
    /Version 4.*breaking.*Version 3.*weakens consent.*Version 2.*asks for more: 1.*Version 1.*First version/s,
  );
  expect((await registry.get("/")).text).toMatch(/weather.*Version 4 broke something.*Version 3 weakened consent/s);
  await registry.sign();
  const proven: (number | undefined)[] = [];
  for await (const { proof } of publisher.history("weather")) proven.push(proof?.size);
  expect(proven).toEqual([4, 4, 4, 4]);
  expect(
    (await publisher.publish("notes", { ...EMPTY, agent_version: "2.0.0" })).answer.breaking_changes.length,
  ).toBeGreaterThan(0);
  const last: RegistryEvent["event"][] = [];
  const ending = new AbortController();
  for await (const { event } of connect(listener, ending.signal).hear(["notes"])) {
    last.push(event);
    if (event === "breaking") ending.abort();
  }
  expect(last).toEqual(["start", "breaking"]);
});
