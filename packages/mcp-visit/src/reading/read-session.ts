import { isJsonObject, type JsonObject, type PathSegment, toPointer } from "@agentprint/canonical-json";
import {
  type ContentAnswers,
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

type Readings = Map<ListKind, (Pages | undefined)[]>;

/** The input of {@link readSession}: a session after its greeting. */
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
  /** Takes a sentence about an answer that the visit takes, and that some client refuses. */
  note(sentence: string): void;
}

/**
 * Reads everything that a server offers after its greeting: each list twice, then one last request, then notifications.
 * Lists whose change the server announces are read again, because the earlier readings may be outdated.
 *
 * @throws {@link VisitError} `server-unstable` when the server changes its lists each time, or answers a question once only.
 * @throws {@link VisitError} `server-ended`, `server-timeout`, `server-unreachable`, `server-garbage`, `server-error`,
 * `server-limit` when a question has no usable answer.
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
    await readTwice(reader, due, readings);
    const contents = await contentsOf(reading, readings);
    greetings.push(...(await askOnceMore(reading)));
    await session.wait(options.settle);
    const changed = session.takeChanged();
    due = LISTS.filter(({ capability }) => changed.includes(capability));
    if (due.length === 0) {
      const { protocolVersion } = greeting;
      return withNumbers({
        era: session.era,
        view,
        protocolVersion,
        greetings,
        lists: listAnswers(readings),
        contents,
      });
    }
  }
  const names = [...new Set(due.map(({ capability }) => capability))].join(" and ");
  throw new VisitError("server-unstable", `the server changed its ${names} each time they were read`, {
    expected: `lists that hold still within ${MAX_READINGS_OF_CHANGES} readings`,
  });
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
    for (const list of lists) readings.get(list)?.push(await readList(reader, list));
  }
  for (const list of lists) {
    const found = readings.get(list)?.filter((pages) => pages !== undefined).length ?? 0;
    if (found === 0 || found === READINGS) continue;
    throw new VisitError("server-unstable", `the server answered ${list.method} once and refused it once`, {
      expected: "the same answer to the same question",
    });
  }
}

function contentsOf({ session, options, warn }: SessionReading, readings: Readings): Promise<ContentAnswers[]> {
  const items = (name: ListName): JsonObject[] =>
    [...readings].flatMap(([list, [pages = []]]) => (list.list === name ? allItems(pages, list) : []));
  const questions = [
    ...uiQuestions(items("tools")),
    ...(options.contents ? [...promptQuestions(items("prompts")), ...resourceQuestions(items("resources"))] : []),
  ];
  return readContents(session, questions, options.limits, warn);
}

/** Sends one last request: its answer comes after anything that the server sent behind the earlier answers. */
async function askOnceMore({ session, greeting, options, silence, warn }: SessionReading): Promise<JsonObject[]> {
  const { requestTimeout } = options.limits;
  if (session.era === "modern" && greeting.result !== undefined) {
    return [await session.request("server/discover", {}, { timeout: requestTimeout })];
  }
  const method = session.era === "modern" ? "server/discover" : "ping";
  try {
    await session.request(method, {}, { timeout: Math.min(silence, requestTimeout) });
  } catch (error) {
    session.throwIfFailed();
    if (!(error instanceof VisitError) || (error.code !== "server-error" && error.code !== "server-timeout"))
      throw error;
    warn(`${method} is not answered: ${error.message}`);
  }
  return [];
}

/** Adds the texts of the numbers of the results that a double changes. */
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

function listAnswers(readings: Readings): SessionAnswers["lists"] {
  const read = [...readings].map(([{ list }, pages]) => [list, pages.filter((one) => one !== undefined)] as const);
  return Object.fromEntries(read.filter(([, pages]) => pages.length > 0));
}
