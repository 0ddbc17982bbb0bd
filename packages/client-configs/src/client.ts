/** The clients whose configurations are found by themselves. */
export type ClientId =
  | "claude-desktop"
  | "claude-code"
  | "cursor"
  | "vscode"
  | "windsurf"
  | "zed"
  | "codex"
  | "gemini"
  | "cline"
  | "roo"
  | "continue"
  | "lm-studio"
  | "opencode"
  | "amp"
  | "goose";

/** `user`: what one person has set for all projects; `project`: what stands in the folder of a project. */
export type ConfigScope = "user" | "project";

/** A platform as Node names it; each other platform keeps files as `linux` does. */
export type Platform = "darwin" | "linux" | "win32";

/** A client that reads MCP servers from a file. */
export interface Client {
  readonly id: ClientId;
  readonly name: string;
  /** The client's syntax for variables, if other than `${NAME}` or `${env:NAME}`. */
  readonly references?: "continue" | "gemini" | "opencode";
  readonly files: readonly ClientFile[];
  /** The client's spelling of a server that it starts, one that it reaches over HTTP, and one that is switched off. */
  readonly spelling: { readonly stdio: string; readonly http: string; readonly off: string };
  /** The page that documents this spelling. */
  readonly source: string;
}

/** A file, or a folder of files, in which a client looks for servers. */
export interface ClientFile {
  readonly scope: ConfigScope;
  /**
   * The path on every platform, or on each. It begins with `~/`, with a folder that a variable names, `$CODEX_HOME/`,
   * `$XDG_CONFIG_HOME/` or `%APPDATA%/`, or else with the folder of the project. `*` stands for each file of a folder.
   */
  readonly path: string | Readonly<Record<Platform, string>>;
  /** The names that lead to the servers; `{project}` stands for the folder of the project. */
  readonly member: readonly string[];
  /** The page that names the path, where it is another one than that of the client. */
  readonly source?: string;
  /** Facts that the client's documentation does not state; they come from experiments or from the client's source. */
  readonly unverified?: string;
}
