import type { JsonObject } from "@agentprint/canonical-json";
import type { ListName, SessionAnswers, SessionName, VisitAnswers } from "@agentprint/mcp";
import { McpLockError } from "@agentprint/mcp-lock";

export const TOOL: JsonObject = {
  name: "read",
  description: "Reads a file",
  inputSchema: { type: "object" },
  annotations: { readOnlyHint: true },
};

interface Said {
  readonly greeting?: JsonObject;
  /** Readings, each a list of pages. Plain items become one reading of one page. */
  readonly tools?: readonly JsonObject[] | readonly (readonly JsonObject[])[];
  readonly lists?: SessionAnswers["lists"];
  readonly greetings?: readonly JsonObject[];
  readonly unread?: SessionAnswers["unread"];
  readonly contents?: SessionAnswers["contents"];
}

/** Returns the answers of one session of a small server. */
export function session(name: SessionName, said: Said = {}): SessionAnswers {
  const [era, view] = name.split("/") as [SessionAnswers["era"], SessionAnswers["view"]];
  const legacy = { protocolVersion: "2025-11-25", serverInfo: { name: "files", version: "1.0.0" } };
  const modern = {
    resultType: "complete",
    supportedVersions: ["2026-07-28"],
    ttlMs: 1,
    cacheScope: "private",
    _meta: { "io.modelcontextprotocol/serverInfo": legacy.serverInfo },
  };
  const greeting = { ...(era === "legacy" ? legacy : modern), capabilities: { tools: {} }, ...said.greeting };
  return {
    era,
    view,
    protocolVersion: era === "legacy" ? "2025-11-25" : "2026-07-28",
    greetings: said.greetings ?? [greeting],
    lists: said.lists ?? { tools: [[page("tools", said.tools ?? [TOOL])]] },
    ...(said.unread && { unread: said.unread }),
    contents: said.contents ?? [],
  };
}

/** Returns the result of a page. */
export function page(list: ListName, items: readonly unknown[], members: JsonObject = {}): JsonObject {
  return { [list]: items as JsonObject[], ...members };
}

/** Returns a visit with these sessions. */
export function visit(...sessions: readonly SessionAnswers[]): VisitAnswers {
  const launch = { type: "stdio", command: "node", args: ["server.js"], env: [] } as const;
  return {
    launch: { ...launch, args: [...launch.args], env: [] },
    client: "claude-code",
    clientCapabilities: { roots: {} },
    sessions,
  };
}

/** Returns a visit in which every session receives the same answers. */
export function everywhere(said: Said = {}): VisitAnswers {
  const names: readonly SessionName[] = ["legacy/client", "modern/client", "legacy/bare", "modern/bare"];
  return visit(...names.map((name) => session(name, said)));
}

/** Returns the error of this package that a call throws. */
export function errorOf(run: () => unknown): McpLockError {
  try {
    run();
  } catch (error) {
    if (error instanceof McpLockError) return error;
    throw error;
  }
  throw new Error("it did not fail");
}
