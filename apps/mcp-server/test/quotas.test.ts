import { expect, test } from "vitest";
import { Quotas } from "../src/access/quotas.ts";
import { startHttp } from "../src/http/serve-http.ts";
import { connectHttp, startTestHttp } from "./support/http.ts";
import type { Json } from "./support/server.ts";

const THOUGHT = { type: "plan", task_id: "task-42", content: "Migrate the table." };
const textOf = ({ content }: Json): string => content[0].text;

test("too many calls of one token are refused, and those of others continue", async () => {
  const slow = await startTestHttp({ token_minute_limit: "2" });
  const { token } = await slow.services.tokens.issue({ agentId: undefined, tasks: ["*"] }, new Date());
  const client = await connectHttp(slow.url, "2026-07-28", token);
  for (let call = 0; call < 2; call++) await client.call("thought_record", THOUGHT);
  for (const task_id of ["task-42", "another"]) {
    expect(textOf(await client.call("thought_record", { ...THOUGHT, task_id }))).toMatch(
      /^TOO_MANY_CALLS.*try again in \d+ s/,
    );
  }
  const other = await connectHttp(slow.url, "2026-07-28");
  expect((await other.call("audit_verify_chain", { task_id: "task-42" })).structuredContent.ok).toBe(true);
  await slow.close();
});

test.each([
  ["records", { token_record_limit: "2" }],
  ["tasks", { token_task_limit: "2" }],
  ["bytes", { token_byte_limit: "60" }],
])(
  "a token stores at most so many %s, in all servers and tasks together, and others continue",
  async (what, limits) => {
    const first = await startTestHttp(limits);
    const { services } = first;
    const second = await startHttp({ ...services, quotas: new Quotas(services.trail, services.config) });
    const { token } = await services.tokens.issue({ agentId: "planner", tasks: ["*"] }, new Date());
    const clients = [
      await connectHttp(first.url, "2026-07-28", token),
      await connectHttp(second.url, "2026-07-28", token),
    ];
    const record = async (turn: number, thought = { ...THOUGHT, task_id: `t${turn}`, id: `r${turn}` }): Promise<Json> =>
      clients[turn % 2]?.call("thought_record", thought);
    for (const turn of [0, 1, 0, 1]) expect((await record(turn)).isError).toBeUndefined();
    for (const turn of [2, 3]) expect(textOf(await record(turn))).toMatch(new RegExp(`^QUOTA_EXCEEDED.*${what}`));
    expect(await services.trail.head("t2")).toBeNull();
    const other = await connectHttp(first.url, "2026-07-28");
    expect((await other.call("thought_record", { ...THOUGHT, task_id: "t2", id: "r2" })).isError).toBeUndefined();
    await second.close();
    await first.close();
  },
);
