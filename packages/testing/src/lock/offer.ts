import type { JsonObject } from "@agentprint/canonical-json";
import type { Launch } from "@agentprint/launch";
import type { VisitAnswers } from "@agentprint/mcp";

/** The values and items that a server offers in one session with the handshake. */
export interface Offer {
  readonly launch: Launch;
  readonly clientCapabilities: JsonObject;
  readonly protocolVersion: string;
  readonly serverInfo: JsonObject;
  readonly capabilities: JsonObject;
  readonly instructions?: string;
  readonly tools: readonly JsonObject[];
  readonly prompts: readonly JsonObject[];
  readonly resources: readonly JsonObject[];
  readonly resourceTemplates: readonly JsonObject[];
}

const EMPTY: Offer = {
  launch: { type: "stdio", command: "node", args: ["server.js"], env: ["HOME"] },
  clientCapabilities: {},
  protocolVersion: "2025-06-18",
  serverInfo: { name: "server", version: "1" },
  capabilities: { tools: {} },
  tools: [],
  prompts: [],
  resources: [],
  resourceTemplates: [],
};

/** Returns the answers of a visit by a bare client to a server with these tools. */
export function answersOf(tools: readonly JsonObject[], rest: Partial<Offer> = {}): VisitAnswers {
  const { launch, clientCapabilities, protocolVersion, serverInfo, capabilities, instructions, ...lists } = {
    ...EMPTY,
    ...rest,
    tools,
  };
  const greeting = { protocolVersion, serverInfo, capabilities, ...(instructions !== undefined && { instructions }) };
  return {
    launch,
    client: "bare",
    clientCapabilities,
    eras: ["legacy"],
    sessions: [
      {
        era: "legacy",
        view: "bare",
        protocolVersion,
        greetings: [greeting],
        lists: {
          tools: [[{ tools: [...lists.tools] }]],
          prompts: [[{ prompts: [...lists.prompts] }]],
          resources: [[{ resources: [...lists.resources] }]],
          resourceTemplates: [[{ resourceTemplates: [...lists.resourceTemplates] }]],
        },
        contents: [],
      },
    ],
  };
}
