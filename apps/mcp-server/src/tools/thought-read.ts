import { sliceWithoutSplittingSurrogates } from "@agentprint/canonical-json/text";
import { type ThoughtRecord, ThoughtRecordSchema } from "@agentprint/trail";
import type { ThoughtPage, TrailStore } from "@agentprint/trail-store";
import * as z from "zod";
import { holdTexts, makeLong } from "../answer-hold.ts";
import { McpServerError } from "../errors.ts";
import { checkTask, taskId } from "./arguments.ts";
import { defineTool, READS } from "./tool.ts";

const MAX_PAGE = 200;
/** The number of records that are read at a time. */
const PIECE = 16;
/** The most UTF-16 units of a page's contents, except for its first record. */
const MAX_PAGE_LENGTH = 2 ** 20;
/** The most UTF-16 units of each thought that the readable text shows. */
const SHOWN_LENGTH = 200;

/** `thought_get`: returns one record of a task by its id. */
export const thoughtGet = defineTool({
  name: "thought_get",
  title: "Read a thought",
  description: "Returns one record of the decision log of a task by its id.",
  input: z.strictObject({ task_id: taskId, id: z.string().min(1).max(512).describe("The id of the record.") }),
  output: ThoughtRecordSchema,
  annotations: READS,
  run: async ({ task_id, id }, call) => {
    checkTask(call, task_id);
    const record = await call.services.trail.get(task_id, id);
    if (record !== null) return { content: record, text: lineOf(record) };
    throw new McpServerError("THOUGHT_NOT_FOUND", `there is no record ${JSON.stringify(id)}`);
  },
});

/** `thought_list`: returns a page of a task's records. */
export const thoughtList = defineTool({
  name: "thought_list",
  title: "Read a decision log",
  description: "Returns the records of a task in the order of their chain, page by page.",
  input: z.strictObject({
    task_id: taskId,
    after: z.int().min(-1).default(-1).describe("The `next` of the previous page; without it, the first page."),
    limit: z.int().min(1).max(MAX_PAGE).default(50).describe("The most records of the page."),
  }),
  output: z.object({
    records: z.array(ThoughtRecordSchema),
    next: z.int().nullable().describe("The `after` of the next page; null on the last page."),
  }),
  annotations: READS,
  run: async ({ task_id, after, limit }, call) => {
    checkTask(call, task_id);
    const { trail } = call.services;
    const content = await makeLong(() => readPage(trail, task_id, { after, limit }));
    const lines = content.records.map(lineOf);
    if (lines.length === 0) lines.push(`No records of the task ${JSON.stringify(task_id)} after ${after}.`);
    if (content.next !== null) lines.push(`There are more: continue with after ${content.next}.`);
    return { content, text: lines.join("\n") };
  },
});

/** Returns a page of records whose contents fit into one answer; the first record is always included. */
async function readPage(
  trail: TrailStore,
  task: string,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<ThoughtPage> {
  // The answer contains the page as text and as structured content.
  holdTexts(2 * MAX_PAGE_LENGTH);
  const records: ThoughtRecord[] = [];
  let length = 0;
  for (let next: number | null = after; next !== null; ) {
    const piece: ThoughtPage = await trail.list(task, { after: next, limit: Math.min(PIECE, limit - records.length) });
    for (const record of piece.records) {
      length += record.content.length;
      if (records.length > 0 && length > MAX_PAGE_LENGTH) return trail.list(task, { after, limit: records.length });
      records.push(record);
    }
    next = piece.next;
    if (records.length >= limit) return { records, next };
  }
  return { records, next: null };
}

function lineOf({ timestamp, agent_id, type, content }: ThoughtRecord): string {
  const shown = sliceWithoutSplittingSurrogates(content, 0, SHOWN_LENGTH);
  return `${timestamp} ${agent_id} ${type}: ${shown}${shown === content ? "" : "…"}`;
}
