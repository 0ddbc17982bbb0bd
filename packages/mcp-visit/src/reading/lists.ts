import { isJsonObject, type JsonObject } from "@agentprint/canonical-json";
import { isBegunAgain, type Limits, type ListKind, nextCursorOf, RPC_ERROR } from "@agentprint/mcp";
import { VisitError } from "../errors.ts";
import { MIN_DOUBT } from "../session/era-watch.ts";
import type { Session } from "../session/session.ts";

/** The results of a list's pages. */
export type Pages = readonly JsonObject[];

export interface ListReader {
  readonly session: Session;
  readonly limits: Limits;
  /** Returns whether the server declares the capability of a list. */
  declares(list: ListKind): boolean;
  /** How long the server may be silent before a list that it does not declare counts as missing, in milliseconds. */
  readonly silence: number;
  /** The methods that the server did not answer; they are not requested again. */
  readonly silent: Set<string>;
  /**
   * Whether the client declares no capabilities, so that a server may refuse to show it a list that other clients get.
   */
  readonly bare: boolean;
  warn(sentence: string): void;
  /** Receives a sentence about an answer that is accepted here but that some client refuses. */
  note(sentence: string): void;
}

/**
 * Reads all pages of a list, or returns `undefined` if the server has no such list.
 *
 * The official clients request lists that a server does not declare, so these lists are also read. "Method not found"
 * means that there is no list. For an undeclared list, any other error, silence, and an answer without a list mean the
 * same, because no client has items to show. Silence counts as such if the server answers a later request in the
 * meantime, or answers nothing at all.
 */
export async function readList(reader: ListReader, list: ListKind): Promise<Pages | undefined> {
  if (reader.silent.has(list.method)) return undefined;
  const pages: JsonObject[] = [];
  const cursors = new Set<string>();
  let items = 0;
  for (let cursor: string | undefined; ; ) {
    const page = await readPage(reader, list, cursor);
    if (page === undefined) return cursor === undefined ? undefined : pages;
    if (cursor === undefined && !Array.isArray(page[list.list]) && !reader.declares(list)) {
      reader.warn(`${list.method} is not declared, and its answer is not a list`);
      return undefined;
    }
    if (isBegunAgain(cursor, page[list.list], pages[0]?.[list.list])) return pages;
    items += itemsOf(page, list).length;
    pages.push(page);
    if (items > reader.limits.maxItems) throw tooMany(list.method, `${reader.limits.maxItems} items`, "maxItems");
    const next = cursorOf(page, list.method);
    if (page["nextCursor"] === null) reader.note(nullCursor(list));
    if (next === undefined || (next === "" && cursor === "")) return pages;
    cursor = next;
    if (cursors.has(cursor)) {
      throw garbage(list.method, "the cursor of an earlier page again: its pages never end", "a new cursor, or none");
    }
    cursors.add(cursor);
    if (cursors.size >= reader.limits.maxPages)
      throw tooMany(list.method, `${reader.limits.maxPages} pages`, "maxPages");
  }
}

async function readPage(
  reader: ListReader,
  list: ListKind,
  cursor: string | undefined,
): Promise<JsonObject | undefined> {
  const { session, limits, silence, warn } = reader;
  const declared = reader.declares(list);
  const timeout = declared ? limits.requestTimeout : Math.min(silence, limits.requestTimeout);
  const unless = declared ? {} : { unless: () => hearPing(reader) };
  try {
    return await session.request(list.method, cursor === undefined ? {} : { cursor }, { timeout, ...unless });
  } catch (error) {
    if (!(error instanceof VisitError)) throw error;
    session.throwIfFailed();
    const { code, details } = error;
    if (code === "server-error" && details.rpcCode === RPC_ERROR.methodNotFound && cursor === undefined)
      return undefined;
    // Some clients treat an empty cursor as the end of a list, so a server may have no page after it.
    if (code === "server-error" && cursor === "") return undefined;
    if (reader.bare && details.rpcCode === RPC_ERROR.missingClientCapability) {
      warn(`${list.method} is refused for a client without capabilities: ${error.message}`);
      return undefined;
    }
    if (declared || cursor !== undefined || (code !== "server-error" && code !== "server-timeout")) throw error;
    if (code === "server-timeout") reader.silent.add(list.method);
    warn(`${list.method} is not declared, and there is none: ${error.message}`);
    return undefined;
  }
}

/**
 * Waits until the server answers a request that is not a list. If the server is silent here too, the request is not
 * repeated later.
 */
async function hearPing({ session, limits, silence, silent }: ListReader): Promise<void> {
  if (silent.has(session.ping)) return;
  const timeout = Math.min(limits.requestTimeout, Math.max(MIN_DOUBT, silence));
  try {
    await session.request(session.ping, {}, { timeout });
  } catch (error) {
    session.throwIfFailed();
    if (error instanceof VisitError && error.code === "server-timeout") silent.add(session.ping);
  }
}

function itemsOf(page: JsonObject, { method, list }: ListKind): readonly JsonObject[] {
  const items = page[list];
  if (!Array.isArray(items)) throw garbage(method, `a result without ${list}`, `an array in "${list}"`);
  const wrong = items.findIndex((item) => !isJsonObject(item));
  if (wrong === -1) return items as JsonObject[];
  throw garbage(method, `something that is not an object at /${list}/${wrong}`, "a list of objects");
}

/** Returns all items of a list's pages. */
export function allItems(pages: Pages, list: ListKind): JsonObject[] {
  return pages.flatMap((page) => itemsOf(page, list));
}

function cursorOf(page: JsonObject, method: string): string | undefined {
  const cursor = nextCursorOf(page);
  if (cursor === null) throw garbage(method, "a nextCursor that is not a string", "a string, or no nextCursor");
  return cursor;
}

function nullCursor({ method }: ListKind): string {
  return `${method} has a nextCursor that is null, which counts as the end of the list; the official TypeScript client refuses such an answer`;
}

function garbage(method: string, what: string, expected: string): VisitError {
  return new VisitError("server-garbage", `the server answered ${method} with ${what}`, { expected });
}

function tooMany(method: string, limit: string, setting: string): VisitError {
  return new VisitError("server-limit", `the server answered ${method} with more than ${limit}`, {
    expected: `at most ${limit}`,
    fix: `raise ${setting} under visits in agentprint.config.json if the server really has that many`,
  });
}
