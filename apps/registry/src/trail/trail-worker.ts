// The entry point of the thread that reads complete chains, to sign them and to prove records. In the main thread, this
// would block all answers.
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import type { TrailStore } from "@agentprint/trail-store";
import type { Kysely } from "kysely";
import { loadSigning } from "../config/signer-key.ts";
import { openElsewhere } from "../elsewhere/elsewhere.ts";
import { CheckpointSender } from "../elsewhere/sender.ts";
import { RegistryError } from "../errors.ts";
import { openStore } from "../store/open-store.ts";
import type { RegistryTables } from "../store/schema.ts";
import type { ThreadAnswer, ThreadRequest } from "../thread.ts";
import { signCheckpoints, unsignedAgents } from "./checkpoints.ts";
import { ProofTrees } from "./proof-trees.ts";
import type { TrailAnswer, TrailRequest, TrailThreadData } from "./trail-thread.ts";

const port = parentPort as MessagePort;
const { config, statementTimeoutMs } = workerData as TrailThreadData;
const signing = loadSigning(config);
const trees = new ProofTrees();
const sender =
  config.checkpoint_to === undefined ? undefined : new CheckpointSender(openElsewhere(config.checkpoint_to), signing);
/**
 * Agents whose chains are being signed: the next round leaves them to the current one, which a long chain may delay.
 */
const underWay = new Set<string>();
// The database is opened again after a failure, because the thread outlives an unreachable database.
let opened: ReturnType<typeof openStore> | undefined;

async function answer(request: TrailRequest): Promise<TrailAnswer> {
  opened ??= openStore(config.database, { statementTimeoutMs });
  const { db, trail } = await opened.catch((error: unknown) => {
    opened = undefined;
    throw error;
  });
  if (request.kind === "prove") {
    const tree = await trees.treeOf(db, request.taskId, request.size);
    return { kind: "proofs", proofs: request.positions.map((position) => tree.proofOf(position)) };
  }
  return signRound(db, trail, request.skip);
}

async function signRound(db: Kysely<RegistryTables>, trail: TrailStore, skip: readonly string[]): Promise<TrailAnswer> {
  const skipped = new Set(skip);
  const unsigned = await unsignedAgents(db);
  const due = unsigned.filter(({ agentId }) => !skipped.has(agentId) && !underWay.has(agentId));
  for (const { agentId } of due) underWay.add(agentId);
  try {
    const round = await signCheckpoints(trail, signing, due, ({ agentId }) => underWay.delete(agentId));
    const signed = new Set(round.signed);
    const left = unsigned.filter(({ agentId }) => !signed.has(agentId));
    const stillSkipped = left.map(({ agentId }) => agentId).filter((agentId) => skipped.has(agentId));
    const sendProblem = await sender?.send(db, round.signed);
    const sending = { unsent: sender?.unsent ?? 0, sendProblem };
    return { kind: "round", ...round, oldest: left[0]?.since, stillSkipped, ...sending };
  } finally {
    for (const { agentId } of due) underWay.delete(agentId);
  }
}

port.on("message", async ({ id, request }: ThreadRequest<TrailRequest>) => {
  let message: ThreadAnswer<TrailAnswer>;
  try {
    message = { id, answer: await answer(request) };
  } catch (error) {
    const code = error instanceof RegistryError ? error.code : "UNAVAILABLE";
    message = { id, failure: { code, message: error instanceof Error ? error.message : "the thread failed" } };
  }
  port.postMessage(message);
});
