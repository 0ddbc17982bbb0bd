import type { ServerSnapshot } from "./snapshot.ts";
import type { VisitAnswers } from "./visit-answers.ts";

/**
 * The snapshot that version 1 of the lock pins, in the form of a visit: one session of a bare client with the handshake, in
 * which each list has one page. {@link snapshotOfVisit} gives the snapshot back.
 */
export function visitOfSnapshot(snapshot: ServerSnapshot): VisitAnswers {
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
