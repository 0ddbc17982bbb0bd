import { openEnvelope } from "@agentprint/recorder/events";
import { THOUGHT_TYPES, ThoughtRecordSchema, ZERO_HASH } from "@agentprint/trail";
import * as z from "zod";
import { McpServerError } from "../errors.ts";
import { checkTask, taskId } from "./arguments.ts";
import { type Call, checkNotCancelled, defineTool } from "./tool.ts";

const Input = z.strictObject({
  type: z.enum(THOUGHT_TYPES).describe("What kind of thought this is."),
  task_id: taskId,
  content: z
    .string()
    .describe("The thought, in plain words. It is stored unchanged forever: do not put secrets in it."),
  agent_id: z.string().min(1).max(512).optional().describe("Who thinks. A token with its own agent determines it."),
  id: z
    .string()
    .min(1)
    .max(512)
    .optional()
    .describe("An id of your own. Repeating a call with the same id and content records nothing twice."),
});

/** `thought_record`: appends a thought to the chain of its task. */
export const thoughtRecord = defineTool({
  name: "thought_record",
  title: "Record a thought",
  description:
    "Appends a plan, analysis, decision or reflection to the decision log of a task, and returns the record with its place " +
    "in the hash chain. Records cannot be changed or removed.",
  input: Input,
  output: ThoughtRecordSchema,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  run: async ({ type, task_id, content, agent_id, id }, call) => {
    checkTask(call, task_id);
    checkContent(content, call);
    const { quotas } = call.services;
    const thought = { type, task_id, content, agent_id: authorOf(agent_id, call), ...(id !== undefined && { id }) };
    await quotas.count(call.principal);
    const record = await quotas.append(call.principal, thought, () => checkNotCancelled(call));
    return { content: record, text: `Recorded ${type} ${record.id} of the task ${JSON.stringify(task_id)}.` };
  },
});

function checkContent(content: string, { services }: Call): void {
  const { content_limit: limit } = services.config;
  if (content.length > limit) {
    const message = `expected at most ${limit} UTF-16 units of content, received ${content.length}`;
    throw new McpServerError("CONTENT_TOO_LARGE", message);
  }
  // Without a key, no seal can be checked, so content in the form of an envelope is reported as having an unknown key.
  const record = { id: "-", type: "plan", task_id: "-", timestamp: "-", prev_hash: ZERO_HASH, content } as const;
  const opened = openEnvelope(record, []);
  if (opened.is !== "text" || opened.why === "unknown-key") {
    const message = "the content looks like a recorder's event, which only a recorder may write: say it in words";
    throw new McpServerError("CONTENT_IS_ENVELOPE", message);
  }
}

/**
 * Returns a thought's author: the agent named by the token, by the arguments or by the configuration, or else the
 * client.
 */
function authorOf(named: string | undefined, { principal, services, clientName }: Call): string {
  if (principal.agentId !== undefined && named !== undefined && named !== principal.agentId) {
    const message = `this token records as ${JSON.stringify(principal.agentId)}, not as ${JSON.stringify(named)}`;
    throw new McpServerError("AGENT_MISMATCH", message);
  }
  const author = principal.agentId ?? named ?? services.config.agent_id ?? clientName;
  if (author === undefined)
    throw new McpServerError("AGENT_UNKNOWN", "expected agent_id, because the client did not send its name");
  return author;
}
