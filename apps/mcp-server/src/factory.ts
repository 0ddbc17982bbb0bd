import { readFileSync } from "node:fs";
import { McpServer, type McpServerFactory, type McpServerOptions } from "@modelcontextprotocol/server";
import { LOCAL, type Principal } from "./access/principal.ts";
import { addDecisionLogPrompt } from "./decision-log-prompt.ts";
import type { Services } from "./services.ts";
import { auditCheckpoint, auditVerifyChain } from "./tools/audit.ts";
import { codeHashNormalized } from "./tools/code-hash.ts";
import { lockChanges } from "./tools/lock-changes.ts";
import { capabilityManifestDiff, capabilityManifestValidate } from "./tools/manifests.ts";
import { specDriftCheck } from "./tools/spec-drift-check.ts";
import { thoughtGet, thoughtList } from "./tools/thought-read.ts";
import { thoughtRecord } from "./tools/thought-record.ts";
import { addTool } from "./tools/tool.ts";
import { toolFingerprint } from "./tools/tool-fingerprint.ts";
import { addTrailResource } from "./trail-resource.ts";

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  version: string;
};

const INSTRUCTIONS =
  "Records what you plan, find out, decide and learn as a hash-chained decision log, and verifies it. " +
  "Get the prompt decision_log to learn how to keep one. The other tools hash texts, tools, capability manifests and specs.";

const TOOLS = [
  thoughtRecord,
  thoughtGet,
  thoughtList,
  auditVerifyChain,
  auditCheckpoint,
  codeHashNormalized,
  toolFingerprint,
  capabilityManifestValidate,
  capabilityManifestDiff,
  specDriftCheck,
  lockChanges,
];

/** The server's lists change only when its version does. */
const LISTS = { ttlMs: 3_600_000, cacheScope: "public" } as const;

/**
 * Creates the factory that makes servers for every transport and both eras. It reads the caller from
 * `authInfo.extra.principal`; if that is missing, the caller is on this machine. `options` are for servers with
 * additional tools.
 */
export function createServerFactory(services: Services, options: McpServerOptions = {}): McpServerFactory {
  return ({ authInfo }) => {
    const principal = (authInfo?.extra?.["principal"] as Principal | undefined) ?? LOCAL;
    const server = new McpServer(
      { name: "agentprint", title: "agentprint", version },
      {
        ...options,
        instructions: INSTRUCTIONS,
        capabilities: {
          tools: { listChanged: false },
          prompts: { listChanged: false },
          resources: { listChanged: false },
        },
        cacheHints: {
          "tools/list": LISTS,
          "prompts/list": LISTS,
          "resources/templates/list": LISTS,
          "server/discover": LISTS,
        },
      },
    );
    for (const tool of TOOLS) addTool(server, tool, services, principal);
    addTrailResource(server, services, principal);
    addDecisionLogPrompt(server, services, principal);
    return server;
  };
}
