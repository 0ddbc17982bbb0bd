import { formatThoughtLine } from "@agentprint/trail/chain";
import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  ResourceTemplate,
} from "@modelcontextprotocol/server";
import { type Principal, seesTask } from "./access/principal.ts";
import { holdTexts, makeLong } from "./answer-hold.ts";
import { McpServerError } from "./errors.ts";
import type { Services } from "./services.ts";

/** The most tasks that a list of resources names. */
const MAX_LISTED = 500;
const MAX_COMPLETIONS = 100;
/** The most UTF-16 units of a trail that is read as a resource. */
const MAX_LENGTH = 4 * 2 ** 20;
const MIME_TYPE = "application/jsonl";

/** Offers each task's trail as the resource `trail://task/<task>`, which contains its records as JSON Lines. */
export function addTrailResource(server: McpServer, services: Services, principal: Principal): void {
  const template = new ResourceTemplate("trail://task/{task}", {
    list: async () => {
      const tasks = await visibleTasks(services, principal, "", MAX_LISTED);
      return { resources: tasks.map((task) => ({ uri: uriOf(task), name: task, mimeType: MIME_TYPE })) };
    },
    complete: {
      task: async (value) => {
        const tasks = await visibleTasks(services, principal, decode(value) ?? value, MAX_COMPLETIONS);
        return tasks.map(encodeURIComponent);
      },
    },
  });
  const metadata = {
    title: "Decision log of a task",
    description: "The records of a task in the order of their chain, as JSON Lines that can be verified.",
    mimeType: MIME_TYPE,
  };
  server.registerResource("trail", template, metadata, async (uri, { task: encoded }) => {
    const task = typeof encoded === "string" ? decode(encoded) : undefined;
    if (task === undefined || !seesTask(principal, task)) throw new ResourceNotFoundError(uri.href);
    const text = await makeLong(() => readTrail(services, task)).catch((error: unknown) => {
      if (error instanceof McpServerError) throw new ProtocolError(ProtocolErrorCode.InternalError, error.message);
      throw error;
    });
    if (text === "") throw new ResourceNotFoundError(uri.href);
    return { contents: [{ uri: uri.href, mimeType: MIME_TYPE, text }] };
  });
}

/** Returns the names of tasks that the caller may see and that begin with `start`. */
export async function visibleTasks(
  { trail }: Services,
  principal: Principal,
  start: string,
  limit: number,
): Promise<string[]> {
  const found = new Set<string>();
  // Reads only tasks that the caller may see, so that other tasks cost nothing.
  for (const pattern of principal.tasks) {
    if (!pattern.endsWith("*")) {
      if (pattern.startsWith(start) && (await trail.head(pattern)) !== null) found.add(pattern);
      continue;
    }
    const begins = pattern.slice(0, -1);
    if (!begins.startsWith(start) && !start.startsWith(begins)) continue;
    for await (const { taskId, length } of trail.tasks(begins.length > start.length ? begins : start)) {
      if (found.size >= limit) break;
      if (length > 0) found.add(taskId);
    }
  }
  return [...found].sort().slice(0, limit);
}

async function readTrail({ trail }: Services, task: string): Promise<string> {
  holdTexts(MAX_LENGTH);
  const lines: string[] = [];
  let length = 0;
  for await (const record of trail.read(task)) {
    const line = formatThoughtLine(record);
    length += line.length;
    if (length > MAX_LENGTH) {
      const message = `the trail has more than ${MAX_LENGTH} UTF-16 units: read it page by page with thought_list`;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
    }
    lines.push(line);
  }
  holdTexts(length);
  return lines.join("");
}

function uriOf(task: string): string {
  return `trail://task/${encodeURIComponent(task)}`;
}

/** Returns the task's name in a URI; `undefined` if it is not encoded correctly. */
function decode(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
