/** The clients whose configurations are found automatically. */
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
  | "goose"
  | "kiro"
  | "junie"
  | "kilo"
  | "copilot"
  | "trae"
  | "crush"
  | "amazon-q"
  | "factory"
  | "codebuddy"
  | "qwen";

/** `user`: the settings of one person for all projects; `project`: the settings in a project's folder. */
export type ConfigScope = "user" | "project";

/** A platform as Node names it; each other platform stores files as `linux` does. */
export type Platform = "darwin" | "linux" | "win32";

/** A client that reads MCP servers from a file. */
export interface Client {
  readonly id: ClientId;
  readonly name: string;
  /** The client's syntax for variables, if other than `${NAME}` or `${env:NAME}`. */
  readonly references?: "continue" | "crush" | "gemini" | "kilo" | "opencode";
  /**
   * How the arguments of a launch refer to variables; absent if the client's documentation mentions no such
   * references.
   */
  readonly variables?: WordVariables;
  /** Where entries with the same name are merged, from the file that takes precedence. */
  readonly files: readonly ClientFile[];
  /** The rule for entries with the same name in several files; absent if the client's documentation has none. */
  readonly merge?: EntryMerge;
  /** The client's spelling of a server that it starts, and of one that it reaches over HTTP. */
  readonly spelling: { readonly stdio: string; readonly http: string };
  /** The documented ways in which a file of its servers switches one off. */
  readonly off: readonly OffSwitch[];
  /** The page that documents this spelling. */
  readonly source: string;
}

/**
 * A way to disable a server: a member of its entry, or the lists at `mcp.excluded` and `mcp.allowed` of its file, of
 * names, or of patterns of names with `*` and `?`.
 */
export type OffSwitch = "disabled: true" | "enabled: false" | "mcp lists" | "mcp patterns";

/** The way in which a client refers to a variable of the environment in a command, its arguments and an address. */
export interface WordVariables {
  /** The reference to the variable `NAME`. */
  readonly form: string;
  /** The page that says so. */
  readonly source: string;
  /** Facts that this page does not state. */
  readonly unverified?: string;
}

/** How a client combines entries with the same name in several of its files into one server. */
export interface EntryMerge {
  /**
   * `entry`: only the entry of the first file counts; `members`: its members replace those of the others, at every
   * depth.
   */
  readonly by: "entry" | "members";
  /** The page that says so. */
  readonly source: string;
  /** Facts that this page does not state. */
  readonly unverified?: string;
}

/** A file, or a folder of files, in which a client looks for servers. */
export interface ClientFile {
  readonly scope: ConfigScope;
  /**
   * The path on every platform, or on each. It begins with `~/`, with a folder named by a variable, `$CODEX_HOME/`,
   * `$COPILOT_HOME/`, `$XDG_CONFIG_HOME/` or `%APPDATA%/`, or else with the project's folder. `*` stands for each file
   * of a folder.
   */
  readonly path: string | Readonly<Record<Platform, string>>;
  /** The names that lead to the servers; `{project}` means the folder of the project. */
  readonly member: readonly string[];
  /**
   * Whether the servers belong to one agent of the client, so that they neither replace nor are replaced by entries of
   * other files.
   */
  readonly isOfOneAgent?: true;
  /** The settings files that switch servers of this file off. */
  readonly settings?: readonly SettingsFile[];
  /** The page that names the path, if it is not the client's main page. */
  readonly source?: string;
  /** Facts that the client's documentation does not state; they come from experiments or from the client's source. */
  readonly unverified?: string;
}

/** A settings file that lists servers the client never starts; it overrides all other settings. */
export interface SettingsFile {
  /** From the folder of the file with the servers, or with `~/` before it. */
  readonly path: string;
  /** The member that holds the list. */
  readonly member: string;
  /** Whether it belongs to one person and does not show what others start. */
  readonly isPersonal: boolean;
  /** The page that says so. */
  readonly source: string;
}
