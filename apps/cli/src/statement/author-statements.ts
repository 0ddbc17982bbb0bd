import { dirname, join, relative } from "node:path";
import { parseJson } from "@agentprint/canonical-json";
import type { Finding } from "@agentprint/findings";
import type { Launch } from "@agentprint/launch";
import {
  type LockedKeys,
  type LockedServer,
  type LockedStatement,
  type LockFile,
  lockAsPinned,
  lockServer,
  McpLockError,
  withAuthorKeys,
} from "@agentprint/mcp-lock";
import type { Policy, StatementRule } from "@agentprint/policy";
import { PATCH_RULES } from "@agentprint/release";
import {
  type AuthorFacts,
  type AuthorTexts,
  addressPlace,
  forgottenKeys,
  isBundle,
  keyHistoryPlace,
  MAX_HISTORY_BYTES,
  MAX_STATEMENT_BYTES,
  type NewKeys,
  noStatement,
  type ProvenAuthor,
  proveAuthor,
  readReference,
  STATEMENT_FILE,
  type StatementRuleId,
} from "@agentprint/statement";
import { readRegularFile } from "../files/read-input.ts";
import { packagesFolder } from "../files/state-folder.ts";
import type { Context } from "../run/context.ts";
import { CliError, isMissing, reasonOf } from "../run/errors.ts";
import { readAddress } from "../visit/read-address.ts";
import type { VisitResult } from "../visit/visit-servers.ts";

/** A visited server, and what is known about it. */
export interface VisitedServer {
  readonly served: LockedServer;
  /** The server as it is pinned; absent if it is not pinned. */
  readonly locked?: LockedServer | undefined;
}

/**
 * Returns the servers that answered, with their entries. A server whose answers cannot be pinned is left to the
 * comparison with the lock.
 */
export function visitedServers(visits: readonly VisitResult[], lock: LockFile): VisitedServer[] {
  return visits.flatMap((visit) => {
    if ("error" in visit) return [];
    const { name, answers } = visit;
    const locked = lock.servers.find((entry) => entry.name === name);
    try {
      return [{ served: locked ? lockAsPinned(locked, answers) : lockServer(name, answers), locked }];
    } catch (error) {
      if (error instanceof McpLockError) return [];
      throw error;
    }
  });
}

/** The statements that were proven about the servers of a run. */
export interface ProvenAuthors {
  readonly findings: readonly Finding<StatementRuleId>[];
  /** The valid statements, in the lock's form. */
  readonly held: readonly LockedStatement[];
  /** The authors' keys that the lock does not yet contain, or contains in an older state. */
  readonly keys: readonly NewKeys[];
  /** Whether a finding is about a change that the author's statement covers without a person's review. */
  readonly isAccepted: (finding: Pick<Finding, "rule" | "place">) => boolean;
  /** By server, why a valid statement lets no change pass although the policy accepts patches. */
  readonly obstacles: ReadonlyMap<string, string>;
}

/**
 * Returns the updates that a lock may keep without a review: revocations, but no other key that may sign for an author.
 */
export function withoutRotations(keys: readonly NewKeys[]): LockedKeys[] {
  return keys.flatMap(({ learned, isRotated }) => {
    if (!isRotated) return learned;
    return learned.revoked.length > 0 ? { ...learned, successors: [] } : [];
  });
}

/** The policy and the lock with which the statements of a run are compared. */
export interface Surroundings {
  readonly policy: Policy;
  /** The path of the lock; the places of statements are relative to its folder. */
  readonly file: string;
  readonly lock: LockFile;
  /**
   * The base commit's lock, so that a pull request can neither pick the statement its successor is compared with nor
   * drop a key.
   */
  readonly base?: LockFile | undefined;
}

/**
 * Verifies the statements that a policy names about visited servers, against their answers, the lock and the previously
 * accepted statements. A missing statement is a finding: an error if the policy requires it, otherwise a note.
 */
export async function proveAuthors(
  context: Context,
  servers: readonly VisitedServer[],
  surroundings: Surroundings,
): Promise<ProvenAuthors> {
  const { policy, lock, base, file } = surroundings;
  const { statements = {} } = policy;
  const authorKeys = (base ? withAuthorKeys(base, lock.authorKeys ?? []) : lock).authorKeys ?? [];
  const accepted = (base ?? lock).statements ?? [];
  const named = servers.flatMap((server) => {
    const { name } = server.served;
    const rule = Object.hasOwn(statements, name) ? statements[name] : undefined;
    return rule === undefined ? [] : [{ name, rule, server }];
  });
  const all = await Promise.all(
    named.map(({ rule, server }) => {
      const known = { ...server, now: new Date(), statements: accepted, authorKeys };
      return readAndProve(context, rule, file, known);
    }),
  );
  const patched = new Set(named.flatMap(({ name }, index) => (all[index]?.isPatch ? name : [])));
  return {
    findings: [...forgottenKeys(base?.authorKeys, lock.authorKeys, file), ...all.flatMap(({ findings }) => findings)],
    held: all.flatMap(({ held }) => held ?? []),
    keys: all.flatMap(({ keys }) => keys ?? []),
    isAccepted: ({ rule, place }) => PATCH_RULES.includes(rule) && patched.has(place.server ?? ""),
    obstacles: new Map(
      named.flatMap(({ name }, index) => {
        const obstacle = all[index]?.obstacle;
        return obstacle === undefined ? [] : [[name, obstacle] as const];
      }),
    ),
  };
}

/** Reads the statement of an author, and verifies it. */
async function readAndProve(
  context: Context,
  rule: StatementRule,
  file: string,
  facts: AuthorFacts,
): Promise<ProvenAuthor> {
  const { name, launch } = facts.served;
  const found = await findStatement(context, rule, file, launch);
  if ("reason" in found) return noStatement(name, found.place, found.reason, rule);
  if (rule.sigstore !== undefined && isBundle(found.statement)) {
    const { keylessOpener } = await import("./read-statement.ts");
    const open = await keylessOpener(context, found.statement, rule.sigstore, file);
    return proveAuthor({ ...found, open }, rule, facts);
  }
  const history = await readHistory(context, keyHistoryPlace(found.place), file);
  return proveAuthor({ ...found, history }, rule, facts);
}

/** The statement of an author, and where it was. */
type FoundStatement = Omit<AuthorTexts, "history" | "open">;

/** The place where a statement should be, and the reason why there is none. */
interface NoStatement {
  readonly place: string;
  readonly reason: string;
}

/**
 * Returns the statement of an author from the place that the policy names, which can be a `server.json`, or from the
 * default place, or the reason why there is none.
 *
 * @param file The path of the lock; places are relative to its folder
 */
export async function findStatement(
  context: Context,
  { from }: Pick<StatementRule, "from">,
  file: string,
  launch: Launch,
): Promise<FoundStatement | NoStatement> {
  const places = from === undefined ? await placesOf(context, launch, file).catch(reasonOf) : [from];
  if (typeof places === "string") return { place: STATEMENT_FILE, reason: places };
  let reason = "there is none in the places where authors publish it";
  for (const place of places) {
    const statement = await readPlace(context, place, file, MAX_STATEMENT_BYTES).catch((error: unknown) => {
      return from === undefined && isAbsent(error) ? undefined : reasonOf(error);
    });
    if (typeof statement === "string") reason = statement;
    if (statement === undefined || typeof statement === "string") continue;
    if (/(?:^|\/)server\.json$/.test(place)) return await followReference(context, place, statement, file);
    return { place, statement, isFound: from === undefined };
  }
  return { place: from ?? places[0] ?? STATEMENT_FILE, reason };
}

/** Reads the statement that a `server.json` names. */
async function followReference(
  context: Context,
  serverJson: string,
  text: Uint8Array,
  file: string,
): Promise<FoundStatement | NoStatement> {
  try {
    const reference = readReference(parseJson(text));
    const { address: place } = reference;
    const statement = await readPlace(context, place, file, MAX_STATEMENT_BYTES);
    return { place, statement, isFound: false, reference };
  } catch (error) {
    return { place: serverJson, reason: reasonOf(error) };
  }
}

/** Returns the places where authors put statements: in the package that a launch names, and at the address of a server. */
async function placesOf(context: Context, launch: Launch, file: string): Promise<string[]> {
  if (launch.type === "stdio") {
    const { packageFolders } = await import("@agentprint/artifacts");
    const { env, signal } = context;
    const cwd = context.pathOf(launch.cwd ?? ".");
    const folders = await packageFolders(launch, { cwd, env, ...(signal && { signal }) }, packagesFolder(context));
    return folders.map((folder) => relative(context.pathOf(dirname(file)), join(folder, STATEMENT_FILE)));
  }
  return [addressPlace(launch.url)].filter((place) => place !== undefined);
}

/** @returns `undefined` if there is no history, and the reason if it cannot be read */
function readHistory(context: Context, place: string, lock: string): Promise<Uint8Array | string | undefined> {
  return readPlace(context, place, lock, MAX_HISTORY_BYTES).catch((error: unknown) =>
    isAbsent(error) ? undefined : reasonOf(error),
  );
}

function isAbsent(error: unknown): boolean {
  return error instanceof CliError ? isMissing(error.cause) : /^HTTP (404|410)$/.test(reasonOf(error));
}

async function readPlace(context: Context, place: string, lock: string, maxBytes: number): Promise<Uint8Array> {
  if (/^https?:/.test(place)) return new TextEncoder().encode(await readAddress(context, place));
  return await readRegularFile(context, join(dirname(lock), place), maxBytes);
}
