import type { Client } from "../client.ts";
import { COMMON, MCP_SERVERS } from "./common-forms.ts";

const AGENTS = "https://kiro.dev/docs/custom-agents/configuration-reference/";

export const KIRO: Client = {
  id: "kiro",
  name: "Kiro",
  files: [
    { scope: "project", path: ".kiro/settings/mcp.json", member: MCP_SERVERS },
    { scope: "user", path: "~/.kiro/settings/mcp.json", member: MCP_SERVERS },
    { scope: "project", path: ".kiro/agents/*.json", member: MCP_SERVERS, isOfOneAgent: true, source: AGENTS },
    { scope: "user", path: "~/.kiro/agents/*.json", member: MCP_SERVERS, isOfOneAgent: true, source: AGENTS },
  ],
  merge: {
    by: "entry",
    source: "https://kiro.dev/docs/mcp/configuration",
    unverified: "that entries are not merged; the page has the order of the files",
  },
  spelling: COMMON,
  off: ["disabled: true"],
  source: "https://kiro.dev/docs/mcp/configuration",
};
