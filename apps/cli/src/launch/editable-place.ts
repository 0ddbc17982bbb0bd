import type { ConfigPath, ParsedConfig } from "@agentprint/client-configs";

/** The place of an entry in a configuration that can be edited. */
export interface EditablePlace {
  /** The file, as it is shown. */
  readonly file: string;
  readonly path: string;
  readonly config: ParsedConfig;
  /** The path of the entry in the configuration. */
  readonly entry: ConfigPath;
}
