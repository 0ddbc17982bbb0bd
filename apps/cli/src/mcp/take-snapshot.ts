import type { Launch, ServerSnapshot } from "@agentprint/mcp-lock";
import { CliError } from "../errors.ts";
import { isObject, type JsonObject } from "../json/json-object.ts";
import { expandLaunch, launchWith, type Start } from "../launch/start.ts";
import { createConnection } from "./connection.ts";
import { withDeadline } from "./deadline.ts";
import type { Limits } from "./limits.ts";
import { readLists } from "./list-all.ts";
import { Session } from "./session.ts";

/** Starts or calls a server, takes everything it says about itself, and ends it, whatever happens in between. */
export async function takeSnapshot(
  start: Start,
  clientCapabilities: JsonObject,
  limits: Limits,
): Promise<ServerSnapshot> {
  const values = await start.values();
  const launch = launchWith(start.launch, values);
  const connection = createConnection(expandLaunch(start), values, limits.maxBytes);
  const session = new Session(connection.transport, limits);
  try {
    const taking = readServer(session, launch, clientCapabilities, limits);
    return await withDeadline(taking, limits.totalTimeout, "within the time for a whole visit", "--total-timeout");
  } catch (error) {
    throw error instanceof CliError ? error.withServerOutput(connection.stderrTail()) : error;
  } finally {
    session.abandon();
    await connection.close();
  }
}

async function readServer(
  session: Session,
  launch: Launch,
  clientCapabilities: JsonObject,
  limits: Limits,
): Promise<ServerSnapshot> {
  const answer = await session.initialize(clientCapabilities);
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

function incomplete(expected: string): CliError {
  return new CliError("server-garbage", "the server answered initialize with an incomplete result", { expected });
}
