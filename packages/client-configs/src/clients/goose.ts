import type { Client } from "../client.ts";

export const GOOSE: Client = {
  id: "goose",
  name: "Goose",
  files: [
    {
      scope: "user",
      path: {
        darwin: "~/.config/goose/config.yaml",
        linux: "$XDG_CONFIG_HOME/goose/config.yaml",
        win32: "%APPDATA%/Block/goose/config/config.yaml",
      },
      member: ["extensions"],
      source: "https://block.github.io/goose/docs/guides/config-files",
    },
  ],
  spelling: {
    stdio: '`type: "stdio"`, `cmd`, `args`, `envs`, `env_keys`',
    http: '`type: "streamable_http"`, `uri`, `headers`',
  },
  off: ["enabled: false"],
  source: "https://block.github.io/goose/docs/getting-started/using-extensions",
};
