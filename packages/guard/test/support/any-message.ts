import type { JsonValue } from "@agentprint/canonical-json/json-value";
import { allChanges } from "@agentprint/testing/messages/mutated-messages";
import {
  answersTo,
  NOTICES_OF_CLIENT,
  NOTICES_OF_SERVER,
  OF_CLIENT,
} from "@agentprint/testing/messages/sample-messages";
import { describe, expect, test } from "vitest";
import type { GuardEvent } from "../../src/index.ts";
import { call, guardOf, initializeResult, listTools, readFile, request, result } from "./world.ts";

const POLICIES = [
  {},
  { preset: "breaking" },
  { preset: "compatible", results: { screen: "withhold" } },
  { preset: "strict", rules: { "guard/elicitation-request": { guard: "block" } } },
] as const;

type Shape = "text" | "bytes" | "value";

/** Returns a guard in some state, which records the kinds and reasons of its faults. */
function moment(policy: (typeof POLICIES)[number], version: string | undefined, shape: Shape) {
  const bad: GuardEvent[] = [];
  const onEvent = (event: GuardEvent): void => {
    const { digests, contents } = event;
    // Serializes the event, as a recorder does.
    void [digests.arguments, digests.result, digests.tool, contents.arguments, contents.result];
    if (event.kind === "fault" || event.reason === "it could not be judged") bad.push(event);
  };
  const { guard } = guardOf({ tools: [readFile], prompts: [{ name: "p" }] }, policy as never, { onEvent });
  const of = (text: string) => {
    if (shape === "bytes") return new TextEncoder().encode(text);
    if (shape === "text") return text;
    try {
      return JSON.parse(text) as never;
    } catch {
      return text;
    }
  };
  if (version !== undefined) {
    guard.fromClient(request(0, "initialize", { protocolVersion: version, capabilities: { elicitation: {} } }));
    guard.fromServer(result(0, { ...initializeResult({}), protocolVersion: version }));
    listTools(guard, [readFile]);
  }
  return { guard, bad, of };
}

/** Tests the guard with every `every`-th of all changes to messages. */
export function testMessages(shape: Shape, every: number): void {
  const changesOf = (message: unknown): string[] =>
    allChanges(message as JsonValue).filter((_, index) => index % every === 0);

  describe.each([undefined, "2025-03-26", "2025-11-25"])("after a handshake for %s", (version) => {
    const policy = POLICIES[[undefined, "2025-03-26", "2025-11-25"].indexOf(version) + 1] ?? {};

    test("no message of a client is a fault of the guard", () => {
      const { guard, bad, of } = moment(policy as never, version, shape);
      for (const message of [...OF_CLIENT, ...NOTICES_OF_CLIENT]) {
        for (const text of changesOf(message)) {
          guard.fromServer(request("s", "roots/list"));
          guard.fromClient(of(text));
          guard.fromClient(of(`[${text}]`));
          guard.abandon(1);
          if (bad.length > 0) expect(bad, text).toEqual([]);
        }
      }
    });

    test("no message of a server is a fault of the guard", () => {
      const { guard, bad, of } = moment(policy as never, version, shape);
      const odd = ["__proto__", "toString", "constructor", "then"].map((method) => request("r", method));
      const requests = [...OF_CLIENT.map((message) => JSON.stringify({ ...message, id: "r" })), ...odd];
      let turn = 0;
      for (const message of [...answersTo("r"), ...NOTICES_OF_SERVER]) {
        for (const text of changesOf(message)) {
          const asked = guard.fromClient(requests[turn++ % requests.length] ?? "");
          // The guard's own requests get the same answer.
          for (const { value } of asked.toServer) {
            const id = (value as { id?: unknown }).id;
            if (id !== "r" && id !== undefined) guard.fromServer(of(text.replaceAll('"r"', JSON.stringify(id))));
          }
          guard.fromServer(of(text));
          guard.fromServer(of(`[${text}]`));
          guard.abandon("r");
          guard.abandon("s");
          if (bad.length > 0) expect(bad, text).toEqual([]);
        }
      }
    });
  });

  test("after all of them, a call of another connection is answered", () => {
    const { guard, of } = moment({}, "2025-11-25", shape);
    const texts = [...answersTo(1), ...OF_CLIENT].flatMap(changesOf);
    for (const text of texts) {
      guard.fromClient(of(text));
      guard.fromServer(of(text));
    }
    const other = guard.connect();
    listTools(other, [readFile], "l");
    expect(other.fromClient(call(5, "read_file", { path: "a" })).action).toBe("forward");
  });
}
