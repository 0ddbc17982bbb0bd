import { join } from "node:path";
import { createCheckpoint } from "@agentprint/trail/checkpoint";
import type { Chain } from "../chain/chain.ts";
import { RecorderError } from "../errors.ts";
import { fileNameOf } from "../sink/file-name.ts";
import { replaceDurably } from "../sink/write-durably.ts";
import type { CheckpointTarget } from "./recorder-options.ts";

/** In milliseconds. */
const EVERY = 60_000;
/** The maximum wait for the answer to a posted note, in milliseconds. */
const ANSWER_WITHIN = 10_000;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Signs a session's chain at intervals, and sends the notes elsewhere. */
export class Checkpoints {
  readonly #target: CheckpointTarget;
  readonly #chain: Chain;
  readonly #session: string;
  readonly #onFailure: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #sentSize = 0;
  #isFailing = false;
  #sending: Promise<void> = Promise.resolve();

  /** @param onFailure is called for the first failure, and again only for the first failure after a success. */
  constructor(target: CheckpointTarget, chain: Chain, session: string, onFailure: (error: unknown) => void) {
    this.#target = target;
    this.#chain = chain;
    this.#session = session;
    this.#onFailure = onFailure;
  }

  start(): void {
    this.#timer = setInterval(() => void this.#enqueue(), this.#target.everyMs ?? EVERY).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Sends the last checkpoint. */
  async close(): Promise<void> {
    this.stop();
    await this.#enqueue();
  }

  #enqueue(): Promise<void> {
    this.#sending = this.#sending.then(() => this.#send());
    return this.#sending;
  }

  /** Sends a checkpoint of everything that is durable, if the chain has grown since the last checkpoint. */
  async #send(): Promise<void> {
    const { origin, signer, to } = this.#target;
    try {
      const head = await this.#chain.treeHead();
      if (head.size === this.#sentSize) return;
      const own = `${origin}/${this.#session}`;
      const note = createCheckpoint({ origin: own, ...head }, [signer]);
      if (typeof to === "function") await to(note, own);
      else if (isUrl(to)) await post(to, note);
      else await replaceDurably(join(to, `${fileNameOf(this.#session)}.checkpoint`), note);
      this.#sentSize = head.size;
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) this.#onFailure(error);
      this.#isFailing = true;
    }
  }
}

/**
 * Checks that notes can be sent to `to`.
 *
 * @throws {@link RecorderError} `invalid-option` if it is a URL of another kind.
 */
export function checkTarget({ to }: CheckpointTarget): void {
  if (typeof to !== "string" || !isUrl(to)) return;
  const { protocol, hostname } = URL.canParse(to) ? new URL(to) : { protocol: "", hostname: "" };
  if (protocol === "https:" || (protocol === "http:" && LOOPBACK.test(hostname))) return;
  // The URL is not repeated, because it may contain a password.
  const message = "checkpointTo.to: expected a function, a folder, or an https: URL; received another kind of URL";
  throw new RecorderError("invalid-option", message, { path: "checkpointTo" });
}

function isUrl(to: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(to);
}

async function post(url: string, note: string): Promise<void> {
  const { ok, status, body } = await fetch(url, {
    method: "POST",
    headers: { "content-type": "text/plain; charset=utf-8" },
    body: note,
    redirect: "error",
    signal: AbortSignal.timeout(ANSWER_WITHIN),
  });
  await body?.cancel();
  if (!ok) throw new RecorderError("unavailable", `the receiver of checkpoints answered with status ${status}`);
}
