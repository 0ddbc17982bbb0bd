import {
  canonicalize,
  isJsonObject,
  type JsonObject,
  type PathSegment,
  printable,
  toPointer,
} from "@agentprint/canonical-json";
import {
  type ContentAnswers,
  ITEMS,
  LISTS,
  type ListKind,
  type ListName,
  type SessionAnswers,
  type View,
} from "@agentprint/mcp";
import { numbersOf } from "../channel/parse-message.ts";
import { VisitError } from "../errors.ts";
import { MAX_READINGS_OF_CHANGES } from "../limits.ts";
import type { Greeting } from "../session/greet.ts";
import type { Session } from "../session/session.ts";
import type { VisitOptions } from "../visit-options.ts";
import { allItems, type ListReader, type Pages, readList } from "./lists.ts";
import { promptQuestions, READINGS, readContents, resourceQuestions, uiQuestions } from "./read-contents.ts";

/** The answers to the readings of one list: its pages, its error, or `undefined` if there is no such list. */
type ListAnswers = (Pages | FailedList | undefined)[];

type Readings = Map<ListKind, ListAnswers>;

/** A list that the server answered with an error. */
class FailedList {
  readonly error: VisitError;

  constructor(error: VisitError) {
    this.error = error;
  }
}

/** The input for {@link readSession}: a session after its greeting. */
export interface SessionReading {
  readonly session: Session;
  readonly view: View;
  readonly greeting: Greeting;
  /** Whether the client declares no capabilities. */
  readonly bare: boolean;
  readonly options: Pick<VisitOptions, "limits" | "settle" | "contents">;
  /** How long the server may be silent before a list that it does not declare counts as missing, in milliseconds. */
  readonly silence: number;
  warn(sentence: string): void;
  /** Receives a sentence about an answer that the visit accepts but that some client refuses. */
  note(sentence: string): void;
}

/**
 * Reads everything that a server offers after its greeting: each list twice, then one last request, then notifications.
 * If the server announces that a list has changed, the list is read again, because the earlier readings may be
 * outdated.
 *
 * @throws {@link VisitError} `server-unstable` if the server changes its lists every time, or answers a request only
 * once.
 * @throws {@link VisitError} `server-ended`, `server-timeout`, `server-unreachable`, `server-garbage`, `server-error`,
 * `server-limit` if a request has no usable answer.
 */
export async function readSession(reading: SessionReading): Promise<SessionAnswers> {
  const { session, view, greeting, options } = reading;
  const greetings = greeting.result === undefined ? [] : [greeting.result];
  const readings: Readings = new Map();
  const reader = listReader(reading);
  let due: readonly ListKind[] = LISTS;
  await session.listen(reading.silence);
  for (let attempt = 1; attempt <= MAX_READINGS_OF_CHANGES; attempt++) {
    session.takeChanged();
    const before = new Map(readings);
    await readTwice(reader, due, readings);
    const contents = await contentsOf(reading, readings);
    greetings.push(...(await askOnceMore(reading)));
    await session.wait(options.settle);
    const changed = session.takeChanged();
    due = LISTS.filter(({ capability }) => changed.includes(capability));
    const isLast = attempt === MAX_READINGS_OF_CHANGES;
    if (isLast && due.length > 0 && due.every((list) => isSameAgain(list, before, readings))) {
      reading.note(`the server keeps announcing changes to ${namesOf(due)}, but they stay the same`);
      due = [];
    }
    if (due.length === 0) {
      const { protocolVersion } = greeting;
      const lists = listAnswers(readings);
      return withNumbers({ era: session.era, view, protocolVersion, greetings, ...lists, contents });
    }
  }
  throw new VisitError("server-unstable", `the server changed its ${namesOf(due)} each time they were read`, {
    expected: `lists that are stable within ${MAX_READINGS_OF_CHANGES} readings`,
  });
}

function namesOf(lists: readonly ListKind[]): string {
  return [...new Set(lists.map(({ capability }) => capability))].join(" and ");
}

/** Returns whether a list was read again and had the same items, in any order. */
function isSameAgain(list: ListKind, before: Readings, now: Readings): boolean {
  const [old = [], fresh = []] = [before.get(list), now.get(list)];
  const items = (answers: ListAnswers): string =>
    itemsIn(list, answers)
      .map((item) => canonicalize(item))
      .sort()
      .join();
  return old !== fresh && old[0]?.constructor === fresh[0]?.constructor && items(old) === items(fresh);
}

function listReader({ session, greeting, bare, options: { limits }, silence, warn, note }: SessionReading): ListReader {
  const capabilities = greeting.result?.["capabilities"];
  return {
    session,
    limits,
    silence,
    warn,
    note,
    silent: new Set(),
    bare,
    declares: ({ capability }) => !isJsonObject(capabilities) || capabilities[capability] !== undefined,
  };
}

async function readTwice(reader: ListReader, lists: readonly ListKind[], readings: Readings): Promise<void> {
  for (const list of lists) readings.set(list, []);
  for (let reading = 0; reading < READINGS; reading++) {
    for (const list of lists) readings.get(list)?.push(await readOrFail(reader, list));
  }
  const hasTools = [...readings].some(([list, pages]) => list.item === "tool" && itemsIn(list, pages).length > 0);
  for (const list of lists) {
    const all = readings.get(list) ?? [];
    const kinds = new Set(all.map((pages) => (pages instanceof FailedList ? "failed" : typeof pages)));
    if (kinds.size > 1) {
      throw new VisitError("server-unstable", `the server answered ${list.method} once and refused it once`, {
        expected: "the same answer to the same question",
      });
    }
    const twice = nameListedTwice(list, itemsIn(list, all));
    if (twice !== undefined)
      reader.note(`${list.method} has ${twice} more than once, which counts as one if all are the same`);
    const failed = all.find((pages) => pages instanceof FailedList);
    if (failed && !hasTools) throw failed.error;
  }
}

/** Returns the first name that several items of a list share, if there is one. */
function nameListedTwice({ item }: ListKind, items: readonly JsonObject[]): string | undefined {
  const names = new Set<unknown>();
  for (const { [ITEMS[item].key]: name } of items) {
    if (names.has(name)) return typeof name === "string" ? printable(name, 100) : undefined;
    names.add(name);
  }
  return undefined;
}

/** Reads a list. Reads a list; a failure is tolerated if it is a JSON-RPC error, but never for tools. */
async function readOrFail(reader: ListReader, list: ListKind): Promise<Pages | FailedList | undefined> {
  try {
    return await readList(reader, list);
  } catch (error) {
    if (list.item === "tool" || !(error instanceof VisitError) || error.details.rpcCode === undefined) throw error;
    return new FailedList(error);
  }
}

function itemsIn(list: ListKind, [pages]: ListAnswers): JsonObject[] {
  return pages === undefined || pages instanceof FailedList ? [] : allItems(pages, list);
}

function contentsOf({ session, options, warn }: SessionReading, readings: Readings): Promise<ContentAnswers[]> {
  const items = (name: ListName): JsonObject[] =>
    [...readings].flatMap(([list, pages]) => (list.list === name ? itemsIn(list, pages) : []));
  const questions = [
    ...uiQuestions(items("tools")),
    ...(options.contents ? [...promptQuestions(items("prompts")), ...resourceQuestions(items("resources"))] : []),
  ];
  return readContents(session, questions, options.limits, warn);
}

/** Sends one last request, whose answer arrives after anything that the server sent after the earlier answers. */
async function askOnceMore({ session, greeting, options, silence, warn }: SessionReading): Promise<JsonObject[]> {
  const { requestTimeout } = options.limits;
  if (session.era === "modern" && greeting.result !== undefined) {
    return [await session.request("server/discover", {}, { timeout: requestTimeout })];
  }
  try {
    await session.request(session.ping, {}, { timeout: Math.min(silence, requestTimeout) });
  } catch (error) {
    session.throwIfFailed();
    if (!(error instanceof VisitError) || (error.code !== "server-error" && error.code !== "server-timeout"))
      throw error;
    warn(`${session.ping} is not answered: ${error.message}`);
  }
  return [];
}

/** Adds the original texts of the numbers in the results that would change when read as doubles. */
function withNumbers(answers: Omit<SessionAnswers, "numbers">): SessionAnswers {
  const { greetings, lists, contents } = answers;
  const places: (readonly [result: JsonObject, place: readonly PathSegment[]])[] = [
    ...greetings.map((result, reading) => [result, ["greetings", reading]] as const),
    ...Object.entries(lists).flatMap(([list, all]) =>
      all.flatMap((pages, reading) => pages.map((page, number) => [page, ["lists", list, reading, number]] as const)),
    ),
    ...contents.flatMap(({ results }, index) =>
      results.map((result, reading) => [result, ["contents", index, "results", reading]] as const),
    ),
  ];
  const numbers = places.flatMap(([result, place]) =>
    Object.entries(numbersOf(result)).map(([pointer, text]) => [toPointer(place) + pointer, text] as const),
  );
  return { ...answers, numbers: Object.fromEntries(numbers) };
}

function listAnswers(readings: Readings): Pick<SessionAnswers, "lists" | "unread"> {
  const [lists, unread]: [[string, Pages[]][], [string, string][]] = [[], []];
  for (const [{ list }, all] of readings) {
    const pages = all.filter((one) => Array.isArray(one));
    if (pages.length > 0) lists.push([list, pages]);
    const failed = all.find((one) => one instanceof FailedList);
    if (failed) unread.push([list, failed.error.message]);
  }
  return { lists: Object.fromEntries(lists), ...(unread.length > 0 && { unread: Object.fromEntries(unread) }) };
}
