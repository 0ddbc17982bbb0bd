import { isJsonObject, type JsonObject } from "@agentprint/canonical-json";
import { VisitError } from "../errors.ts";
import { shown } from "../http/http-client.ts";
import type { Limits } from "../limits.ts";
import { NoEra } from "./no-era.ts";
import { eraOf, LEGACY_VERSIONS, META, MODERN_VERSIONS, RPC_ERROR } from "./protocol.ts";
import type { Session } from "./session.ts";

/** What a server said when it was greeted. */
export interface Greeting {
  readonly protocolVersion: string;
  /** Absent for a server without `server/discover`. */
  readonly result?: JsonObject;
}

/** HTTP statuses that say nothing about an era: no access, too many requests, or a gateway whose server is away. */
const NO_VERDICT = new Set([401, 403, 407, 408, 429, 502, 503, 504]);

/**
 * Initializes a session of the handshake versions.
 *
 * @param version - the only version that will do; any when left out
 * @throws {NoEra} when the server refuses to initialize
 * @throws {VisitError}
 */
export async function initialize(
  session: Session,
  { clientInfo, capabilities }: { readonly clientInfo: JsonObject; readonly capabilities: JsonObject },
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
 * Asks a server whether it speaks without a handshake (MCP 2026-07-28, "Backward Compatibility").
 *
 * @param version - the only version that will do; any when left out
 * @throws {NoEra} when it does not
 * @throws {VisitError}
 */
export async function discover(session: Session, limits: Limits, version?: string): Promise<Greeting> {
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
  // A server may name the version that it has just refused: it is asked once more, and not for ever.
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
      // A server that keeps to the specification tells a method that it lacks from an era that it lacks.
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
 * Whether a server that refuses `server/discover` answers a list in the way of a version without a handshake, with a
 * `resultType`: clients need not discover first, so an era could hide there.
 */
async function listsWithoutDiscovery(session: Session, version: string): Promise<boolean> {
  session.speak(version);
  const asked = ["tools/list", "prompts/list", "resources/list"].map(async (method) => {
    const result = await session.request(method, {}, { timeout: HIDDEN_LIST }).catch(() => undefined);
    return result?.["resultType"] !== undefined;
  });
  return (await Promise.all(asked)).includes(true);
}

/** How long a list is waited for where the era has been refused, in milliseconds. */
const HIDDEN_LIST = 1000;

/**
 * Asks a process that is silent to the greeting of one era in the words of the other, and returns when it answers, or
 * after `timeout` milliseconds. A server that is only slow answers its first question first.
 */
export async function askInOtherEra(
  session: Session,
  { clientInfo, capabilities }: { readonly clientInfo: JsonObject; readonly capabilities: JsonObject },
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

const STARTING = { doing: "starting up", option: "--connect-timeout" } as const;

/** Whether an error says that this is not how to speak to the server, and not that something went wrong. */
function isRefusal({ code, details }: VisitError): boolean {
  if (code === "server-error" || code === "server-ended") return true;
  // A response of HTTP that is no answer of JSON-RPC; without a status there was no response.
  return code === "server-unreachable" && details.httpStatus !== undefined && !NO_VERDICT.has(details.httpStatus);
}

function isModern(rpcCode: number | undefined): boolean {
  return rpcCode === RPC_ERROR.headerMismatch || rpcCode === RPC_ERROR.missingClientCapability;
}

function greetingOf(result: JsonObject, asked: string): Greeting {
  const { supportedVersions, capabilities } = result;
  const incomplete = new VisitError("server-garbage", "the server answered server/discover with something else", {
    expected: "supportedVersions and capabilities",
  });
  if (!Array.isArray(supportedVersions) || !isJsonObject(capabilities)) throw new NoEra(incomplete);
  if (supportedVersions.includes(asked)) return { protocolVersion: asked, result };
  // A server that names handshake versions alone has answered the question, and has no other era.
  if (isLegacyAlone(supportedVersions)) throw new NoEra(incomplete);
  throw incomplete.with({ where: `supportedVersions: ${shown(JSON.stringify(supportedVersions))}`, expected: asked });
}

function supportedIn({ details: { rpcData } }: VisitError): readonly string[] {
  const supported = isJsonObject(rpcData) ? rpcData["supported"] : undefined;
  return Array.isArray(supported) ? supported.filter((version) => typeof version === "string") : [];
}

/**
 * The versions to try next. A server that names only handshake versions has no other era; one that names only unknown
 * versions, or none, speaks in a way that cannot be visited.
 */
function mutualVersions(left: readonly string[], supported: readonly string[], error: VisitError): readonly string[] {
  const mutual = left.filter((version) => supported.includes(version));
  if (mutual.length > 0) return mutual;
  if (isLegacyAlone(supported)) throw new NoEra(error);
  throw error.with({
    where: `supported: ${shown(JSON.stringify(supported))}`,
    expected: `one of ${[...MODERN_VERSIONS, ...LEGACY_VERSIONS].join(", ")}`,
    fix: "visit it with --protocol <version>, or with a newer agentprint",
  });
}

function isLegacyAlone(versions: readonly unknown[]): boolean {
  return versions.length > 0 && versions.every((version) => typeof version === "string" && eraOf(version) === "legacy");
}
