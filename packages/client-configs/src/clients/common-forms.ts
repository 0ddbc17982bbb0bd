import type { ClientFile, Platform } from "../client.ts";

export const MCP_SERVERS: readonly string[] = ["mcpServers"];

/** The spelling that Claude Desktop introduced: `command` and `args`, `url` and `headers`. */
export const COMMON = { stdio: "`command`, `args`, `env`", http: "`url`, `headers`" };

/** Returns a file in the user folder of VS Code, or of an editor derived from it. */
export function inEditor(editor: "Code" | "Trae", file: string): Readonly<Record<Platform, string>> {
  return {
    darwin: `~/Library/Application Support/${editor}/User/${file}`,
    linux: `$XDG_CONFIG_HOME/${editor}/User/${file}`,
    win32: `%APPDATA%/${editor}/User/${file}`,
  };
}

/** Returns a file under its name for JSON and under its name for JSON with comments. */
export function jsonOrJsonc(file: Omit<ClientFile, "path">, path: string): ClientFile[] {
  return [`${path}.json`, `${path}.jsonc`].map((each) => ({ ...file, path: each }));
}
