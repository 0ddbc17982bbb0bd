import { isJsonObject, type JsonObject } from "@agentprint/canonical-json";
import type { ListName, ServerSnapshot } from "@agentprint/mcp-lock";
import { VisitError } from "./errors.ts";
import { type Limits, MAX_READINGS_OF_CHANGES } from "./limits.ts";
import { requireNoSurvivors } from "./process/survivors-error.ts";
import { allItems, LISTS, type ListMethod, readList } from "./reading/lists.ts";
import { answerAsVisitor } from "./session/client-answers.ts";
import { OPEN_VISITOR } from "./session/client-profiles.ts";
import { createChannel, withStderr } from "./session/connection.ts";
import { withDeadline } from "./session/deadline.ts";
import { initialize } from "./session/greet.ts";
import { NoEra } from "./session/no-era.ts";
import { Session } from "./session/session.ts";
import type { VisitTarget } from "./target.ts";

/**
 * Visits a server as version 1 of the lock did: with the handshake, as the client `agentprint`, with the locked
 * capabilities. Only the lists that the server declares are read, each once.
 *
 * @throws {@link VisitError} `invalid-target`, `server-not-started`, `server-unreachable` when the launch cannot be used.
 * @throws {@link VisitError} `server-ended`, `server-timeout`, `server-garbage`, `server-error`, `server-limit`,
 * `server-unstable` when the server does not tell what it offers.
 * @throws {@link VisitError} `server-survived` when processes of the server could not be ended.
 */
export async function takeSnapshot(
  target: VisitTarget,
  clientCapabilities: JsonObject,
  limits: Limits,
): Promise<ServerSnapshot> {
  const profile = { ...OPEN_VISITOR, capabilities: clientCapabilities };
  const channel = createChannel(target, "legacy", profile, limits.maxBytes);
  const session = new Session(channel, {
    era: "legacy",
    clientInfo: profile.clientInfo,
    capabilities: clientCapabilities,
    answer: answerAsVisitor(clientCapabilities),
  });
  const taking = async (): Promise<ServerSnapshot> => {
    await session.open(limits.connectTimeout);
    const { protocolVersion, result = {} } = await initialize(session, profile, limits);
    const { serverInfo, capabilities, instructions } = result;
    if (!isJsonObject(serverInfo) || !isJsonObject(capabilities)) throw incomplete("serverInfo and capabilities");
    if (instructions !== undefined && typeof instructions !== "string") {
      throw incomplete("instructions that are a string");
    }
    const lists = await readDeclared(session, capabilities, limits);
    const said = { protocolVersion, serverInfo, capabilities, ...(instructions !== undefined && { instructions }) };
    return { launch: target.launch, clientCapabilities, ...said, ...lists };
  };
  let failed: unknown;
  let snapshot: ServerSnapshot | undefined;
  try {
    snapshot = await withDeadline(
      taking(),
      limits.totalTimeout,
      "within the time for a whole visit",
      "--total-timeout",
    );
  } catch (error) {
    failed = withStderr(error instanceof NoEra ? error.reason : error, channel);
  }
  session.fail(new VisitError("aborted", "the session is over"));
  requireNoSurvivors(await channel.close(), failed);
  if (snapshot === undefined) throw failed;
  return snapshot;
}

type Lists = Record<ListName, JsonObject[]>;

async function readDeclared(session: Session, capabilities: JsonObject, limits: Limits): Promise<Lists> {
  const declared = LISTS.filter(({ capability }) => capabilities[capability] !== undefined);
  session.takeChanged();
  let changed: string[] = [];
  for (let attempt = 1; attempt <= MAX_READINGS_OF_CHANGES; attempt++) {
    const lists: Lists = { tools: [], prompts: [], resources: [], resourceTemplates: [] };
    for (const list of declared) lists[list.member] = await readItems(session, list, limits);
    changed = session.takeChanged().filter((name) => declared.some(({ capability }) => capability === name));
    if (changed.length === 0) return lists;
  }
  throw new VisitError("server-unstable", `the server changed its ${changed.join(" and ")} each time they were read`, {
    expected: `lists that hold still within ${MAX_READINGS_OF_CHANGES} readings`,
  });
}

async function readItems(session: Session, list: ListMethod, limits: Limits): Promise<JsonObject[]> {
  const reader = { session, limits, silence: limits.requestTimeout, silent: new Set<string>(), declares: () => true };
  const pages = await readList({ ...reader, bare: false, warn: () => undefined }, list);
  if (pages !== undefined) return allItems(pages, list);
  // Templates have no capability of their own, so that a server with resources may not know the method.
  if (list.member === "resourceTemplates") return [];
  throw new VisitError("server-error", `the server declares ${list.capability} and does not know ${list.method}`, {
    expected: "a result",
  });
}

function incomplete(expected: string): VisitError {
  return new VisitError("server-garbage", "the server answered initialize with an incomplete result", { expected });
}
