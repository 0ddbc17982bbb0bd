import { parseCheckpoint, parseNote } from "@agentprint/trail/checkpoint";
import * as z from "zod";
import { McpServerError } from "../errors.ts";
import { Queue } from "../queue.ts";
import { checkTask, taskId } from "./arguments.ts";
import { type Call, checkNotCancelled, defineTool, READS } from "./tool.ts";

const MAX_PROBLEMS = 20;
/** Each verification keeps a page of records in memory and takes up a part of every event-loop turn. */
const VERIFICATIONS = new Queue();
const Input = z.strictObject({ task_id: taskId });

/** `audit_verify_chain`: checks whether a task's chain is intact. */
export const auditVerifyChain = defineTool({
  name: "audit_verify_chain",
  title: "Verify a decision log",
  description:
    "Verifies every record of a task and every link of its hash chain, and reports what was altered, removed, reordered or " +
    "forged. `ok: false` is a finding; a task that cannot be read is an error.",
  input: Input,
  output: z.object({
    task_id: z.string(),
    ok: z.boolean().describe("Whether neither the chain nor the store has a problem."),
    length: z.int().describe("How many records were read."),
    head: z.string().nullable().describe("The hash of the last record."),
    first_bad_index: z.int().nullable(),
    problem_count: z.int().describe("How many problems the chain has, including those that are not listed."),
    problems: z.array(z.object({ kind: z.string(), index: z.int(), id: z.string().nullable(), message: z.string() })),
    store_problems: z.array(z.object({ kind: z.string(), count: z.int(), message: z.string() })),
  }),
  annotations: READS,
  run: async ({ task_id }, call) => {
    await checkExists(call, task_id);
    const report = await VERIFICATIONS.run(() => call.services.trail.verify(task_id), call.signal);
    const content = {
      task_id,
      ok: report.ok,
      length: report.length,
      head: report.head,
      first_bad_index: report.firstBadIndex,
      problem_count: report.problemCount,
      problems: report.problems
        .slice(0, MAX_PROBLEMS)
        .map(({ kind, index, id = null, message }) => ({ kind, index, id, message })),
      store_problems: report.storeProblems.map(({ kind, count, message }) => ({ kind, count, message })),
    };
    const found = [...content.problems, ...content.store_problems].map(({ kind, message }) => `${kind}: ${message}`);
    const text = report.ok
      ? `The chain is intact: ${report.length} records.`
      : ["The chain is not intact.", ...found].join("\n");
    return { content, text };
  },
});

/** `audit_checkpoint`: signs the current chain of a task. */
export const auditCheckpoint = defineTool({
  name: "audit_checkpoint",
  title: "Sign a decision log",
  description:
    "Verifies the chain of a task, signs a checkpoint of it, and returns the note. Kept elsewhere, the note shows later " +
    "whether records were removed or rewritten. A chain with a problem is not signed.",
  input: Input,
  output: z.object({
    task_id: z.string(),
    origin: z.string(),
    size: z.int().describe("How many records the checkpoint covers."),
    root_hash: z.string().describe("The root of the Merkle tree of the records, 64 lowercase hex digits."),
    note: z.string().describe("The signed note, as C2SP's tlog-checkpoint has it."),
    verifier_key: z.string().describe("The public key that verifies the note."),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  run: async ({ task_id }, call) => {
    await checkExists(call, task_id);
    const { signer, verifierKey } = call.services.signing();
    const origin = `${signer.name}/tasks/${encodeURIComponent(task_id)}`;
    const note = await VERIFICATIONS.run(() => {
      checkNotCancelled(call);
      return call.services.trail.checkpoint(task_id, { origin, signers: [signer], authors: true });
    }, call.signal);
    const { size, rootHash } = parseCheckpoint(parseNote(note).text);
    return {
      content: { task_id, origin, size, root_hash: rootHash, note, verifier_key: verifierKey },
      text: `Signed ${size} records. Keep the note elsewhere:\n${note}`,
    };
  },
});

/**
 * Checks that the task has records and that the caller may see it, and counts the call. Without this check, an empty
 * chain would count as intact.
 */
async function checkExists(call: Call, task: string): Promise<void> {
  checkTask(call, task);
  await call.services.quotas.count(call.principal);
  if ((await call.services.trail.head(task)) === null) {
    throw new McpServerError("TASK_NOT_FOUND", `there are no records of the task ${JSON.stringify(task)}`);
  }
}
