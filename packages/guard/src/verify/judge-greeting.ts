import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from "@agentprint/canonical-json/json-value";
import { type Era, META } from "@agentprint/mcp";
import {
  type DriftFinding,
  McpLockError,
  offeredByAnswers,
  offeredFindings,
  varyingFindings,
} from "@agentprint/mcp-lock";
import type { GuardDecision, Policy } from "@agentprint/policy";
import { LockedWorld, type SessionKind, sessionOf } from "./baseline.ts";
import { decideAll, highest, ruleIds } from "./decide-item.ts";
import { UnreadablePage } from "./page-items.ts";

/** The verdict on the result of `initialize` or `server/discover`. */
export interface JudgedGreeting {
  /** The result for the client; the same object if nothing was changed. */
  readonly result: JsonObject;
  readonly decision: GuardDecision;
  readonly findings: readonly string[];
}

const PARTS = ["capabilities", "instructions", "serverInfo", "greeting"] as const;
type Part = (typeof PARTS)[number];

/** Members with which the two sides agree on a protocol version; the lock does not decide on them. */
const AGREED = new Set(["protocolVersion", "supportedVersions", "resultType", "ttlMs", "cacheScope"]);

/**
 * Compares a greeting with the lock. Replaces each part that the policy does not pass with the locked part, so that no
 * other text reaches a model and the session continues.
 *
 * @throws {@link UnreadablePage} when it is not a greeting.
 */
export function judgeGreeting(
  given: JsonObject,
  session: SessionKind,
  world: LockedWorld,
  policy: Policy,
): JudgedGreeting {
  const { era } = session;
  const locked = world.baseline(session).snapshot.parts;
  const result = world.pinned.greeting(given);
  const live = read(result, era, world);
  const varying = varyingFindings(world.entry, { sessions: [sessionOf(era, { greetings: [given] })] }, world.names);
  const findings: DriftFinding[] = [];
  let shown = result;
  for (const part of PARTS) {
    if (isSameJson(locked[part] ?? null, live[part] ?? null)) continue;
    // In the modern era, the server information is an optional member of the metadata.
    if (part === "serverInfo" && era === "modern" && live[part] === undefined) continue;
    const [before, after] = [
      LockedWorld.snapshot({ [part]: locked[part] }),
      LockedWorld.snapshot({ [part]: live[part] }),
    ];
    const found = offeredFindings(world.entry.name, before, after, world.names);
    findings.push(...found);
    if (decideAll(found, policy) === "pass") continue;
    shown = withLocked(shown, part, locked[part], era);
  }
  if (shown !== given && era === "modern") shown = { ...shown, ttlMs: 0, cacheScope: "private" };
  const decisions = [decideAll(findings, policy), ...varying.map(() => "freeze" as const)];
  return { result: shown, decision: highest(decisions), findings: ruleIds([...varying, ...findings]) };
}

function read(result: JsonObject, era: Era, world: LockedWorld): Readonly<Partial<Record<Part, JsonValue>>> {
  try {
    return offeredByAnswers(sessionOf(era, { greetings: [result] }), world.unstable).parts;
  } catch (error) {
    if (!(error instanceof McpLockError)) throw error;
    throw new UnreadablePage(error.code);
  }
}

function withLocked(result: JsonObject, part: Part, locked: JsonValue | undefined, era: Era): JsonObject {
  switch (part) {
    case "capabilities":
      return { ...result, capabilities: common(result["capabilities"], locked) };
    case "instructions":
      return withMember(result, "instructions", locked);
    case "serverInfo":
      if (era === "legacy") return withMember(result, "serverInfo", locked);
      return { ...result, _meta: withMember(metaOf(result), META.serverInfo, locked) };
    case "greeting":
      return withLockedMembers(result, locked);
  }
}

function metaOf({ _meta: meta }: JsonObject): JsonObject {
  return isJsonObject(meta) ? meta : {};
}

function withMember(object: JsonObject, name: string, value: JsonValue | undefined): JsonObject {
  const { [name]: _, ...rest } = object;
  return value === undefined ? rest : { ...rest, [name]: value };
}

/** Returns the capabilities that the live greeting and the lock have in common. */
function common(live: JsonValue | undefined, locked: JsonValue | undefined): JsonObject {
  if (!isJsonObject(live) || !isJsonObject(locked)) return {};
  return Object.fromEntries(
    Object.entries(live).flatMap(([name, value]): [string, JsonValue][] => {
      if (!Object.hasOwn(locked, name)) return [];
      const before = locked[name] as JsonValue;
      if (isJsonObject(value) && isJsonObject(before)) return [[name, common(value, before)]];
      return isSameJson(value, before) ? [[name, value]] : [];
    }),
  );
}

/** Members of a greeting that are not included in its part `greeting`. */
const OWN = new Set([...AGREED, "capabilities", "instructions", "serverInfo"]);

function withLockedMembers(result: JsonObject, locked: JsonValue | undefined): JsonObject {
  const isLocked = (name: string, value: JsonValue) => isJsonObject(locked) && isSameJson(locked[name], value);
  const kept = Object.entries(result).flatMap(([name, value]): [string, JsonValue][] => {
    if (OWN.has(name) || isLocked(name, value)) return [[name, value]];
    const info = name === "_meta" && isJsonObject(value) ? value[META.serverInfo] : undefined;
    return info === undefined ? [] : [["_meta", { [META.serverInfo]: info }]];
  });
  return Object.fromEntries(kept);
}
