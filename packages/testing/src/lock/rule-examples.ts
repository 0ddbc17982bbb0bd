import { isJsonObject, type JsonObject, type JsonValue } from "@agentprint/canonical-json";
import { type Launch, type LockedArtifact, launchCoverage } from "@agentprint/launch";
import type { ServerAuth, SessionName, VisitAnswers } from "@agentprint/mcp";
import {
  checkLock,
  createLock,
  DRIFT_RULES,
  type DriftFinding,
  type DriftRuleId,
  diffLocks,
  driftFindings,
  LOCK_VERSION,
  type LockFile,
  lockServer,
  type VaryingMember,
} from "@agentprint/mcp-lock";
import { firstVersionSignals } from "@agentprint/mcp-lock/rules";
import { everywhere, page, session, TOOL, visit } from "./visit-answers.ts";

type Servers = Record<string, VisitAnswers>;

const files = (answers: VisitAnswers): Servers => ({ files: answers });
const tool = (members: JsonValue | undefined): Servers =>
  files(everywhere({ tools: members === undefined ? [] : [{ ...TOOL, annotations: {}, ...(members as JsonObject) }] }));
const prompt = (members: JsonValue | undefined): Servers =>
  files(everywhere({ lists: { tools: [[page("tools", [TOOL])]], prompts: [[page("prompts", [members])]] } }));
const numbered = (text: JsonValue | undefined): Servers => {
  const inputSchema = { type: "object", properties: { id: { type: "integer", maximum: Number(text) } } };
  const pointer = "/lists/tools/0/0/tools/0/inputSchema/properties/id/maximum";
  const said = session("legacy/client", { tools: [{ ...TOOL, inputSchema }] });
  return files(visit({ ...said, numbers: { [pointer]: String(text) } }));
};
const launch = (members: JsonValue | undefined): Servers =>
  files({ ...everywhere(), launch: { type: "stdio", env: [], ...(members as object) } as unknown as Launch });
const withCoverage = (servers: Servers): Servers =>
  Object.fromEntries(
    Object.entries(servers).map(([name, answers]) => {
      const coverage = launchCoverage(answers.launch);
      return [name, { ...answers, ...(coverage && { coverage }) }];
    }),
  );
const described = (text: JsonValue | undefined) => ({ tools: [{ ...TOOL, description: text ?? "" }] });

const AUTH: ServerAuth = {
  issuer: "https://login.example.com",
  resource: "https://mcp.example.com/mcp",
  scopes: [],
  client: "dynamic",
  endpoints: {},
};
const auth = (members: Partial<ServerAuth>): Servers => files({ ...everywhere(), auth: { ...AUTH, ...members } });
const tokenEndpoint = (address: JsonValue | undefined) => auth({ endpoints: { token_endpoint: String(address) } });
const scopes = (names: JsonValue | undefined) => auth({ scopes: names as string[] });

/** The servers for an example value that is not a tool. */
const SERVERS: Partial<Record<DriftRuleId, (value: JsonValue | undefined) => Servers>> = {
  "auth/issuer-changed": (issuer) => auth({ issuer: String(issuer) }),
  "auth/endpoint-origin-changed": tokenEndpoint,
  "auth/metadata-changed": tokenEndpoint,
  "auth/scopes-widened": scopes,
  "auth/scopes-narrowed": scopes,
  "mcp/item-changed": prompt,
  "mcp/number-changed": numbered,
  "mcp/launch-changed": launch,
  "mcp/floating-version": launch,
  "mcp/unknown-launcher": launch,
  "mcp/launch-not-covered": (members) => (members === undefined ? launch(members) : withCoverage(launch(members))),
  "mcp/client-changed": (client) => files({ ...everywhere(), client: String(client) }),
  "mcp/client-capabilities-changed": (value) => files({ ...everywhere(), clientCapabilities: value as JsonObject }),
  "mcp/server-changed": (instructions) =>
    files(visit(session("legacy/client", { greeting: { instructions: instructions ?? "" } }))),
  "mcp/server-version-changed": (version) =>
    files(visit(session("legacy/client", { greeting: { serverInfo: { name: "files", version: version ?? "" } } }))),
  "mcp/supported-versions-changed": (supportedVersions) =>
    files(visit(session("modern/client", { greeting: { supportedVersions: supportedVersions ?? [] } }))),
  "mcp/list-unread": (lists) => {
    const unread = Object.fromEntries(((lists ?? []) as string[]).map((list) => [list, "no database"]));
    return files(visit(session("legacy/client", { unread })));
  },
  "mcp/era-changed": (versions) =>
    files(visit(session("legacy/client"), ...(versions === undefined ? [] : [session("modern/client")]))),
  "mcp/undeclared-list": (value) => {
    const { capabilities = {}, prompts = [] } = (value ?? {}) as { capabilities?: JsonObject; prompts?: JsonValue[] };
    return files(
      visit(session("legacy/client", { greeting: { capabilities }, lists: { prompts: [[page("prompts", prompts)]] } })),
    );
  },
};

/** The servers before and after for rules whose example is about two sessions or two servers. */
const PAIRS: Partial<Record<DriftRuleId, (before: JsonValue | undefined, after: JsonValue | undefined) => Servers>> = {
  "mcp/era-divergence": (before, after) =>
    files(visit(session("legacy/client", described(before)), session("modern/client", described(after)))),
  "mcp/client-divergence": (before, after) =>
    files(visit(session("legacy/client", described(before)), session("legacy/bare", described(after)))),
  "mcp/name-collision": (_, after) => Object.fromEntries((after as string[]).map((name) => [name, everywhere()])),
  "mcp/look-alike-name": (before, after) => ({
    files: everywhere({ tools: [{ ...TOOL, name: String(before) }] }),
    notes: everywhere({ tools: [{ ...TOOL, name: String(after) }] }),
  }),
};

const isRemark = ({ before }: { before?: JsonValue }) => before === undefined;

function findingsOfServers(id: DriftRuleId): DriftFinding[] {
  const { before, after } = DRIFT_RULES[id].example;
  const pair = PAIRS[id]?.(before, after);
  const servers = SERVERS[id] ?? tool;
  const [then, now] = pair ? [pair, pair] : [servers(before), servers(after)];
  const first =
    isRemark({ ...(before !== undefined && { before }) }) && !/added|era-changed/.test(id) && !pair ? now : then;
  return driftFindings(checkLock(createLock(first), now, { isFirst: now === first }));
}

const withFile = (digest: string): VisitAnswers => ({ ...everywhere(), files: [{ pointer: "/args/0", digest }] });

const artifact = { pointer: "/args/1", kind: "npm", name: "files-server", version: "1.2.3" } as const;
const artifactFindings = (id: DriftRuleId, ofExample: (value: string) => Partial<LockedArtifact>): DriftFinding[] => {
  const { before, after } = DRIFT_RULES[id].example;
  const withArtifact = (value: JsonValue = "") =>
    files({ ...everywhere(), artifacts: [{ ...artifact, ...ofExample(String(value)) }] });
  return driftFindings(checkLock(createLock(withArtifact(before)), withArtifact(after)));
};

/** Returns the findings of a comparison of two entries. */
function findingsOfEntries(id: DriftRuleId, ofExample: (value: JsonValue | undefined) => Servers): DriftFinding[] {
  const { before, after } = DRIFT_RULES[id].example;
  return driftFindings(diffLocks(createLock(ofExample(before)), createLock(ofExample(after))));
}

const OTHERS: Partial<Record<DriftRuleId, () => DriftFinding[]>> = {
  "mcp/first-version-signal": () =>
    firstVersionSignals(createLock(tool(DRIFT_RULES["mcp/first-version-signal"].example.after))),
  "mcp/server-not-locked": () => driftFindings(checkLock(createLock({}), files(everywhere()))),
  "mcp/could-not-tell": () => {
    const { after } = DRIFT_RULES["mcp/could-not-tell"].example;
    const failure = after as { code: string; message: string };
    return driftFindings(checkLock(createLock(files(everywhere())), { files: { failure } }));
  },
  "mcp/launch-file-changed": () => {
    const { before, after } = DRIFT_RULES["mcp/launch-file-changed"].example;
    const [then, now] = [before, after].map((digest) => withFile(String(digest))) as [VisitAnswers, VisitAnswers];
    return driftFindings(checkLock(createLock(files(then)), files(now)));
  },
  "mcp/artifact-changed": () =>
    artifactFindings("mcp/artifact-changed", (text) => ({ integrity: text.split(" ")[1] ?? "" })),
  "mcp/artifact-version-changed": () =>
    artifactFindings("mcp/artifact-version-changed", (text) => ({
      version: text.slice("files-server@".length),
      integrity: "sha512-a",
    })),
  "mcp/artifact-file-added": () =>
    artifactFindings("mcp/artifact-file-added", (text) => {
      const [name = "", digest] = text.split(" ");
      return { files: { "files_server-1.2.3.tar.gz": "", ...(digest !== undefined && { [name]: digest }) } };
    }),
  "mcp/dependency-changed": () => {
    const { before, after } = DRIFT_RULES["mcp/dependency-changed"].example;
    const [then, now] = [before, after].map((title, index) => ({
      ...everywhere({ tools: [{ ...TOOL, description: String(index) }] }),
      artifacts: [{ ...artifact, integrity: "sha512-a", dependencies: { [String(title)]: `sha512-${index}` } }],
    }));
    return driftFindings(checkLock(createLock(files(then as VisitAnswers)), files(now as VisitAnswers)));
  },
  "mcp/unpinned-file": () => {
    const lock = createLock(files(everywhere()));
    return driftFindings(checkLock(lock, files(withFile("0".repeat(64)))));
  },
  "mcp/unstable-member": () => {
    const { before, after } = DRIFT_RULES["mcp/unstable-member"].example;
    const readings = [before, after].map((members) => [page("tools", [TOOL], isJsonObject(members) ? members : {})]);
    const answers = visit(session("legacy/client", { lists: { tools: readings } }));
    const entry = lockServer("files", answers, { allowUnstable: ["/tools/_meta/requestId"] });
    return driftFindings(checkLock({ lockVersion: 2, servers: [entry] }, { files: answers }));
  },
  "mcp/varying-member": () => {
    const { after } = DRIFT_RULES["mcp/varying-member"].example;
    const answers = everywhere(described(after));
    const entry = lockServer("files", answers, { varies: [VARYING] });
    return driftFindings(checkLock({ lockVersion: 2, servers: [entry] }, { files: answers }));
  },
  "mcp/varying-signal": () => {
    const { before, after } = DRIFT_RULES["mcp/varying-signal"].example;
    const entry = lockServer("files", everywhere(described(before)), { varies: [VARYING] });
    return driftFindings(checkLock({ lockVersion: 2, servers: [entry] }, files(everywhere(described(after)))));
  },
  "mcp/varies-changed": () => {
    const member = DRIFT_RULES["mcp/varies-changed"].example.after as unknown as VaryingMember;
    const answers = everywhere({ tools: [{ ...TOOL, name: member.name ?? "" }] });
    const locks = [[], [member]].map((varies) => ({
      lockVersion: LOCK_VERSION,
      servers: [lockServer("files", answers, { varies })],
    })) as unknown as [LockFile, LockFile];
    return driftFindings(diffLocks(...locks));
  },
  "mcp/sessions-changed": () =>
    findingsOfEntries("mcp/sessions-changed", (names) =>
      files(visit(...(names as SessionName[]).map((name) => session(name)))),
    ),
  "mcp/entry-changed": () => findingsOfEntries("mcp/entry-changed", (account) => auth({ account: String(account) })),
};

/** A description with a varying part. */
const VARYING: VaryingMember = { kind: "tool", name: "read", pointer: "/description", as: "any" };

/** Returns the findings of a check on a rule's example. */
export function findingsOfExample(id: DriftRuleId): DriftFinding[] {
  return OTHERS[id]?.() ?? findingsOfServers(id);
}
