import type { JsonObject } from "@agentprint/mcp-lock";
import { ErrorCode } from "@modelcontextprotocol/sdk/types.js";
import { VisitError } from "./errors.ts";
import { isObject } from "./json-object.ts";
import type { Limits } from "./limits.ts";
import type { Session } from "./session.ts";

const ATTEMPTS = 3;

/** A list method of MCP: its name, the capability that offers it, and the member of its result that holds the items. */
interface ListMethod {
  readonly method: string;
  readonly capability: "tools" | "prompts" | "resources";
  readonly member: "tools" | "prompts" | "resources" | "resourceTemplates";
  /** No capability of its own announces it, so a server may answer that it does not know the method. */
  readonly optional?: true;
}

const LISTS: readonly ListMethod[] = [
  { method: "tools/list", capability: "tools", member: "tools" },
  { method: "prompts/list", capability: "prompts", member: "prompts" },
  { method: "resources/list", capability: "resources", member: "resources" },
  { method: "resources/templates/list", capability: "resources", member: "resourceTemplates", optional: true },
];

type Lists = Record<ListMethod["member"], JsonObject[]>;

/**
 * Reads all pages of every list that the server offers, and all of them again when it announces a change of one in
 * between: what was read first may no longer be true when the last has been read.
 */
export async function readLists(session: Session, capabilities: JsonObject, limits: Limits): Promise<Lists> {
  const offered = LISTS.filter(({ capability }) => capabilities[capability] !== undefined);
  const names = [...new Set(offered.map(({ capability }) => capability))];
  const takeChanged = (): string[] => names.filter((name) => session.takeChanged(name));
  takeChanged();
  let changed: string[] = [];
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const lists: Lists = { tools: [], prompts: [], resources: [], resourceTemplates: [] };
    for (const list of offered) lists[list.member] = await readPages(session, list, limits);
    changed = takeChanged();
    if (changed.length === 0) return lists;
  }
  throw new VisitError("server-unstable", `the server changed its ${changed.join(" and ")} each time they were read`, {
    expected: `lists that hold still within ${ATTEMPTS} readings`,
  });
}

async function readPages(session: Session, list: ListMethod, limits: Limits): Promise<JsonObject[]> {
  const { method, member } = list;
  const items: JsonObject[] = [];
  const cursors = new Set<string>();
  let cursor: string | undefined;
  do {
    const page = await requestPage(session, list, cursor);
    if (page === undefined) return items;
    for (const item of itemsOf(page, method, member)) items.push(item);
    if (items.length > limits.maxItems) throw tooMany(method, `${limits.maxItems} items`, "--max-items");
    cursor = cursorOf(page, method);
    if (cursor !== undefined && cursors.has(cursor)) {
      throw garbage(method, "the cursor of an earlier page again: its pages have no end", "a new cursor, or none");
    }
    if (cursor !== undefined) cursors.add(cursor);
    if (cursors.size >= limits.maxPages) throw tooMany(method, `${limits.maxPages} pages`, "--max-pages");
  } while (cursor !== undefined);
  return items;
}

async function requestPage(
  session: Session,
  { method, optional }: ListMethod,
  cursor: string | undefined,
): Promise<JsonObject | undefined> {
  try {
    return await session.request(method, cursor === undefined ? {} : { cursor });
  } catch (error) {
    const unknown = error instanceof VisitError && error.details.rpcCode === ErrorCode.MethodNotFound;
    if (optional && unknown && cursor === undefined) return undefined;
    throw error;
  }
}

function itemsOf(page: JsonObject, method: string, member: string): JsonObject[] {
  const items = page[member];
  if (!Array.isArray(items)) throw garbage(method, `a result without ${member}`, `an array in "${member}"`);
  return items.map((item, index) => {
    if (isObject(item)) return item;
    throw garbage(method, `something that is not an object at /${member}/${index}`, "a list of objects");
  });
}

function cursorOf(page: JsonObject, method: string): string | undefined {
  const cursor = page["nextCursor"];
  // Null is not in the specification, but servers that write it mean that there is no further page.
  if (cursor === undefined || cursor === null) return undefined;
  if (typeof cursor === "string") return cursor;
  throw garbage(method, "a nextCursor that is not a string", "a string, or no nextCursor");
}

function garbage(method: string, what: string, expected: string): VisitError {
  return new VisitError("server-garbage", `the server answered ${method} with ${what}`, { expected });
}

function tooMany(method: string, limit: string, option: string): VisitError {
  return new VisitError("server-limit", `the server answered ${method} with more than ${limit}`, {
    expected: `at most ${limit}`,
    fix: `raise the limit with ${option} <n> if the server really has that many`,
  });
}
