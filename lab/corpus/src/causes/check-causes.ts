import type { JsonChange, JsonObject } from "../../../../packages/canonical-json/src/index.ts";
import type { VisitAnswers } from "../../../../packages/mcp/src/index.ts";
import {
  checkLock,
  createLock,
  type Drift,
  driftFindings,
  type LockedServer,
  type SchemaVerdict,
} from "../../../../packages/mcp-lock/src/index.ts";
import type { Answers } from "../edits/edit.ts";
import { withChanges, withDefinitionsOf, withoutChanges } from "./undo.ts";

/** The result of undoing the causes that a report names for one breaking schema. */
export interface CheckedCauses {
  readonly tool: string;
  readonly causes: number;
  /** The number of changes to the schema that are not causes. */
  readonly others: number;
  /** Whether the report says that the causes were not isolated. */
  readonly isUnknown: boolean;
  /** A description of each of the report's claims that is not true. */
  readonly faults: readonly string[];
}

type ToolDrift = Extract<Drift, { type: "tool-changed" | "tool-renamed" }>;

/**
 * Checks the causes that a report names for each schema that breaks between two versions of a server, by undoing them.
 */
export function checkCauses(
  before: LockedServer,
  after: LockedServer,
  answers: readonly [Answers, Answers],
): CheckedCauses[] {
  const { servers, ...rest } = checkLock(createLock(answers[0]), answers[1]);
  const findings = driftFindings({ ...rest, servers });
  const drifts = servers.flatMap(({ drifts }) => drifts).filter((drift): drift is ToolDrift => "layers" in drift);
  return drifts.flatMap((drift) =>
    (drift.schemas ?? []).filter(isBreak).map((verdict) => {
      const named = findings.filter(
        ({ rule, place }) =>
          rule === "mcp/tool-contract-changed" &&
          place.tool === drift.name &&
          place.pointer?.startsWith(`/${verdict.schema}`),
      );
      const previous = "previousName" in drift ? drift.previousName : drift.name;
      const tools = [toolOf(before, previous), toolOf(after, drift.name)] as const;
      return check(drift, verdict, new Set(named.map(({ place }) => place.pointer ?? "")), tools);
    }),
  );
}

function toolOf({ tools }: LockedServer, name: string): JsonObject {
  return tools.find(({ definition }) => definition["name"] === name)?.definition as JsonObject;
}

function check(
  { name, changes }: ToolDrift,
  verdict: SchemaVerdict,
  named: ReadonlySet<string>,
  [before, after]: readonly [JsonObject, JsonObject],
): CheckedCauses {
  const { schema, causes } = verdict;
  const own = changes.filter(({ layer, pointer }) => layer === "contract" && `${pointer}/`.startsWith(`/${schema}/`));
  if (causes === undefined) return { tool: name, causes: 0, others: own.length, isUnknown: true, faults: [] };
  const groups = causes.map(({ pointers }) => own.filter(({ pointer }) => pointers.includes(pointer)));
  const pointers = groups.flat().map(({ pointer }) => pointer);
  const isNamed = pointers.length === named.size && pointers.every((pointer) => named.has(pointer));
  const breaks = (tool: JsonObject): boolean => breaksAfter(before, withDefinitionsOf(tool, before), schema);
  const without = (some: readonly (readonly JsonChange[])[]): JsonObject => withoutChanges(after, some.flat());
  const faults = groups.flatMap((group) => [
    ...(breaks(withChanges(withDefinitionsOf(before, after), group)) ? [] : [`${at(group)} alone breaks nothing`]),
    ...(breaks(without(groups.filter((each) => each !== group))) ? [] : [`${at(group)} need not be undone`]),
  ]);
  return {
    tool: name,
    causes: groups.length,
    others: own.length - pointers.length,
    isUnknown: false,
    faults: [
      ...(isNamed ? [] : ["the findings do not name the same causes as the verdict"]),
      ...faults,
      ...(breaks(without(groups)) ? ["it breaks with all causes undone"] : []),
    ],
  };
}

function at(group: readonly JsonChange[]): string {
  return group.map(({ pointer }) => pointer).join(" with ");
}

/** Returns whether a tool's schema in one version breaks callers of another version. */
function breaksAfter(before: JsonObject, after: JsonObject, schema: SchemaVerdict["schema"]): boolean {
  const [old, now] = [before, after].map((tool): Answers => {
    const own = tool[schema];
    const input = schema === "inputSchema" ? {} : { inputSchema: {} };
    return { server: serverOf({ name: "tool", ...input, ...(own !== undefined && { [schema]: own }) }) };
  });
  const drifts = checkLock(createLock(old as Answers), now as Answers).servers[0]?.drifts ?? [];
  return drifts.some((drift) => "schemas" in drift && drift.schemas?.some(isBreak));
}

function isBreak({ verdict, isWider }: SchemaVerdict): boolean {
  return verdict === "breaking" && !isWider;
}

/** Returns the answers of a server with this tool only. */
function serverOf(tool: JsonObject): VisitAnswers {
  const serverInfo = { name: "server", version: "1" };
  const greeting = { protocolVersion: "2025-06-18", serverInfo, capabilities: { tools: {} } };
  const lists = { tools: [[{ tools: [tool] }]] };
  return {
    launch: { type: "stdio", command: "node", args: [], env: [] },
    client: "bare",
    clientCapabilities: {},
    eras: ["legacy"],
    sessions: [
      { era: "legacy", view: "bare", protocolVersion: "2025-06-18", greetings: [greeting], lists, contents: [] },
    ],
  };
}
