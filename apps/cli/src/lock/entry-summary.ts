import { escapeText } from "@agentprint/canonical-json/text";
import { count } from "@agentprint/findings";
import type { LaunchCoverage } from "@agentprint/launch";
import { coverageOfEntry, type LockedServer } from "@agentprint/mcp-lock/lock";
import { commandLine } from "../terminal/command-line.ts";

/** The number of pinned items of each kind. An item that differs between sessions counts once. */
type ItemCounts = Readonly<Record<"tools" | "prompts" | "resources" | "resourceTemplates", number>>;

/** The JSON form of an entry, without its definitions. */
export type EntrySummary = Pick<
  LockedServer,
  "name" | "launch" | "digest" | "toolsDigest" | "setHashes" | "client" | "sessions"
> & {
  /** The coverage of the launch, recomputed if the lock lacks it; absent for a server at an address. */
  readonly coverage?: LaunchCoverage;
  readonly artifacts?: LockedServer["artifacts"];
  readonly auth?: LockedServer["auth"];
} & ItemCounts;

/** Returns an entry without its definitions. */
export function summarizeEntry(entry: LockedServer): EntrySummary {
  const { name, launch, artifacts, auth, digest, toolsDigest, setHashes, client, sessions } = entry;
  const coverage = coverageOfEntry(entry);
  const known = { ...(coverage && { coverage }), ...(artifacts && { artifacts }), ...(auth && { auth }) };
  return { name, launch, ...known, digest, toolsDigest, setHashes, client, sessions, ...countItems(entry) };
}

function countItems({ tools, prompts, resources, resourceTemplates }: LockedServer): ItemCounts {
  const countNames = (items: LockedServer["tools"] | LockedServer["prompts"], key: string): number =>
    new Set(items.map(({ definition }) => definition[key])).size;
  return {
    tools: countNames(tools, "name"),
    prompts: countNames(prompts, "name"),
    resources: countNames(resources, "uri"),
    resourceTemplates: countNames(resourceTemplates, "uriTemplate"),
  };
}

/** Returns `14 tools, 2 prompts`, for example; a kind without items is left out, except tools. */
export function itemsInWords(entry: LockedServer): string {
  const { tools, prompts, resources, resourceTemplates } = countItems(entry);
  return Object.entries({ tool: tools, prompt: prompts, resource: resources, "resource template": resourceTemplates })
    .filter(([noun, number]) => number > 0 || noun === "tool")
    .map(([noun, number]) => count(number, noun))
    .join(", ");
}

/** Returns `https://login.example.com for mcp:read`, for example. */
export function loginInWords({ issuer, scopes }: NonNullable<LockedServer["auth"]>): string {
  return scopes.length === 0 ? issuer : `${issuer} for ${scopes.join(" ")}`;
}

/** Returns the set hashes of the tools, with the sessions to which they belong if these are not all sessions. */
export function setHashesInWords({ setHashes }: LockedServer): string {
  return setHashes.map(({ tools, seenBy }) => (seenBy ? `${tools} (${seenBy.join(", ")})` : tools)).join(", ");
}

/** Returns `as claude-code and as a bare client, MCP 2025-11-25 and 2026-07-28`, for example. */
export function sessionsInWords(entry: LockedServer): string {
  const { client, sessions } = entry;
  const versions = [...new Set(sessions.map(({ protocolVersion }) => protocolVersion))].sort();
  const isBoth = client !== "bare" && sessions.some(({ session }) => session.endsWith("/bare"));
  return `as ${client}${isBoth ? " and as a bare client" : ""}, MCP ${versions.join(" and ")}`;
}

/** Returns the launch in one line: a command as a shell accepts it or an address, and the names of its variables or headers. */
export function launchInWords({ launch }: Pick<LockedServer, "launch">): string {
  const [way, noun, names] =
    launch.type === "stdio"
      ? [commandLine([launch.command, ...launch.args]), "variable", launch.env]
      : [escapeText(launch.url), "header", launch.headers];
  const folder = launch.type === "stdio" && launch.cwd !== undefined ? ` in ${escapeText(launch.cwd)}` : "";
  if (names.length === 0) return `${way}${folder}`;
  return `${way}${folder} (${noun}${names.length === 1 ? "" : "s"} ${escapeText(names.join(", "))})`;
}
