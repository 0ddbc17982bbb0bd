import { canonicalize } from "@agentprint/trail/record";
import fc from "fast-check";
import { expect, test } from "vitest";
import { checkInput } from "../src/event/check-event.ts";
import { EVENT_KINDS } from "../src/event/event-kinds.ts";
import { EventTexts } from "../src/event/event-text.ts";
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
      const written = new EventTexts(agent, session).write(each as never, sequence);
      expect(written).toBe(canonicalize({ ...each, agent, session, sequence }));
    }),
  );
});

test("the text of an event is its own, whichever members it shares with the events before it", () => {
  const two = <Value>(...values: readonly Value[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
  const [zeros, others] = ["0".repeat(64), "af".repeat(32)];
  const event = fc.record({
    kind: fc.constantFrom("call", "result"),
    call: two("1", "2"),
    from: two("client", "server"),
    head: two(zeros, others),
    lost: two(0, 1),
    method: two("tools/call", "ping"),
    of: two("s1", "s2"),
    outcome: two("ok", "refused"),
    reason: two("a", '"'),
    server: two("a", "b"),
    tool: two("a", "b"),
    trace: two(`00-${"1".repeat(32)}-${"2".repeat(16)}-01`, `00-${"3".repeat(32)}-${"2".repeat(16)}-01`),
  });
  fc.assert(
    fc.property(fc.array(event, { minLength: 2 }), (events) => {
      const texts = new EventTexts("a", "s");
      for (const [sequence, each] of events.entries()) {
        const plain = JSON.parse(JSON.stringify({ ...each, agent: "a", session: "s", sequence }));
        expect(texts.write(each as never, sequence)).toBe(canonicalize(plain));
      }
    }),
  );
});

test("a digest is checked, whichever digests were accepted before it", () => {
  const good = ["0", "a", "f"].map((digit) => digit.repeat(64));
  const bad = [`${"0".repeat(63)}A`, "a".repeat(63), "", undefined, 1];
  const name = fc.constantFrom("lock", "tool", "result", "__proto__");
  const some = fc.dictionary(name, fc.constantFrom(...good, ...bad), { maxKeys: 3 });
  fc.assert(
    fc.property(fc.array(some), (all) => {
      for (const digests of all) {
        const isBad = Object.values(digests).some((digest) => bad.includes(digest));
        const check = (): void => checkInput({ kind: "link", digests });
        if (isBad) expect(check).toThrow(expect.objectContaining({ path: "/digests" }));
        else expect(check).not.toThrow();
      }
    }),
  );
});
