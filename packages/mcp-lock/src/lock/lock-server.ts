import { compareCodeUnits, printable, toPointer } from "@agentprint/canonical-json";
import { redactLaunch } from "@agentprint/launch/redact";
import { ITEMS, type ItemKind, type SessionAnswers, type VisitAnswers } from "@agentprint/mcp";
import { fingerprintWithWire } from "@agentprint/tool-pins/judgement";
import { lockedAuth } from "../auth/compare-auth.ts";
import { checkAnswers, checkArgument, ENTRY } from "../check-argument.ts";
import { McpLockError } from "../errors.ts";
import { hashDefinition } from "../hash-definition.ts";
import { faultOfVaries, MAY_VARY, PinnedValues } from "../varies/pinned-values.ts";
import { holdersOfVisit } from "../varies/varying-holders.ts";
import { sortedVaries, type VaryingMember } from "../varies/varying-member.ts";
import { numbersKey } from "../visit/item-numbers.ts";
import type { PlacedItem } from "../visit/read-pages.ts";
import { readSession, type SessionReadings } from "../visit/read-session.ts";
import { type SteadySession, steadySession } from "../visit/steady-session.ts";
import { findUnstable, isBelow, memberReadings } from "../visit/unstable-members.ts";
import { lockedArtifacts } from "./artifact.ts";
import { type LockedItem, type LockedServer, serverCanonicalPayload, toolsCanonicalPayload } from "./lock.ts";
import { groupSessions, type SessionState } from "./session-state.ts";
import { setHashes, type UnsealedServer } from "./set-hashes.ts";

/**
 * The members that may have a different value in each answer; members next to items are named by pointers such as
 * `/tools/_meta/requestId`.
 */
export interface UnstableOptions {
  /** Members that are always omitted, because a lock entry names them. */
  readonly unstable?: readonly string[];
  /** Members that are omitted if they differed in this visit, and pinned if they did not. */
  readonly allowUnstable?: readonly string[];
  /** Members of items and instructions that may vary: for all sessions, the entry holds the first value of each. */
  readonly varies?: readonly VaryingMember[];
}

/**
 * Returns a server's lock entry, made from a visit's answers.
 *
 * An error's `path` points into `answers`; for `unstable-member`, it names the member as {@link UnstableOptions} does.
 *
 * @throws {@link McpLockError} `invalid-definition` if an answer or definition cannot be locked, or if a session is
 * given twice.
 * @throws {@link McpLockError} `duplicate-name` if two items of the same kind have the same name in one session.
 * @throws {@link McpLockError} `server-unstable`, `unstable-member` if answers to the same question differ.
 * @throws {@link McpLockError} `cannot-vary` if a member of `varies` is part of the contract, does not exist, or is
 * named twice.
 *
 * @example
 * ```ts
 * import { lockServer } from "@agentprint/mcp-lock";
 *
 * const entry = lockServer("filesystem", answers);
 * console.log(entry.name, entry.digest.length); // filesystem 64
 * ```
 */
export function lockServer(name: string, answers: VisitAnswers, options: UnstableOptions = {}): LockedServer {
  checkArgument("name", name, "string");
  checkAnswers("answers", answers);
  checkArgument("options", options, "object");
  const { varies = [] } = options;
  checkArgument("options.varies", varies, [{ kind: "string", pointer: "string", as: "string" }]);
  const readings = withFirstValues(answers, varies).map(readSession);
  const twice = readings.findIndex(
    ({ session }, index) => readings.findIndex((other) => other.session === session) < index,
  );
  if (twice !== -1) {
    throw new McpLockError("invalid-definition", `/sessions/${twice}`, "Expected each era and view at most once");
  }
  const unstable = unstableMembers(readings, options);
  const states = readings.map((session) => lockSession(steadySession(session, unstable)));
  const { launch, files = [], coverage, artifacts = [], auth, client, clientCapabilities } = answers;
  hashDefinition(clientCapabilities, ["clientCapabilities"]);
  return sealServer({
    name,
    launch: redactLaunch(launch),
    ...(files.length > 0 && { files: files.toSorted((a, b) => compareCodeUnits(a.pointer, b.pointer)) }),
    ...(coverage && { coverage }),
    ...(artifacts.length > 0 && { artifacts: lockedArtifacts(artifacts) }),
    ...(auth && { auth: lockedAuth(auth) }),
    client,
    clientCapabilities,
    ...(unstable.length > 0 && { unstable }),
    ...(varies.length > 0 && { varies: sortedVaries(varies) }),
    ...groupSessions(states),
  });
}

/** Returns the sessions of a visit, with the first value that the server gave each varying member. */
function withFirstValues(answers: VisitAnswers, varies: readonly VaryingMember[]): readonly SessionAnswers[] {
  if (varies.length === 0) return answers.sessions;
  const first = new PinnedValues(varies, holdersOfVisit(answers));
  const fault = faultOfVaries(varies, first, () => holdersOfVisit(answers));
  if (fault !== undefined) {
    throw new McpLockError("cannot-vary", varies[fault.index]?.pointer ?? "", `Expected ${MAY_VARY}: ${fault.reason}`);
  }
  return answers.sessions.map((session) => first.session(session));
}

/** Returns an entry with its set hashes (specification 01) and its two digests, each as 64 lowercase hex digits. */
export function sealServer(server: UnsealedServer): LockedServer {
  checkArgument("server", server, ENTRY);
  const toolsDigest = hashDefinition(toolsCanonicalPayload(server.tools));
  const entry = { ...server, toolsDigest, setHashes: setHashes(server) };
  return { ...entry, digest: hashDefinition(serverCanonicalPayload(entry)) };
}

function unstableMembers(
  sessions: readonly SessionReadings[],
  { unstable = [], allowUnstable = [] }: UnstableOptions,
): string[] {
  const differing = findUnstable(memberReadings(sessions));
  const allowed = allowUnstable.filter((place) => differing.some((pointer) => isBelow(pointer, [place])));
  return [...new Set([...unstable, ...allowed])].sort(compareCodeUnits);
}

/** Returns the definitions of one session, with digests. */
export function lockSession({ lists, contents, ...rest }: SteadySession): SessionState {
  const items = (kind: Exclude<ItemKind, "content">): readonly PlacedItem[] =>
    oneOfEachName(kind, lists[ITEMS[kind].list]?.items ?? []);
  const lock = ({ definition, place, numbers }: PlacedItem): LockedItem => ({
    definition,
    digest: hashDefinition(definition, place),
    ...(numbers && { numbers }),
  });
  return {
    ...rest,
    tools: items("tool").map(({ definition, place, numbers }) => ({
      definition,
      digests: fingerprintWithWire(definition, hashDefinition(definition, place)),
      ...(numbers && { numbers }),
    })),
    prompts: items("prompt").map(lock),
    resources: items("resource").map(lock),
    resourceTemplates: items("resourceTemplate").map(lock),
    contents: oneOfEachName("content", contents).map((content) => ({
      ...lock(content),
      ...(content.result && { result: content.result }),
    })),
  };
}

/** Returns whether two items have the same definition, with their numbers written in the same way. */
function isSameItem(one: PlacedItem, other: PlacedItem): boolean {
  const [first, second] = [one, other].map(({ definition, place }) => hashDefinition(definition, place));
  return first === second && numbersKey(one.numbers) === numbersKey(other.numbers);
}

/**
 * Returns the items without duplicates, if no two different items have the same name. A tool that is listed again with
 * the same definition and the same number texts is the same tool.
 */
function oneOfEachName<T extends PlacedItem>(kind: ItemKind, items: readonly T[]): readonly T[] {
  const { key, words } = ITEMS[kind];
  const found = new Map<string, T>();
  for (const item of items) {
    const { definition, place } = item;
    const name = definition[key];
    if (typeof name !== "string") {
      throw new McpLockError("invalid-definition", toPointer(place), `Expected an object with a string as "${key}"`);
    }
    const known = found.get(name);
    if (known === undefined) found.set(name, item);
    else if (kind !== "tool" || !isSameItem(known, item)) {
      const message = `Expected each ${words} once; ${printable(JSON.stringify(name))} is listed twice`;
      throw new McpLockError("duplicate-name", toPointer([...place, key]), message);
    }
  }
  return [...found.values()];
}
