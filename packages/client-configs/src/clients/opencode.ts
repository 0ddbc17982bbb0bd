import type { Client } from "../client.ts";
import { jsonOrJsonc } from "./common-forms.ts";

export const OPENCODE: Client = {
  id: "opencode",
  name: "opencode",
  references: "opencode",
  variables: {
    form: "{env:NAME}",
    source: "https://opencode.ai/docs/config/",
  },
  files: [
    ...jsonOrJsonc({ scope: "project", member: ["mcp"] }, ".opencode/opencode"),
    ...jsonOrJsonc({ scope: "project", member: ["mcp"] }, "opencode"),
    ...jsonOrJsonc({ scope: "user", member: ["mcp"] }, "$XDG_CONFIG_HOME/opencode/opencode"),
  ],
  merge: {
    by: "members",
    source: "https://opencode.ai/docs/config/",
    unverified: "which of `.json` and `.jsonc` applies in one folder",
  },
  spelling: {
    stdio: '`type: "local"`, `command` (a list), `environment`; version 2 below `mcp.servers`',
    http: '`type: "remote"`, `url`, `headers`',
  },
  off: ["enabled: false", "disabled: true"],
  source: "https://opencode.ai/v2/docs/mcp-servers/",
};
