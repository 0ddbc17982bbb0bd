import type { Client } from "../client.ts";
import { COMMON, MCP_SERVERS } from "./common-forms.ts";

export const LM_STUDIO: Client = {
  id: "lm-studio",
  name: "LM Studio",
  files: [{ scope: "user", path: "~/.lmstudio/mcp.json", member: MCP_SERVERS }],
  spelling: COMMON,
  off: [],
  source: "https://lmstudio.ai/docs/app/mcp",
};
