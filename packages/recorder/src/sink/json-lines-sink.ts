import { existsSync } from "node:fs";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseThoughtLines, type TreeHead } from "@agentprint/trail/chain";
import { MerkleTree } from "@agentprint/trail/checkpoint";
import { type ThoughtRecord, ZERO_HASH } from "@agentprint/trail/record";
import { RecorderError } from "../errors.ts";
import { isReadable } from "../read/is-readable.ts";
import {
  cutHalfLine,
  endChain,
  endedName,
  openName,
  type TakenChain,
  TOUCH_EVERY,
  takeLeftBehind,
} from "./chain-files.ts";
import { ChainLines } from "./chain-line.ts";
import type { Sink, SinkThought, UnendedSession } from "./sink.ts";
import { syncFolder, writeAll } from "./write-durably.ts";

/**
 * A folder with a JSON Lines file for each session. The name of the file of a session that goes on has the process in it,
 * so that no two processes ever write one chain.
 *
 * @throws {@link RecorderError} `session-exists` when the folder has a chain of this session.
 */
export async function openJsonLines(folderName: string, session: string, withTree: boolean): Promise<Sink> {
  const folder = resolve(folderName);
  await mkdir(folder, { recursive: true });
  const path = join(folder, openName(session));
  if (existsSync(join(folder, endedName(session)))) throw sessionExists(session, folder);
  const file = await open(path, "wx", 0o600).catch((error: { code?: unknown }) => {
    throw error.code === "EEXIST" ? sessionExists(session, folder) : error;
  });
  await syncFolder(folder);
  return new JsonLinesSink(folder, path, session, file, withTree ? new MerkleTree() : undefined);
}

function sessionExists(session: string, folder: string): RecorderError {
  const message = `${folder} has a chain of session ${JSON.stringify(session)}: expected another session id`;
  return new RecorderError("session-exists", message, { path: "sessionId" });
}

class JsonLinesSink implements Sink {
  readonly #folder: string;
  readonly #path: string;
  readonly #session: string;
  readonly #file: FileHandle;
  readonly #tree: MerkleTree | undefined;
  readonly #touching: NodeJS.Timeout;
  readonly #lines = new ChainLines();
  readonly #taken = new Map<string, TakenChain>();
  #head = ZERO_HASH;
  /** Bytes of the records that are durable. */
  #size = 0;
  #isDirty = false;

  constructor(folder: string, path: string, session: string, file: FileHandle, tree: MerkleTree | undefined) {
    this.#folder = folder;
    this.#path = path;
    this.#session = session;
    this.#file = file;
    this.#tree = tree;
    this.#touching = setInterval(() => void file.utimes(new Date(), new Date()).catch(() => {}), TOUCH_EVERY).unref();
  }

  async append(thoughts: readonly SinkThought[]): Promise<void> {
    // Half of a batch may have been written before it failed. After a failed sync nobody knows what is on the disk.
    if (this.#isDirty) await this.#file.truncate(this.#size);
    this.#isDirty = true;
    const lines = this.#lines;
    lines.clear();
    const hashes: string[] = [];
    let head = this.#head;
    for (const thought of thoughts) {
      head = lines.add(thought, head);
      hashes.push(head);
    }
    const { bytes } = lines;
    await writeAll(this.#file, bytes, this.#size);
    await this.#file.datasync();
    if ((await this.#file.stat()).nlink === 0) {
      throw new RecorderError("unavailable", `${this.#path} was deleted while it was written`);
    }
    this.#isDirty = false;
    this.#size += bytes.length;
    this.#head = head;
    if (this.#tree) for (const hash of hashes) this.#tree.append(hash);
  }

  async findUnended(isEnd: (record: ThoughtRecord) => boolean): Promise<readonly UnendedSession[]> {
    const found: UnendedSession[] = [];
    for (const chain of await takeLeftBehind(this.#folder)) {
      const { last, cut } = await cutHalfLine(chain.path);
      const { session } = chain;
      const record = await recordIn(last);
      const unended = { session, head: record?.hash, cut };
      this.#taken.set(session, chain);
      // A session that said that it ends was only not renamed any more; one without a byte has recorded nothing.
      if ((last.length === 0 && cut === 0) || (record && isEnd(record))) await this.settle([unended]);
      else found.push(unended);
    }
    return found;
  }

  async settle(told: readonly UnendedSession[]): Promise<void> {
    for (const { session } of told) {
      const chain = this.#taken.get(session);
      if (chain) await endChain(this.#folder, chain.path, session);
      this.#taken.delete(session);
    }
  }

  async treeHead(): Promise<TreeHead> {
    const tree = this.#tree as MerkleTree;
    return { size: tree.size, rootHash: tree.rootHash() };
  }

  async close(ended: boolean): Promise<void> {
    clearInterval(this.#touching);
    if (this.#isDirty) await this.#file.truncate(this.#size).catch(() => {});
    await this.#file.close();
    if (ended || this.#size === 0) await endChain(this.#folder, this.#path, this.#session);
  }
}

/** The record in the last line of a chain; `undefined` where the line is none. */
async function recordIn(line: Uint8Array): Promise<ThoughtRecord | undefined> {
  for await (const value of parseThoughtLines([line])) if (isReadable(value)) return value;
  return undefined;
}
