export type {
  Client,
  ClientFile,
  ClientId,
  ConfigScope,
  EntryMerge,
  OffSwitch,
  Platform,
  SettingsFile,
  WordVariables,
} from "./client.ts";
export { referenceTo, withKnownReferences } from "./client-references.ts";
export { CLIENT_IDS, CLIENTS } from "./client-table.ts";
export { type CommandBeside, commandsOfEntry, commandsOfFile } from "./commands-beside.ts";
export type { ConfigFormat, ConfigMember, ConfigNode, ConfigPath, Layout, TableNode } from "./config-node.ts";
export {
  type ConfiguredEntry,
  entriesAt,
  hasServers,
  membersWithServers,
  namesWithPlaces,
  requireMembersWithServers,
} from "./configured-servers.ts";
export { addMember, cannotEdit, editValue, removeMember, replaceText, textLike } from "./edit-config.ts";
export { flowText, tomlKey } from "./edit-flow.ts";
export { ClientConfigError, type ClientConfigErrorCode } from "./errors.ts";
export {
  clientOfFile,
  homeFolder,
  type LocatedFile,
  locateFiles,
  type Surroundings,
  settingsOf,
} from "./locate-files.ts";
export { mergedEntry } from "./merge-entries.ts";
export {
  formatOf,
  MAX_CONFIG_BYTES,
  maxConfigBytes,
  parseConfig,
  parseConfigBytes,
  textOfFile,
} from "./parse-config.ts";
export { invalidConfig, lineAt, nodeAt, type ParsedConfig, plainValue } from "./parsed-config.ts";
export type { Recognition, RecognizeGuard, WrittenLaunch } from "./recognition.ts";
export {
  ADDRESSES,
  COMMANDS,
  type Guarded,
  type HttpEntry,
  launchesNothing,
  readEntry,
  type ServerEntry,
  type StdioEntry,
} from "./server-entry.ts";
export { lineBreakOf, lineStart, type Splice } from "./splice.ts";
export { filesNamedAsConfigs, type NamedFiles } from "./unknown-files.ts";
