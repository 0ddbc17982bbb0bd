import { canonicalize } from "@agentprint/trail/record";
import fc from "fast-check";
import { expect, test } from "vitest";
import { EVENT_KINDS } from "../src/event/event-kinds.ts";
import { eventText } from "../src/event/event-text.ts";
import type { EventKind, EventMembers } from "../src/events.ts";

const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units)),
);
const digest = fc.constantFrom("0".repeat(64), "af".repeat(32));
const members: { readonly [Name in keyof EventMembers]-?: fc.Arbitrary<unknown> } = {
  attributes: fc.dictionary(text, fc.oneof(text, fc.boolean(), fc.double({ noNaN: true, noDefaultInfinity: true }))),
  by: text,
  call: text,
  code: fc.oneof(text, fc.maxSafeInteger()),
  cut: fc.nat(),
  decision: text,
  digests: fc.dictionary(text, digest),
  findings: fc.array(text, { maxLength: 3 }),
  from: text,
  head: digest,
  lost: fc.nat(),
  method: text,
  of: text,
  outcome: fc.constantFrom("ok", "refused"),
  reason: text,
  server: text,
  tool: text,
  trace: fc.constant(`00-${"1".repeat(32)}-${"2".repeat(16)}-01`),
};
const kinds = Object.keys(EVENT_KINDS) as EventKind[];

test("the text of an event is its canonical text, whatever members and characters it has", () => {
  const event = fc.record({ ...members, kind: fc.constantFrom(...kinds) }, { requiredKeys: ["kind"] });
  fc.assert(
    fc.property(event, text, text, fc.nat(), (each, agent, session, sequence) => {
      const stamp = { agent: JSON.stringify(agent), session: JSON.stringify(session), sequence };
      expect(eventText(each as never, stamp)).toBe(canonicalize({ ...each, agent, session, sequence }));
    }),
  );
});
