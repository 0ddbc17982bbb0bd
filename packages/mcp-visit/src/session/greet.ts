import { isJsonObject, type JsonObject } from "@agentprint/canonical-json";
import { eraOf, LEGACY_VERSIONS, type Limits, META, MODERN_VERSIONS, RPC_ERROR } from "@agentprint/mcp";
import { VisitError } from "../errors.ts";
import { shown } from "../http/http-client.ts";
import { NoEra } from "../no-era.ts";
import type { Session } from "./session.ts";

/** A server's answer to a greeting. */
export interface Greeting {
  readonly protocolVersion: string;
  /** Absent for a server without `server/discover`. */
  readonly result?: JsonObject;
}

/**
 * HTTP statuses that say nothing about an era: no access, too many requests, or a gateway that does not reach its
 * server.
 */
const NO_VERDICT = new Set([401, 403, 407, 408, 429, 502, 503, 504]);

/** The client that greets a server. */
interface Client {
  readonly clientInfo: JsonObject;
  readonly capabilities: JsonObject;
}

/**
 * Greets a server in the session's era.
 *
 * @param version - The only accepted version. Default: any known version.
 * @throws {@link NoEra} if the server does not support the era.
 * @throws {@link VisitError} `server-error`, `server-garbage` if the server answers in another way.
 */
export async function greet(session: Session, client: Client, limits: Limits, version?: string): Promise<Greeting> {
  const greeting = await (session.era === "legacy"
    ? initialize(session, client, limits, version)
    : discover(session, limits, version));
  session.greeted();
  return greeting;
}

/**
 * Initializes a session in a handshake version.
 *
 * @param version - The only version that is accepted. Default: any known version.
 * @throws {@link NoEra} if the server refuses to initialize.
 * @throws {@link VisitError} `server-garbage` if the result is incomplete or names an unknown version.
 */
async function initialize(
  session: Session,
  { clientInfo, capabilities }: Client,
  limits: Limits,
  version?: string,
): Promise<Greeting> {
  const params = { protocolVersion: version ?? LEGACY_VERSIONS[0] ?? "", capabilities, clientInfo };
  const result = await session
    .request("initialize", params, { timeout: limits.connectTimeout, ...STARTING })
    .catch((error: unknown) => {
      const { httpStatus = 0 } = error instanceof VisitError ? error.details : {};
      throw error instanceof VisitError && isRefusal(error) && httpStatus < 500 ? new NoEra(error) : error;
    });
  const { protocolVersion, serverInfo } = result;
  if (typeof protocolVersion !== "string" || !isJsonObject(serverInfo) || !isJsonObject(result["capabilities"])) {
    throw new VisitError("server-garbage", "the server answered initialize with an incomplete result", {
      expected: "protocolVersion, serverInfo and capabilities",
    });
  }
  const spoken = version === undefined ? LEGACY_VERSIONS : [version];
  if (!spoken.includes(protocolVersion)) {
    throw new VisitError("server-garbage", "the server chose a protocol version that is not supported", {
      where: `protocolVersion: ${shown(JSON.stringify(protocolVersion))}`,
      expected: spoken.join(", "),
    });
  }
  session.speak(protocolVersion);
  await session.notify("notifications/initialized");
  return { protocolVersion, result };
}

/**
 * Tests whether a server supports the era without a handshake (MCP 2026-07-28, "Backward Compatibility").
 *
 * @param version - The only version that is accepted. Default: any known version.
 * @throws {@link NoEra} if the server requires a handshake.
 * @throws {@link VisitError} `server-error`, `server-garbage` if the server answers in another way.
 */
async function discover(session: Session, limits: Limits, version?: string): Promise<Greeting> {
  try {
    return await askForVersions(session, limits, version);
  } catch (error) {
    if (!(error instanceof NoEra) || error.reason.code === "server-ended") throw error;
    const protocolVersion = version ?? MODERN_VERSIONS[0] ?? "";
    if (await listsWithoutDiscovery(session, protocolVersion)) return { protocolVersion };
    throw error;
  }
}

async function askForVersions(session: Session, limits: Limits, version: string | undefined): Promise<Greeting> {
  // A server may name the version that it has just refused; that version is tried again, but only once.
  let versions = [...(version === undefined ? MODERN_VERSIONS : [version])];
  const askedAgain = new Set<string>();
  for (;;) {
    const [asked = ""] = versions;
    session.speak(asked);
    try {
      const result = await session.request("server/discover", {}, { timeout: limits.connectTimeout, ...STARTING });
      return greetingOf(result, asked);
    } catch (error) {
      if (!(error instanceof VisitError)) throw error;
      const { rpcCode, httpStatus } = error.details;
      // According to the specification, this status means that the server lacks the method but supports the era.
      if (rpcCode === RPC_ERROR.methodNotFound && httpStatus === 404) return { protocolVersion: asked };
      if (rpcCode !== RPC_ERROR.unsupportedVersion)
        throw isModern(rpcCode) || !isRefusal(error) ? error : new NoEra(error);
      const left = askedAgain.has(asked) ? versions.slice(1) : versions;
      askedAgain.add(asked);
      versions = [...mutualVersions(left, supportedIn(error), error)];
    }
  }
}

/**
 * Returns whether a server that refuses `server/discover` answers a list with a `resultType`, as versions without a
 * handshake do. Clients may request lists without `server/discover`, so a server could otherwise hide an era from a
 * visit.
 */
async function listsWithoutDiscovery(session: Session, version: string): Promise<boolean> {
  session.speak(version);
  const asked = ["tools/list", "prompts/list", "resources/list"].map(async (method) => {
    const result = await session.request(method, {}, { timeout: HIDDEN_LIST }).catch(() => undefined);
    return result?.["resultType"] !== undefined;
  });
  return (await Promise.all(asked)).includes(true);
}

/** How long {@link listsWithoutDiscovery} waits for an answer, in milliseconds. */
const HIDDEN_LIST = 1000;

/**
 * Sends the other era's greeting to a process that does not answer the first greeting. Returns when the process
 * answers, or after `timeout` milliseconds. A server that is merely slow answers the first greeting first.
 */
export async function askInOtherEra(
  session: Session,
  { clientInfo, capabilities }: Client,
  timeout: number,
): Promise<void> {
  const [legacy = ""] = LEGACY_VERSIONS;
  const [modern = ""] = MODERN_VERSIONS;
  const _meta = {
    [META.protocolVersion]: modern,
    [META.clientInfo]: clientInfo,
    [META.clientCapabilities]: capabilities,
  };
  const [method, params] =
    session.era === "modern"
      ? ["initialize", { protocolVersion: legacy, capabilities, clientInfo }]
      : ["server/discover", { _meta }];
  await session.request(method, params, { timeout, raw: true }).catch(() => undefined);
}

const STARTING = { doing: "starting up", setting: "connectTimeout" } as const;

/** Returns whether an error means that the server does not support something, rather than that a request failed. */
function isRefusal({ code, details }: VisitError): boolean {
  if (code === "server-error" || code === "server-ended") return true;
  // The response is HTTP but not JSON-RPC. Without a status, there was no response.
  return code === "server-unreachable" && details.httpStatus !== undefined && !NO_VERDICT.has(details.httpStatus);
}

function isModern(rpcCode: number | undefined): boolean {
  return rpcCode === RPC_ERROR.headerMismatch || rpcCode === RPC_ERROR.missingClientCapability;
}

function greetingOf(result: JsonObject, asked: string): Greeting {
  const { supportedVersions, capabilities } = result;
  const incomplete = new VisitError("server-garbage", "the server answered server/discover with an unusable result", {
    expected: "supportedVersions and capabilities",
  });
  if (!Array.isArray(supportedVersions) || !isJsonObject(capabilities)) throw new NoEra(incomplete);
  if (supportedVersions.includes(asked)) return { protocolVersion: asked, result };
  // A server that names only handshake versions has no other era.
  if (isLegacyAlone(supportedVersions)) throw new NoEra(incomplete);
  throw incomplete.with({ where: `supportedVersions: ${shown(JSON.stringify(supportedVersions))}`, expected: asked });
}

function supportedIn({ details: { rpcData } }: VisitError): readonly string[] {
  const supported = isJsonObject(rpcData) ? rpcData["supported"] : undefined;
  return Array.isArray(supported) ? supported.filter((version) => typeof version === "string") : [];
}

/**
 * Returns the versions to try next. A server that names only handshake versions has no other era; a server that names
 * only unknown versions, or none, cannot be visited.
 */
function mutualVersions(left: readonly string[], supported: readonly string[], error: VisitError): readonly string[] {
  const mutual = left.filter((version) => supported.includes(version));
  if (mutual.length > 0) return mutual;
  if (isLegacyAlone(supported)) throw new NoEra(error);
  throw error.with({
    where: `supported: ${shown(JSON.stringify(supported))}`,
    expected: `one of ${[...MODERN_VERSIONS, ...LEGACY_VERSIONS].join(", ")}`,
    fix: "visit it with another protocol under visits in agentprint.config.json, or with a newer agentprint",
  });
}

function isLegacyAlone(versions: readonly unknown[]): boolean {
  return versions.length > 0 && versions.every((version) => typeof version === "string" && eraOf(version) === "legacy");
}
