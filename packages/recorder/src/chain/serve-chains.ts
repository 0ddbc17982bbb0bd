// The entry point of the thread that seals and writes the records of all sessions in a process.
import { parentPort } from "node:worker_threads";
import { createMacKey } from "../envelope/event-keys.ts";
import type { UnendedSession } from "../sink/sink.ts";
import type { Chain } from "./chain.ts";
import { openSealedChain } from "./sealed-chain.ts";
import {
  type Answer,
  type AppendArgument,
  type ChainJob,
  describeError,
  fromColumns,
  type Question,
} from "./thread-protocol.ts";

/** Opens a chain, and answers requests about it. */
export function serveChain({ options, secret, port }: ChainJob): void {
  const opening = openSealedChain(options, createMacKey(secret));
  // The requester receives the error as an answer.
  opening.catch(() => {});
  port.on("message", async (question: Question) => port.postMessage(await answerTo(question, opening)));
}

async function answerTo({ number, method, argument }: Question, opening: Promise<Chain>): Promise<Answer> {
  try {
    const chain = await opening;
    return { number, value: await ask(chain, method, argument) };
  } catch (error) {
    return { number, error: describeError(error) };
  }
}

function ask(chain: Chain, method: Question["method"], argument: unknown): Promise<unknown> | undefined {
  switch (method) {
    case "open":
      return undefined;
    case "append": {
      const { columns, isSpread } = argument as AppendArgument;
      return chain.append(fromColumns(columns), isSpread);
    }
    case "settle":
      return chain.settle(argument as readonly UnendedSession[]);
    case "close":
      return chain.close(argument as boolean);
    default:
      return chain[method]();
  }
}

parentPort?.on("message", serveChain);
