import type { Client } from "../client.ts";
import { COMMON, MCP_SERVERS } from "./common-forms.ts";

const IDE = "https://docs.aws.amazon.com/amazonq/latest/qdeveloper-ug/mcp-ide.html";
const AGENTS = "https://github.com/aws/amazon-q-developer-cli/blob/main/docs/agent-file-locations.md";

export const AMAZON_Q: Client = {
  id: "amazon-q",
  name: "Amazon Q Developer",
  files: [
    { scope: "project", path: ".amazonq/default.json", member: MCP_SERVERS },
    { scope: "project", path: ".amazonq/mcp.json", member: MCP_SERVERS },
    { scope: "user", path: "~/.aws/amazonq/default.json", member: MCP_SERVERS },
    { scope: "user", path: "~/.aws/amazonq/mcp.json", member: MCP_SERVERS },
    {
      scope: "project",
      path: ".amazonq/agents/*.json",
      member: MCP_SERVERS,
      isOfOneAgent: true,
      unverified: "a project's folder; a page names the user's",
    },
    {
      scope: "user",
      path: "~/.aws/amazonq/agents/*.json",
      member: MCP_SERVERS,
      isOfOneAgent: true,
      source: "https://docs.aws.amazon.com/amazonq/latest/qdeveloper-ug/qdev-mcp.html",
    },
    { scope: "project", path: ".amazonq/cli-agents/*.json", member: MCP_SERVERS, isOfOneAgent: true, source: AGENTS },
    {
      scope: "user",
      path: "~/.aws/amazonq/cli-agents/*.json",
      member: MCP_SERVERS,
      isOfOneAgent: true,
      source: AGENTS,
    },
  ],
  merge: {
    by: "entry",
    source: IDE,
    unverified: "that entries are not merged, and the order within one scope; the page has the order of the scopes",
  },
  spelling: COMMON,
  off: [],
  source: IDE,
};
