/** Policies for each tenant, a capability link stored for each turn, and the answer to "why did these two differ?". */
import {
  type CapabilityLink,
  computeFullCapabilityLink,
  createRegisteredAgent,
  explainCapabilityLinkRelationship,
  policy,
  tool,
  toolkit,
} from "@agentprint/agent-capabilities";
import { z } from "zod";

interface Env {
  readonly tenant: { readonly id: string; readonly plan: "free" | "pro"; suspended: boolean };
}

const active = policy("tenant:active", (ctx: { env: Env }) => !ctx.env.tenant.suspended);
const pro = policy("tenant:pro", (ctx: { env: Env }) => ctx.env.tenant.plan === "pro", { executeBinding: "snapshot" });

const ticket = z.object({ ticket: z.string() });
const read = tool({
  name: "read_ticket",
  inputSchema: ticket,
  policies: [active],
  handler: (_ctx, input) => input.ticket,
});
const refund = tool({ name: "refund", inputSchema: ticket, policies: [active, pro], handler: () => "refunded" });
const root = toolkit([read, refund], { name: "support" });
const agent = createRegisteredAgent({ agentId: "support-1", name: "Support", instructions: ["Be kind."], root });

const stored: { turn: number; link: CapabilityLink }[] = [];
async function turn(tenant: Env["tenant"]): Promise<Awaited<ReturnType<typeof evaluate>>> {
  const full = await evaluate(tenant);
  stored.push({ turn: stored.length + 1, link: full.link });
  return full;
}
const evaluate = (tenant: Env["tenant"]) =>
  computeFullCapabilityLink({ agent, ctx: { env: { tenant } }, invocationContext: { tenant: tenant.id } });

await turn({ id: "acme", plan: "free", suspended: false });
await turn({ id: "acme", plan: "pro", suspended: false });
const globex = { id: "globex", plan: "pro" as const, suspended: false };
const { evaluation } = await turn(globex);

for (const [index, { turn: number, link }] of stored.entries()) {
  const next = stored[index + 1];
  if (next === undefined) continue;
  const { relationship, details } = explainCapabilityLinkRelationship(link, next.link);
  console.log(`turn ${number} and ${next.turn}: ${relationship}`);
  for (const detail of details) console.log(`  ${detail.replace(/[0-9a-f]{8}….{4}/g, "<hash>")}`);
}

// The tenant is suspended while its turn runs: a live policy is evaluated again, and the tool does not run.
globex.suspended = true;
await evaluation.tools.refund?.execute({ ticket: "T-1" }).catch((error: Error) => console.log(error.message));

/* Output:
turn 1 and 2: tool-set-changed
  Tool "refund" is newly enabled.
turn 2 and 3: invocation-changed
  The invocation context changed: <hash> became <hash>.
tool "refund": policy "tenant:active" allowed it at evaluation and denies it now
*/
