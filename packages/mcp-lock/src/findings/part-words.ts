import type { ServerPart } from "../drift/drift.ts";

/** The parts in words. */
export const PART_WORDS: Readonly<Record<ServerPart, string>> = {
  launch: "launch",
  files: "script or program that the launch names",
  artifacts: "package or image that the launch resolves to",
  artifactVersions: "version of a package that the launch runs or installs",
  artifactFiles: "files of a release that the launch resolves to",
  issuer: "authorization server of the login",
  endpointOrigin: "origin of an endpoint of the login",
  scopesAdded: "scopes of the login (more than before)",
  scopesDropped: "scopes of the login (fewer than before)",
  authMetadata: "metadata of the login",
  client: "client that the visit imitates",
  clientCapabilities: "client capabilities",
  varies: "list of members that may vary",
  sessions: "sessions of the visit",
  entry: "another member of the entry",
  protocolVersion: "protocol version",
  supportedVersions: "supported protocol versions",
  unread: "lists that fail",
  serverInfo: "server info",
  capabilities: "server capabilities",
  instructions: "instructions",
  greeting: "another member of the greeting",
  listMembers: "a member next to the items of a list",
};
