import { isJsonObject, type JsonObject, type JsonValue, type PathSegment, toPointer } from "@agentprint/canonical-json";
import {
  type ContentAnswers,
  LISTS,
  type ListName,
  type SessionAnswers,
  type SessionName,
  serverInfoOf,
  UNREAD_LISTS,
  type UnreadList,
} from "@agentprint/mcp";
import { McpLockError } from "../errors.ts";
import { hashDefinition } from "../hash-definition.ts";
import { type NumbersAt, numbersKey, numbersOfItems } from "./item-numbers.ts";
import { pinnedMembers } from "./pinned-members.ts";
import { type PlacedItem, type Reading, readPages } from "./read-pages.ts";

/** A value that a server states once in a session. */
export type SaidPart = "serverInfo" | "capabilities" | "instructions" | "greeting" | "listMembers";

/** The values that a server states once in a session, by name; a value that the server does not state is absent. */
export type SaidParts = Readonly<Partial<Record<SaidPart, JsonValue>>>;

/** One session without the members that are not pinned. A repeated request has one entry for each answer. */
export interface SessionReadings {
  readonly session: SessionName;
  readonly protocolVersion: string;
  /** The versions that the server says it supports; present only in the modern era. */
  readonly supportedVersions?: JsonValue;
  /** The lists that failed, sorted. */
  readonly unread?: readonly UnreadList[];
  readonly greetings: readonly JsonObject[];
  readonly serverInfos: readonly JsonValue[];
  readonly lists: Readonly<Partial<Record<ListName, readonly Reading[]>>>;
  readonly contents: readonly PlacedContent[];
}

/** A content with its pinned result, or without one if nothing was read. */
export interface PlacedContent extends PlacedItem {
  readonly result?: JsonObject;
}

const LEGACY_GREETING = ["protocolVersion", "serverInfo"];
const MODERN_GREETING = ["supportedVersions"];

/**
 * Reads the raw answers of one session.
 *
 * An error's `path` points into the answers.
 *
 * @throws {@link McpLockError} `invalid-definition` if an answer does not have the form that MCP requires, or if a
 * number next to its items changes when it is read as a double.
 * @throws {@link McpLockError} `invalid-definition` if a failed list was also read, or if there is no tool.
 * @throws {@link McpLockError} `server-unstable` if a content was read twice and differed.
 */
export function readSession(answers: SessionAnswers, index: number): SessionReadings {
  const at = ["sessions", index];
  const { era, view, protocolVersion } = answers;
  const numbersAt = numbersOfItems(answers, at);
  const spoken = era === "legacy" ? LEGACY_GREETING : MODERN_GREETING;
  const greetings = answers.greetings.map((greeting, reading) =>
    readGreeting(greeting, spoken, [...at, "greetings", reading]),
  );
  const lists: Partial<Record<ListName, readonly Reading[]>> = {};
  for (const { list } of LISTS) {
    const readings = answers.lists[list];
    if (readings)
      lists[list] = readings.map((pages, reading) =>
        readPages(list, pages, [...at, "lists", list, reading], numbersAt),
      );
  }
  const unread = unreadLists(answers, lists, [...at, "unread"]);
  const supportedVersions = era === "modern" ? answers.greetings.at(-1)?.["supportedVersions"] : undefined;
  return {
    session: `${era}/${view}`,
    protocolVersion,
    ...(supportedVersions !== undefined && { supportedVersions }),
    ...(unread.length > 0 && { unread }),
    greetings,
    serverInfos: serverInfos(answers, [...at, "serverInfo"]),
    lists,
    contents: answers.contents.map((content, position) =>
      readContent(content, `${era}/${view}`, [...at, "contents", position], numbersAt),
    ),
  };
}

/**
 * Returns the lists that the server answered with an error. A failed list is tolerated if tools were listed, but the
 * list of tools itself must never fail.
 */
function unreadLists(
  { unread = {} }: SessionAnswers,
  lists: SessionReadings["lists"],
  at: readonly PathSegment[],
): UnreadList[] {
  const failed = Object.keys(unread).sort();
  const hasTools = (lists.tools?.at(-1)?.items.length ?? 0) > 0;
  for (const list of failed) {
    if (UNREAD_LISTS.includes(list as UnreadList) && !lists[list as UnreadList]?.length && hasTools) continue;
    const message = `Expected ${UNREAD_LISTS.join(", ")}, not read in this session, with at least one tool`;
    throw new McpLockError("invalid-definition", toPointer([...at, list]), message);
  }
  return failed as UnreadList[];
}

/**
 * Returns the pinned members of a greeting. Hashes the members, in order to refuse values that are too deep to be
 * compared.
 */
function readGreeting(greeting: JsonObject, spoken: readonly string[], at: readonly PathSegment[]): JsonObject {
  const { capabilities, instructions } = greeting;
  if (!isJsonObject(capabilities)) {
    throw new McpLockError(
      "invalid-definition",
      toPointer([...at, "capabilities"]),
      "Expected an object as capabilities",
    );
  }
  if (instructions !== undefined && typeof instructions !== "string") {
    throw new McpLockError(
      "invalid-definition",
      toPointer([...at, "instructions"]),
      "Expected a string as instructions",
    );
  }
  const pinned = pinnedMembers(greeting, spoken);
  hashDefinition(pinned, at);
  return pinned;
}

/** Returns every value with which the server identified itself in the session: in the handshake, or in any result. */
function serverInfos({ era, greetings, lists, contents }: SessionAnswers, at: readonly PathSegment[]): JsonValue[] {
  const results = [
    ...greetings,
    ...Object.values(lists).flatMap((readings) => readings.flat()),
    ...contents.flatMap((content) => content.results),
  ];
  const said = results.map(serverInfoOf);
  if (era === "legacy") said.push(...greetings.map((greeting) => greeting["serverInfo"]));
  const infos = said.filter((info) => info !== undefined);
  for (const info of infos) hashDefinition(info, at);
  return infos;
}

/** Returns the name of a content, the digest of its results, their number texts, and the first result. */
function readContent(
  { kind, name, results }: ContentAnswers,
  session: SessionName,
  at: readonly PathSegment[],
  numbersAt: NumbersAt,
): PlacedContent {
  const pinned = results.map((result) => pinnedMembers(result, []));
  const [numbers, ...others] = results.map((_, reading) => numbersAt([...at.slice(2), "results", reading]));
  const digests = new Set(pinned.map((result, reading) => hashDefinition(result, [...at, "results", reading])));
  if (digests.size > 1 || others.some((other) => numbersKey(other) !== numbersKey(numbers))) {
    throw new McpLockError(
      "server-unstable",
      "",
      `In session ${session}, the server gave different answers for ${kind} ${name}`,
    );
  }
  const definition = { name: `${kind} ${name}`, digest: [...digests][0] ?? null };
  const [result] = pinned;
  return { definition, place: at.slice(2), ...(numbers && { numbers }), ...(result && { result }) };
}
