import { hashCanonical, type JsonObject } from "@agentprint/canonical-json";
import {
  fingerprintTool,
  type LockedContent,
  type LockedItem,
  type LockedServer,
  type LockedTool,
  sealServer,
} from "@agentprint/mcp-lock";

type Unsealed = Omit<LockedServer, "toolsDigest" | "setHashes" | "digest">;

/** Returns an entry with the digests of its definitions and of itself, whatever digests it has. */
export function resealed(given: Unsealed | LockedServer): LockedServer {
  const { toolsDigest: _tools, setHashes: _sets, digest: _digest, ...entry } = given as LockedServer;
  const item = <T extends LockedItem>(each: T): T => ({ ...each, digest: hashCanonical(each.definition) });
  const content = ({ definition, result, ...each }: LockedContent): LockedContent => {
    const digested = result === undefined ? definition : { ...definition, digest: hashCanonical(result) };
    return { ...each, ...(result && { result }), definition: digested, digest: hashCanonical(digested) };
  };
  return sealServer({
    ...entry,
    tools: entry.tools.map((tool) => ({ ...tool, digests: fingerprintTool(tool.definition) })),
    prompts: entry.prompts.map(item),
    resources: entry.resources.map(item),
    resourceTemplates: entry.resourceTemplates.map(item),
    contents: entry.contents.map(content),
  });
}

const unhashed = (definition: JsonObject, rest: object = {}) => ({ definition, ...rest, digest: "" });
const tool = (definition: JsonObject, rest: object = {}) => ({ definition, ...rest, digests: {} }) as LockedTool;
const ONLY_CLIENT = { seenBy: ["legacy/client"] } as const;
const MODERN = { seenBy: ["modern/bare", "modern/client"] } as const;

/** An entry that has every member that an entry of a started server can have. */
export const WHOLE_ENTRY: LockedServer = resealed({
  name: "s",
  launch: {
    type: "stdio",
    command: "npx",
    args: ["-y", "server@1.0.0", "wheel", "image", "a.js"],
    cwd: "a",
    env: ["A"],
  },
  files: [{ pointer: "/args/4", digest: "0".repeat(64) }],
  coverage: { state: "not covered", word: "wheel", pointer: "/args/2", envFiles: [".env"] },
  artifacts: [
    {
      pointer: "/args/1",
      kind: "npm",
      name: "server",
      version: "1.0.0",
      integrity: "sha512-a sha1-b",
      dependencies: { "@a/b@1.0.0": "sha512-c", "zod@3.0.0": "sha512-d", "zod@4.0.0": "sha512-e" },
      scripts: ["@a/b", "zod"],
    },
    {
      pointer: "/args/2",
      kind: "pypi",
      name: "wheel",
      version: "1.0.0",
      files: { "wheel-1.0.0-py3-none-any.whl": "1", "wheel-1.0.0.tar.gz": "2" },
      dependencies: { "anyio@4.0.0": "sha256:a", "rpds-py@1.0.0/cp312-cp312-win_amd64": "sha256:b" },
    },
    {
      pointer: "/args/3",
      kind: "oci",
      name: "image",
      version: "latest",
      integrity: "sha256:c",
      files: { "linux/amd64": "sha256:d" },
    },
  ],
  auth: {
    issuer: "https://login.example.com",
    resource: "https://mcp.example.com/mcp",
    scopes: ["mcp:list", "mcp:read"],
    client: "dynamic",
    account: "one",
    endpoints: { token_endpoint: "https://login.example.com/token" },
  },
  client: "claude-code",
  clientCapabilities: { roots: { listChanged: true } },
  sessions: [
    { session: "legacy/bare", protocolVersion: "2025-11-25", unread: ["prompts", "resources"] },
    { session: "legacy/client", protocolVersion: "2025-11-25" },
    { session: "modern/bare", protocolVersion: "2026-07-28", supportedVersions: ["2026-07-28"] },
    { session: "modern/client", protocolVersion: "2026-07-28", supportedVersions: ["2026-07-28"] },
  ],
  unstable: ["/tools/_meta/one", "/tools/_meta/two"],
  varies: [
    { kind: "greeting", pointer: "/instructions", as: "any" },
    { kind: "tool", name: "read", pointer: "/description", as: "any" },
  ],
  parts: [
    { part: "capabilities", value: { tools: {} } },
    { part: "greeting", value: { ttlMs: 1 }, ...MODERN },
    { part: "instructions", value: "Read first" },
    { part: "listMembers", value: { tools: { note: "all" } } },
    { part: "serverInfo", value: { name: "files", version: "1.0.0" } },
  ],
  tools: [
    tool(
      {
        name: "read",
        description: "Reads",
        inputSchema: { type: "object", properties: { size: { maximum: 9007199254740992 } } },
      },
      { numbers: { "/inputSchema/properties/size/maximum": "9007199254740993" } },
    ),
    tool({ name: "write", annotations: { readOnlyHint: false }, inputSchema: { type: "object" } }, ONLY_CLIENT),
  ],
  prompts: [unhashed({ name: "greet", arguments: [{ name: "who" }] }, ONLY_CLIENT)],
  resources: [
    unhashed({ uri: "doc://a", name: "a", size: 9007199254740992 }, { numbers: { "/size": "9007199254740993" } }),
  ],
  resourceTemplates: [unhashed({ uriTemplate: "doc://{a}", name: "a" })],
  contents: [
    { ...unhashed({ name: "doc://a", digest: "" }), result: { contents: [{ uri: "doc://a", text: "one" }] } },
    { ...unhashed({ name: "doc://b", digest: "0".repeat(64) }, ONLY_CLIENT) },
    { ...unhashed({ name: "doc://c", digest: null }, { numbers: { "/contents/0/x": "9007199254740993" } }) },
  ],
});
