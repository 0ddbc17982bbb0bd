import type { JsonObject, JsonValue } from "../../../packages/canonical-json/src/index.ts";
import type { Era, SessionAnswers, View, VisitAnswers } from "../../../packages/mcp/src/index.ts";
import {
  type LockedItem,
  type LockedServer,
  type LockedTool,
  lockServer,
} from "../../../packages/mcp-lock/src/index.ts";

const LISTS = ["tools", "prompts", "resources", "resourceTemplates"] as const;

/**
 * Returns the answers from which an entry was made, as a visit to the same server would read them. The digests of local
 * files, and their extent, are left out: the corpus's launch represents a launch with `npx`, which names no files.
 *
 * @throws Error if the entry has contents, of which it holds only digests, or a list of several pages
 */
export function answersOfEntry(entry: LockedServer): VisitAnswers {
  const { launch, client, clientCapabilities, name, digest, files, coverage } = entry;
  const answers = { launch, client, clientCapabilities, sessions: entry.sessions.map((said) => session(entry, said)) };
  const known = { ...(files && { files }), ...(coverage && { coverage }) };
  if (lockServer(name, { ...answers, ...known }).digest !== digest)
    throw new Error(`the answers of ${name} cannot be restored from its entry`);
  return answers;
}

function session(entry: LockedServer, said: LockedServer["sessions"][number]): SessionAnswers {
  const [era, view] = said.session.split("/") as [Era, View];
  const isSeen = ({ seenBy }: { readonly seenBy?: readonly string[] }): boolean =>
    seenBy?.includes(said.session) ?? true;
  const parts = Object.fromEntries(entry.parts.filter(isSeen).map(({ part, value }) => [part, value]));
  const { serverInfo, capabilities, instructions, greeting, listMembers } = parts;
  const common: Record<string, JsonValue> = {
    ...(greeting as JsonObject),
    capabilities: capabilities as JsonValue,
    ...(instructions !== undefined && { instructions }),
  };
  const items = (list: (typeof LISTS)[number]): JsonObject[] =>
    (entry[list] as readonly (LockedTool | LockedItem)[]).filter(isSeen).map(({ definition }) => definition);
  const members = (listMembers ?? {}) as Record<string, JsonObject>;
  return {
    era,
    view,
    protocolVersion: said.protocolVersion,
    greetings: [
      era === "legacy"
        ? { ...common, protocolVersion: said.protocolVersion, ...(serverInfo !== undefined && { serverInfo }) }
        : modern(common, said, serverInfo),
    ],
    lists: Object.fromEntries(LISTS.map((list) => [list, [[{ ...members[list], [list]: items(list) }]]])),
    contents: [],
  };
}

function modern(
  common: JsonObject,
  { supportedVersions }: LockedServer["sessions"][number],
  serverInfo: JsonValue | undefined,
): JsonObject {
  const meta = {
    ...(common["_meta"] as JsonObject),
    ...(serverInfo !== undefined && { "io.modelcontextprotocol/serverInfo": serverInfo }),
  };
  return {
    ...common,
    ...(supportedVersions !== undefined && { supportedVersions }),
    ...(Object.keys(meta).length > 0 && { _meta: meta }),
  };
}
