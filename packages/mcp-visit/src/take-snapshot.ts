import type { JsonObject, Launch, ServerSnapshot } from "@agentprint/mcp-lock";
import { createConnection } from "./connection.ts";
import { withDeadline } from "./deadline.ts";
import { VisitError } from "./errors.ts";
import { isObject } from "./json-object.ts";
import type { Limits } from "./limits.ts";
import { readLists } from "./list-all.ts";
import { Session } from "./session.ts";
import type { VisitTarget } from "./target.ts";

/** Starts or calls a server, takes everything it says about itself, and ends it, whatever happens in between. */
export async function takeSnapshot(
  target: VisitTarget,
  clientCapabilities: JsonObject,
  clientInfo: JsonObject,
  limits: Limits,
): Promise<ServerSnapshot> {
  const connection = createConnection(target, limits.maxBytes);
  const session = new Session(connection.transport, limits);
  try {
    const taking = readServer(session, target.launch, clientCapabilities, clientInfo, limits);
    return await withDeadline(taking, limits.totalTimeout, "within the time for a whole visit", "--total-timeout");
  } catch (error) {
    throw error instanceof VisitError ? error.withServerOutput(connection.stderrTail()) : error;
  } finally {
    session.abandon();
    await connection.close();
  }
}

async function readServer(
  session: Session,
  launch: Launch,
  clientCapabilities: JsonObject,
  clientInfo: JsonObject,
  limits: Limits,
): Promise<ServerSnapshot> {
  const answer = await session.initialize(clientCapabilities, clientInfo);
  const { protocolVersion, serverInfo, capabilities, instructions } = answer;
  if (typeof protocolVersion !== "string" || !isObject(serverInfo) || !isObject(capabilities)) {
    throw incomplete("protocolVersion, serverInfo and capabilities");
  }
  if (instructions !== undefined && typeof instructions !== "string")
    throw incomplete("instructions that are a string");
  const lists = await readLists(session, capabilities, limits);
  return {
    launch,
    clientCapabilities,
    protocolVersion,
    serverInfo,
    capabilities,
    ...(instructions !== undefined && { instructions }),
    ...lists,
  };
}

function incomplete(expected: string): VisitError {
  return new VisitError("server-garbage", "the server answered initialize with an incomplete result", { expected });
}
