import { runs } from "@agentprint/testing/property-runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { connectHttp, type HttpClient, startTestHttp } from "./support/http.ts";
import { ERAS, type Json } from "./support/server.ts";

/** A tenant's call: the same ids, names and contents are drawn for both tenants. */
interface TenantCall {
  readonly by: "a" | "b";
  readonly name: string;
  readonly task: string;
  readonly id: string;
  readonly content: string;
}

const TOOLS = ["thought_record", "thought_get", "thought_list", "audit_verify_chain", "audit_checkpoint"] as const;
const OTHERS = ["resources/list", "resources/read", "completion/complete"] as const;

/** The tasks that each tenant names: mostly its own, and some that belong to the other tenant or to no one. */
const TASKS = {
  a: ["a/1", "a/1", "a/2", "shared", "b/1", "nobody"],
  b: ["b/1", "b/1", "b/2", "shared", "a/1", "nobody"],
};

const callsOf = (by: "a" | "b"): fc.Arbitrary<TenantCall> =>
  fc.record({
    by: fc.constant(by),
    name: fc.oneof(
      { weight: 2, arbitrary: fc.constant("thought_record") },
      { weight: 1, arbitrary: fc.constantFrom(...TOOLS) },
      { weight: 1, arbitrary: fc.constantFrom(...OTHERS) },
    ),
    task: fc.constantFrom(...TASKS[by]),
    id: fc.constantFrom("1", "2"),
    content: fc.constantFrom("x", "y"),
  });

const calls = fc.array(fc.oneof(callsOf("a"), callsOf("b")), { minLength: 10, maxLength: 30 });

/** Lets the tenants named in `plays` make their calls on a new server; returns everything that `a` saw. */
async function play(revision: (typeof ERAS)[number], made: readonly TenantCall[], plays: string): Promise<string[]> {
  const http = await startTestHttp({ token_record_limit: "12" });
  const { tokens } = http.services;
  const clients: Record<string, HttpClient> = {};
  for (const [tenant, tasks] of [
    ["a", ["a/*", "shared"]],
    ["b", ["b/*"]],
  ] as const) {
    const { token } = await tokens.issue({ agentId: tenant, tasks }, new Date());
    clients[tenant] = await connectHttp(http.url, revision, token);
  }
  const seen: string[] = [];
  for (const call of made) {
    if (!plays.includes(call.by)) continue;
    const answer = await ask(clients[call.by] as HttpClient, call);
    if (call.by === "a") seen.push(normalized(answer));
  }
  await http.close();
  return seen;
}

function ask(client: HttpClient, { name, task, id, content }: TenantCall): Promise<Json> {
  const uri = `trail://task/${encodeURIComponent(task)}`;
  const argument = { name: "task", value: task.slice(0, 1) };
  if (name === "resources/list") return client.request(name);
  if (name === "resources/read") return client.request(name, { uri });
  if (name === "completion/complete")
    return client.request(name, { ref: { type: "ref/resource", uri: "trail://task/{task}" }, argument });
  const read = { task_id: task, ...(name === "thought_get" && { id }) };
  return client.call(name, name === "thought_record" ? { ...read, type: "plan", content, id } : read);
}

/** Returns an answer without the values that depend on the clock, the server's key and its request counter. */
function normalized(answer: Json): string {
  return JSON.stringify(answer)
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
    .replace(/[0-9a-f]{64}/g, "<hash>")
    .replace(/"(note|verifier_key|root_hash)":"(?:[^"\\]|\\.)*"/g, '"$1":""')
    .replace(/Signed \d+ records(?:[^"\\]|\\.)*/g, "")
    .replace(/\\"(note|verifier_key|root_hash)\\":\\"(?:[^"\\]|\\\\.)*?\\"/g, "")
    .replace(/"id":\d+/g, "");
}

test.each(ERAS)("in revision %s a tenant sees the same whatever another tenant does", async (revision) => {
  await fc.assert(
    fc.asyncProperty(calls, async (made) => {
      expect(await play(revision, made, "ab")).toEqual(await play(revision, made, "a"));
    }),
    { numRuns: runs(5) },
  );
});
