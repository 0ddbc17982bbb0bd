import { ITEMS, type ItemKind, itemName } from "@agentprint/mcp";
import type { LockedItem, LockedServer, LockedTool, Renames } from "@agentprint/mcp-lock";
import { judgeRelease } from "@agentprint/release";
import { timeOf } from "./fields.ts";
import {
  type OpenedStatement,
  PREDICATE_TYPE,
  SET_HASH,
  STATEMENT_TYPE,
  type StatedDefinitions,
  type StatedItem,
  type StatedVerdict,
  type Statement,
  type Subject,
} from "./statement.ts";

/** A statement's parts. */
export interface StatementParts {
  /** The server of the release, from a visit or a lock. */
  readonly entry: LockedServer;
  /** The name of its package; absent if it is the entry's name. */
  readonly name?: string;
  readonly version: string;
  /** The previous release; absent for the first. */
  readonly before?: {
    readonly entry: LockedServer;
    readonly version: string;
    /** The release's statement; absent if it has none. */
    readonly statement?: Pick<OpenedStatement, "digest">;
  };
  /** The tool renames that the author declares, old names first. */
  readonly aliases?: Renames;
  readonly issued: Date;
  readonly expires: Date;
  /** The packages and addresses with which the statement is published. */
  readonly subjects?: readonly Subject[];
}

/**
 * Returns the statement about a release, with the verdict on the change from the previous release. Its subjects are the
 * set hash of each session's tools and the given subjects.
 *
 * @example
 * ```ts
 * import { createStatement } from "@agentprint/statement";
 *
 * const [issued, expires] = [new Date("2026-01-31"), new Date("2027-01-31")];
 * const { predicate } = createStatement({ entry: after, version: "2.0.0", before: { entry: before, version: "1.2.0" }, issued, expires });
 * console.log(predicate.verdict?.level); // major
 * ```
 */
export function createStatement(parts: StatementParts): Statement {
  const { entry, name = entry.name, version, aliases, issued, expires, subjects = [] } = parts;
  const definitions = statedDefinitions(entry);
  const own = [...new Set(definitions.sets.map(({ tools }) => tools))];
  const verdict = verdictOf(parts);
  return {
    _type: STATEMENT_TYPE,
    subject: [...own.map((tools) => ({ name, digest: { [SET_HASH]: tools } })), ...subjects],
    predicateType: PREDICATE_TYPE,
    predicate: {
      server: { name, version },
      definitions,
      ...(verdict && { verdict }),
      ...(aliases !== undefined && aliases.size > 0 && { aliases: Object.fromEntries(aliases) }),
      issued: timeOf(issued),
      expires: timeOf(expires),
    },
  };
}

function verdictOf({ entry, before, aliases }: StatementParts): StatedVerdict | undefined {
  if (before === undefined) return undefined;
  const { version, statement } = before;
  return {
    level: judgeRelease(before.entry, entry, aliases).level,
    against: {
      version,
      sets: before.entry.setHashes,
      ...(statement && { statement: { sha256: statement.digest } }),
    },
  };
}

/** Returns a server's definitions, represented by their hashes. */
export function statedDefinitions(entry: LockedServer): StatedDefinitions {
  const { client, sessions, setHashes: sets } = entry;
  const items = (kind: ItemKind) => entry[ITEMS[kind].list].map((locked) => itemOf(kind, locked));
  return {
    client,
    sessions: sessions.map(({ session, protocolVersion }) => ({ session, protocolVersion })),
    sets,
    tools: items("tool"),
    prompts: items("prompt"),
    resources: items("resource"),
    resourceTemplates: items("resourceTemplate"),
    contents: items("content"),
  };
}

function itemOf(kind: ItemKind, locked: LockedTool | LockedItem): StatedItem {
  const name = itemName(kind, locked.definition);
  const seen = locked.seenBy && { seenBy: locked.seenBy };
  if (!("digests" in locked)) return { name, hash: locked.digest, ...seen };
  const { wire: hash, ...layers } = locked.digests;
  return { name, hash, layers, ...seen };
}
