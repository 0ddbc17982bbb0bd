import type { LockedServer, LockedServerV1 } from "./lock.ts";
import { sealServer } from "./lock-visit.ts";

/** The entry of version 1 as version 2 writes it: one session of the handshake era, as the bare client. */
export function upgradeEntry(entry: LockedServerV1): LockedServer {
  const { name, launch, clientCapabilities, protocolVersion, serverInfo, capabilities, instructions } = entry;
  return sealServer({
    name,
    launch,
    client: "bare",
    clientCapabilities,
    sessions: [{ session: "legacy/bare", protocolVersion }],
    parts: [
      { part: "capabilities", value: capabilities },
      ...(instructions === undefined ? [] : [{ part: "instructions", value: instructions } as const]),
      { part: "serverInfo", value: serverInfo },
    ],
    tools: entry.tools,
    prompts: entry.prompts,
    resources: entry.resources,
    resourceTemplates: entry.resourceTemplates,
    contents: [],
  });
}
