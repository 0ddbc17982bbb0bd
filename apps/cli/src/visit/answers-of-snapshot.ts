import type { ServerSnapshot, VisitAnswers } from "@agentprint/mcp-lock";

/** A visit as version 1 of the lock made it, in the form of every other visit. */
export function answersOfSnapshot(snapshot: ServerSnapshot): VisitAnswers {
  const { launch, clientCapabilities, protocolVersion, serverInfo, capabilities, instructions } = snapshot;
  const { tools, prompts, resources, resourceTemplates } = snapshot;
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
          tools: [[{ tools: [...tools] }]],
          prompts: [[{ prompts: [...prompts] }]],
          resources: [[{ resources: [...resources] }]],
          resourceTemplates: [[{ resourceTemplates: [...resourceTemplates] }]],
        },
        contents: [],
      },
    ],
  };
}
