import type { Client } from "../client.ts";

export const CRUSH: Client = {
  id: "crush",
  name: "Crush",
  references: "crush",
  files: [
    { scope: "project", path: ".crush.json", member: ["mcp"] },
    { scope: "project", path: "crush.json", member: ["mcp"] },
    {
      scope: "user",
      path: {
        darwin: "$XDG_CONFIG_HOME/crush/crush.json",
        linux: "$XDG_CONFIG_HOME/crush/crush.json",
        win32: "~/.config/crush/crush.json",
      },
      member: ["mcp"],
      unverified: "which folder applies on Windows: an older page names `%LOCALAPPDATA%`",
    },
  ],
  merge: {
    by: "members",
    source: "https://github.com/charmbracelet/crush/blob/main/docs/config/README.md",
    unverified: "that files are merged at every depth; the page says only that everything found is merged",
  },
  spelling: {
    stdio: '`type: "stdio"`, `command`, `args`, `env`; a `crushrc`, which is a Bash script, is not read',
    http: '`type: "http"`, `url`, `headers`',
  },
  off: ["disabled: true"],
  source: "https://github.com/charmbracelet/crush/blob/main/docs/config/README.md",
};
