import type { CapabilityManifest } from "@agentprint/manifest";
import { openRegistry } from "../../../apps/registry/test/support/registry.ts";

// A registry for the examples in the documentation. Requests to this address reach an app in this process.

export const url: string = "http://127.0.0.1:8787";
const registry = await openRegistry();
export const token: string = registry.token;
export const manifest: CapabilityManifest = {
  schema_version: "1.0",
  agent_version: "1.0.0",
  tools: [],
  permission_scopes: [],
  capability_flags: {},
};
globalThis.fetch = async (input, init) => registry.app.request(String(input), init);
