import { withScopes } from "@agentprint/testing/manifest/scoped-manifests";
import fc from "fast-check";
import { expect, test } from "vitest";
import { issueKey } from "../src/keys/keys.ts";
import { openRegistry, type TestRegistry } from "./support/registry.ts";

const MANIFESTS = [withScopes({ "a:b": "low" }), withScopes({ "a:b": "high" }), withScopes({})];

/** A tenant's call: names, bodies and idempotency keys come from the same pool for both tenants. */
interface TenantCall {
  readonly by: "a" | "b";
  readonly kind: "change" | "change the other's" | "read";
  readonly manifest: number;
  readonly name: string | undefined;
  readonly path: string;
}

const calls: fc.Arbitrary<TenantCall[]> = fc.array(
  fc.record({
    by: fc.constantFrom("a", "b"),
    kind: fc.constantFrom("change", "change", "change the other's", "read", "read"),
    manifest: fc.nat(MANIFESTS.length - 1),
    name: fc.constantFrom(undefined, "n1", "n2"),
    path: fc.constantFrom("", "/versions", "/manifest", "/consent?accepted=1", "/diff?from=1&to=2", "/history"),
  }),
  { minLength: 5, maxLength: 30 },
);

/** Lets the tenants named in `plays` make their calls to a new registry; returns everything that `a` saw. */
async function play(made: readonly TenantCall[], plays: string): Promise<string[]> {
  const registry = await openRegistry();
  try {
    const tokens = new Map<string, string>();
    for (const agent of ["a", "b"]) {
      await registry.create(agent, MANIFESTS[0] as (typeof MANIFESTS)[number]);
      tokens.set(agent, (await issueKey(registry.services.store, agent, new Date(0))).token);
    }
    const seen: string[] = [];
    for (const call of made.filter(({ by }) => plays.includes(by))) {
      const answer = await ask(registry, call, tokens.get(call.by) ?? "");
      if (call.by === "a") seen.push(`${answer.status} ${normalized(answer.text)}`);
    }
    return seen;
  } finally {
    await registry.close();
  }
}

function ask(
  registry: TestRegistry,
  { by, kind, manifest, name, path }: TenantCall,
  token: string,
): ReturnType<TestRegistry["request"]> {
  const other = by === "a" ? "b" : "a";
  const body = JSON.stringify(MANIFESTS[manifest]);
  const headers = name === undefined ? {} : { "idempotency-key": name };
  if (kind === "read") return registry.request("GET", `/agents/${by}${path}`, { token });
  return registry.request("PATCH", `/agents/${kind === "change" ? by : other}`, { token, headers, body });
}

/** Returns an answer without the times, keys and digests that differ between registries. */
function normalized(text: string): string {
  return text
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
    .replace(/"key_id":"[^"]*"/g, '"key_id":""')
    .replace(/the key [0-9a-f]{16}/g, "the key")
    .replace(/"(id|hash|prev_hash|verifier_key|instance|request_id)":"[^"]*"/g, '"$1":""')
    .replace(/\\"(id|hash|prev_hash|key_id)\\":\\"[^"\\]*\\"/g, "");
}

test("a tenant sees the same of its agent, whatever another tenant does", async () => {
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(calls, async (made) => {
      const seen = await play(made, "ab");
      refused += seen.filter((answer) => answer.startsWith("403")).length;
      expect(seen).toEqual(await play(made, "a"));
    }),
    { numRuns: 12 },
  );
  expect(refused).toBeGreaterThan(0);
});
