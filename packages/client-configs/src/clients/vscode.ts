import type { Client } from "../client.ts";
import { inEditor } from "./common-forms.ts";

export const VSCODE: Client = {
  id: "vscode",
  name: "VS Code",
  files: [
    { scope: "project", path: ".vscode/mcp.json", member: ["servers"] },
    {
      scope: "user",
      path: inEditor("Code", "mcp.json"),
      member: ["servers"],
      unverified: "the folder: the page says “in your user profile”; settings.json of the default profile is there",
    },
  ],
  spelling: {
    stdio: "`command`, `args`, `env`, `envFile`, `cwd`, with `inputs` next to `servers`",
    http: '`type: "http"`, `url`, `headers`',
  },
  off: [],
  source: "https://code.visualstudio.com/docs/agents/reference/mcp-configuration",
};
