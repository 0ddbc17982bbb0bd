import type { ClientId } from "@agentprint/client-configs";
import { CLIENT_PROFILES } from "@agentprint/mcp-visit";
import type { FoundServer } from "../clients/find-servers.ts";

/** The profiles that have another id than their client. */
const OTHER_IDS: Readonly<Partial<Record<ClientId, string>>> = { gemini: "gemini-cli" };

/** The client that a visit of a server speaks as: the first one that has it and is known; `undefined` where none is. */
export function profileOf({ places }: Pick<FoundServer, "places">): string | undefined {
  const ids = places.flatMap(({ client }) => (client ? [OTHER_IDS[client.id] ?? client.id] : []));
  return ids.find((id) => CLIENT_PROFILES.some((profile) => profile.id === id));
}
