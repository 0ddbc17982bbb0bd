import type { Client } from "../client.ts";
import { COMMON } from "./common-forms.ts";

export const ZED: Client = {
  id: "zed",
  name: "Zed",
  files: [
    {
      scope: "project",
      path: ".zed/settings.json",
      member: ["context_servers"],
      source: "https://zed.dev/docs/configuring-zed",
      unverified: "that Zed reads a project's `context_servers`",
    },
    {
      scope: "user",
      path: {
        darwin: "~/.config/zed/settings.json",
        linux: "$XDG_CONFIG_HOME/zed/settings.json",
        win32: "%APPDATA%/Zed/settings.json",
      },
      member: ["context_servers"],
      source: "https://zed.dev/docs/configuring-zed",
      unverified: "the path on Windows",
    },
  ],
  spelling: COMMON,
  off: ["enabled: false"],
  source: "https://zed.dev/docs/ai/mcp",
};
