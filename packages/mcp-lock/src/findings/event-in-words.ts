import { printable } from "@agentprint/canonical-json";
import { ITEM_KINDS, ITEMS, type ItemKind } from "@agentprint/mcp";
import type { Drift, ServerDrift, ServerPart } from "../drift/drift.ts";
import { PART_WORDS } from "./part-words.ts";

type ToolDrift = Extract<Drift, { type: "tool-changed" | "tool-renamed" }>;

/**
 * Returns in a few words what happened to a server overall: how many of its items changed, whether this is a new
 * version of the server, and `and only its description` if tools changed in only one respect.
 */
export function eventInWords({ drifts, checked }: ServerDrift): string {
  const only = onlyInWords(drifts);
  const items = ITEM_KINDS.flatMap((kind) => {
    const all = `${checked[kind].length} ${ITEMS[kind].words}s`;
    return [...namesByVerb(drifts, kind)].sort().flatMap(([verb, names]) => {
      const words = `${names.size} of ${all} ${verb}`;
      return kind === "tool" && verb === "changed" ? [words, ...only] : [words];
    });
  });
  const version = versionInWords(drifts);
  const changed = drifts.flatMap((drift) => (drift.type === "part-changed" ? [drift.part] : []));
  const parts = new Set(version.length === 0 ? changed : changed.filter((part) => part !== "serverInfo"));
  const others = [
    ...[...parts].map((part) => `${partInWords(part, drifts)} changed`),
    ...drifts.flatMap((drift) => (drift.type.startsWith("era-") ? [drift.type.replace("-", " ")] : [])),
    ...(drifts.some(({ type }) => type === "server-not-locked") ? ["not in the lock"] : []),
    ...(drifts.some(({ type }) => type === "varying-signal") ? ["signals in what may vary"] : []),
  ];
  // The word "only" refers to the tools, not to what follows.
  const between = only.length + version.length > 0 ? "; " : ", ";
  return [[...items, ...version].join(", "), others.join(", ")].filter((words) => words !== "").join(between);
}

/** Returns a part in words; an upgrade can change the versions of many packages, which are counted. */
function partInWords(part: ServerPart, drifts: readonly Drift[]): string {
  const changes = drifts.flatMap((drift) =>
    drift.type === "part-changed" && drift.part === part ? drift.changes : [],
  );
  if (part === "artifactVersions" && changes.length > 1) return `versions of ${changes.length} launched packages`;
  return SHORT_WORDS[part] ?? PART_WORDS[part];
}

/** Names for the parts that a launch leads to, shorter than in a finding. */
const SHORT_WORDS: Partial<Record<ServerPart, string>> = {
  files: "launched program",
  artifacts: "launched package",
  artifactVersions: "version of a launched package",
  artifactFiles: "files of a launched package",
};

/**
 * Returns `with a new version (1.0.0 → 2.0.0)` if nothing else changed in the server's description of itself; an empty
 * version counts as no version.
 */
function versionInWords(drifts: readonly Drift[]): string[] {
  const changes = drifts.flatMap((drift) =>
    drift.type === "part-changed" && drift.part === "serverInfo" ? drift.changes : [],
  );
  const [{ pointer, before, after } = { pointer: "" }, ...others] = changes;
  if (pointer !== "/version" || others.length > 0) return [];
  const [from, to] = [before, after].map((value) =>
    typeof value === "string" && value.trim() !== "" ? printable(value, MAX_VERSION) : undefined,
  );
  if (to === undefined) return [from === undefined ? "with no version" : `without its version (${from} is gone)`];
  return [from === undefined ? `with a version (${to})` : `with a new version (${from} → ${to})`];
}

/** The maximum length of a version in such a text, in UTF-16 code units. */
const MAX_VERSION = 40;

/** Returns `and only its description`, or the like, if all changes to tools are of one kind. */
function onlyInWords(drifts: readonly Drift[]): string[] {
  const tools = drifts.filter((drift): drift is ToolDrift => drift.type === "tool-changed");
  const kinds = new Set(tools.flatMap(({ changes }) => changes.map(kindOf)));
  const [kind] = kinds;
  if (kind === undefined || kinds.size > 1) return [];
  const isOne = new Set(tools.map(({ name }) => name)).size === 1;
  return [`and only ${isOne ? "its" : "their"} ${kind === "description" && !isOne ? "descriptions" : kind}`];
}

function kindOf({ layer, pointer }: ToolDrift["changes"][number]): string {
  if (layer === "prose") return pointer === "/description" ? "description" : "texts";
  return { contract: "schemas", hints: "hints", rest: "other members" }[layer];
}

/**
 * Returns the names of the changed items of one kind, grouped by what happened to them. Each name counts once, no
 * matter how many sessions saw the change.
 */
function namesByVerb(drifts: readonly Drift[], kind: ItemKind): Map<string, Set<string>> {
  const verbs = new Map<string, Set<string>>();
  for (const drift of drifts) {
    const verb = verbOf(drift, kind);
    if (verb === undefined || !("name" in drift)) continue;
    verbs.set(verb, (verbs.get(verb) ?? new Set()).add(drift.name));
  }
  return verbs;
}

function verbOf(drift: Drift, kind: ItemKind): string | undefined {
  if ("kind" in drift) return drift.kind === kind ? drift.type.replace("item-", "") : undefined;
  return kind === "tool" && drift.type.startsWith("tool-") ? drift.type.replace("tool-", "") : undefined;
}
