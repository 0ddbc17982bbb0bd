import type { Client } from "../client.ts";

export const CODEX: Client = {
  id: "codex",
  name: "Codex",
  files: [
    { scope: "project", path: ".codex/config.toml", member: ["mcp_servers"] },
    { scope: "user", path: "$CODEX_HOME/config.toml", member: ["mcp_servers"] },
  ],
  merge: {
    by: "members",
    source: "https://developers.openai.com/codex/config-basic",
    unverified: "that tables are merged at every depth; the page says only that values are resolved",
  },
  spelling: {
    stdio: "`command`, `args`, `env`, `env_vars`, `cwd`",
    http: "`url`, `http_headers`, `env_http_headers`, `bearer_token_env_var`",
  },
  off: ["enabled: false"],
  source: "https://developers.openai.com/codex/mcp",
};
