import {
  canonicalize,
  compareCodeUnits,
  type JsonValue,
  type PathSegment,
  toPointer,
} from "@agentprint/canonical-json";
import { ITEM_KINDS, ITEMS, itemName, nameAt, type SessionName } from "@agentprint/mcp";
import type { ToolFingerprint } from "@agentprint/tool-pins";
import { fingerprintWithWire } from "@agentprint/tool-pins/judgement";
import { McpLockError } from "../errors.ts";
import { hashDefinition } from "../hash-definition.ts";
import { faultOfVaries, MAY_VARY, pinnedValuesOf } from "../varies/pinned-values.ts";
import { holdersOfEntry } from "../varies/varying-holders.ts";
import { sortedVaries } from "../varies/varying-member.ts";
import { itemsOfEntry, type LockedItem, type LockedPolicy, type LockedServer, type LockedTool } from "./lock.ts";
import { sealServer } from "./lock-server.ts";
import { identityOf } from "./session-state.ts";
import { verifyNumbers } from "./verify-numbers.ts";
import { verifyScripts } from "./verify-scripts.ts";

/**
 * Verifies an entry, and returns it with its lists sorted.
 *
 * @throws {@link McpLockError} `digest-mismatch` if a value of the entry does not match its digest.
 * @throws {@link McpLockError} `duplicate-name` if one session saw two items or parts with the same name.
 * @throws {@link McpLockError} `invalid-definition` if a definition has no name or cannot be hashed.
 * @throws {@link McpLockError} `invalid-lock` if sessions are out of order, `seenBy` names all sessions or unknown
 * ones, `numbers` has a text that does not belong to its number, `scripts` names a package that the artifact lacks, or
 * `varies` names a member that may not vary.
 */
export function verifyEntry(server: LockedServer, at: readonly PathSegment[]): LockedServer {
  verifyItems(server, at);
  verifySessions(server, at);
  verifyScripts(server, at);
  verifyVaries(server, at);
  const { toolsDigest, digest, setHashes, ...entry } = server;
  const sorted = <T extends LockedTool | LockedItem>(items: readonly T[], key: string): T[] =>
    items
      .map((item) => ({ item, name: nameAt(item.definition, key), digest: identityOf(item) }))
      .sort((a, b) => compareCodeUnits(a.name, b.name) || compareCodeUnits(a.digest, b.digest))
      .map(({ item }) => item);
  const rebuilt = sealServer({
    ...entry,
    ...(entry.varies && { varies: sortedVaries(entry.varies) }),
    parts: entry.parts
      .map((part, index) => ({ part, digest: hashDefinition(part.value, [...at, "parts", index, "value"]) }))
      .sort((a, b) => compareCodeUnits(a.part.part, b.part.part) || compareCodeUnits(a.digest, b.digest))
      .map(({ part }) => part),
    tools: sorted(server.tools, "name"),
    prompts: sorted(server.prompts, "name"),
    resources: sorted(server.resources, "uri"),
    resourceTemplates: sorted(server.resourceTemplates, "uriTemplate"),
    contents: sorted(server.contents, "name"),
  });
  expectDigest(toolsDigest, rebuilt.toolsDigest, [...at, "toolsDigest"]);
  expectDigest(digest, rebuilt.digest, [...at, "digest"]);
  if (canonicalize(setHashes) !== canonicalize(rebuilt.setHashes)) {
    const message = "Expected the hashes of the file's content: the file was edited or damaged, pin again";
    throw new McpLockError("digest-mismatch", toPointer([...at, "setHashes"]), message);
  }
  return rebuilt;
}

/**
 * Requires that the policy match its digest in the lock.
 *
 * @throws {@link McpLockError} `digest-mismatch` if it does not; `invalid-definition` if it cannot be hashed.
 */
export function verifyPolicy({ policy, digest }: LockedPolicy, at: readonly PathSegment[]): void {
  expectDigest(
    digest,
    hashDefinition(policy, [...at, "policy"]),
    [...at, "digest"],
    "remove the policy from the file and accept it again",
  );
}

function verifyItems(server: LockedServer, at: readonly PathSegment[]): void {
  for (const [position, { definition, result }] of server.contents.entries()) {
    if (result === undefined) continue;
    const place = [...at, "contents", position];
    const computed = hashDefinition(result, [...place, "result"]);
    expectDigest(definition["digest"], computed, [...place, "definition", "digest"]);
  }
  for (const kind of ITEM_KINDS) {
    for (const [position, item] of itemsOfEntry(server, kind).entries()) {
      const place = [...at, ITEMS[kind].list, position];
      verifyNumbers(kind, item, [...place, "numbers"]);
      if ("digest" in item) {
        expectDigest(item.digest, hashDefinition(item.definition, [...place, "definition"]), [...place, "digest"]);
        continue;
      }
      const computed = fingerprintWithWire(item.definition, hashDefinition(item.definition, [...place, "definition"]));
      for (const name of Object.keys(computed) as (keyof ToolFingerprint)[]) {
        expectDigest(item.digests[name], computed[name], [...place, "digests", name]);
      }
    }
  }
}

/** Requires that the entry have each session once, and each session have each name and each part at most once. */
function verifySessions(server: LockedServer, at: readonly PathSegment[]): void {
  const sessions = server.sessions.map(({ session }) => session);
  requireOrder(sessions, [...at, "sessions"]);
  for (const [index, { unread = [] }] of server.sessions.entries())
    requireOrder(unread, [...at, "sessions", index, "unread"]);
  const seen = new Set<string>();
  const see = (what: string, by: readonly SessionName[] | undefined, place: readonly PathSegment[]): void => {
    if (by !== undefined) requireOrder(by, [...place, "seenBy"]);
    if (by !== undefined && (by.length >= sessions.length || by.some((session) => !sessions.includes(session)))) {
      throw new McpLockError(
        "invalid-lock",
        toPointer([...place, "seenBy"]),
        "Expected some, not all, of the sessions",
      );
    }
    for (const session of by ?? sessions) {
      const key = `${session} ${what}`;
      if (seen.has(key)) {
        throw new McpLockError("duplicate-name", toPointer(place), `Another entry has the same name for ${session}`);
      }
      seen.add(key);
    }
  };
  for (const [position, { part, seenBy }] of server.parts.entries()) {
    see(`part ${part}`, seenBy, [...at, "parts", position]);
  }
  for (const kind of ITEM_KINDS) {
    const { list, key } = ITEMS[kind];
    for (const [position, { definition, seenBy }] of server[list].entries()) {
      const place = [...at, list, position];
      if (typeof definition[key] !== "string") {
        throw new McpLockError(
          "invalid-definition",
          toPointer([...place, "definition"]),
          `Expected a string as "${key}"`,
        );
      }
      see(`${kind} ${itemName(kind, definition)}`, seenBy, place);
    }
  }
}

/** Requires that each varying member exist and not be part of the contract. */
function verifyVaries(server: LockedServer, at: readonly PathSegment[]): void {
  const { varies = [] } = server;
  const fault = faultOfVaries(varies, pinnedValuesOf(server), () => holdersOfEntry(server));
  if (fault === undefined) return;
  const place = toPointer([...at, "varies", fault.index]);
  throw new McpLockError("invalid-lock", place, `Expected ${MAY_VARY}: ${fault.reason}`);
}

function requireOrder(names: readonly string[], at: readonly PathSegment[]): void {
  if (names.every((name, index) => index === 0 || compareCodeUnits(names[index - 1] ?? "", name) < 0)) return;
  throw new McpLockError("invalid-lock", toPointer(at), "Expected names in code-unit order, each once");
}

function expectDigest(
  written: JsonValue | undefined,
  computed: string | undefined,
  at: readonly PathSegment[],
  fix = "pin again",
): void {
  if (written === computed) return;
  throw new McpLockError(
    "digest-mismatch",
    toPointer(at),
    `Expected ${computed}, the digest of the file's content, found ${typeof written === "string" ? written : "none"}: the file was edited or damaged, ${fix}`,
  );
}
