import { type FileHandle, open, rm } from "node:fs/promises";
import { resolve } from "node:path";
import { parseThoughtLines, type TreeHead } from "@agentprint/trail/chain";
import { MerkleTree } from "@agentprint/trail/checkpoint";
import { type ThoughtRecord, ZERO_HASH } from "@agentprint/trail/record";
import { RecorderError } from "../errors.ts";
import { makeFolder } from "../folder.ts";
import { chainPath, cutHalfLine, type TakenSession, takeLeftBehind } from "./chain-files.ts";
import { ChainLines } from "./chain-line.ts";
import { isReadable } from "./is-readable.ts";
import { Lease } from "./lease.ts";
import { type Sink, type SinkThought, sessionExists, type UnendedSession } from "./sink.ts";
import { syncFolder, writeAtOnce } from "./write-durably.ts";

/**
 * Opens a folder with a JSON Lines file for each session. Creating the file reserves its name: no other process can
 * create the same file, and no process renames or overwrites it. Next to the file is the writing process's lease.
 *
 * @throws {@link RecorderError} `session-exists` if the folder has a chain of this session.
 */
export async function openJsonLines(folderName: string, session: string, withTree: boolean): Promise<Sink> {
  const folder = resolve(folderName);
  await makeFolder(folder);
  const path = chainPath(folder, session);
  const file = await open(path, "wx", 0o600).catch((error: { code?: unknown }) => {
    throw error.code === "EEXIST" ? sessionExists(session, folder) : error;
  });
  try {
    // The lease is created after the chain, because a lease without its own chain could belong to another writing
    // process.
    const lease = await Lease.create(folder, session);
    await syncFolder(folder);
    return new JsonLinesSink({ folder, path, file, lease, tree: withTree ? new MerkleTree() : undefined });
  } catch (error) {
    await file.close();
    await rm(path);
    throw error;
  }
}

interface SinkParts {
  readonly folder: string;
  readonly path: string;
  readonly file: FileHandle;
  readonly lease: Lease;
  readonly tree: MerkleTree | undefined;
}

class JsonLinesSink implements Sink {
  readonly #folder: string;
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #lease: Lease;
  readonly #tree: MerkleTree | undefined;
  readonly #lines = new ChainLines();
  readonly #taken = new Map<string, TakenSession>();
  #head = ZERO_HASH;
  /** The size of all durable records, in bytes. */
  #size = 0;
  #isDirty = false;

  constructor({ folder, path, file, lease, tree }: SinkParts) {
    this.#folder = folder;
    this.#path = path;
    this.#file = file;
    this.#lease = lease;
    this.#tree = tree;
  }

  async append(stretches: AsyncIterable<readonly SinkThought[]>): Promise<void> {
    // A batch may have been written partially before it failed. After a failed sync, the disk's content is unknown.
    if (this.#isDirty) {
      await this.#checkOwn();
      await this.#file.truncate(this.#size);
    }
    this.#isDirty = true;
    const lines = this.#lines;
    lines.clear();
    const hashes: string[] = [];
    let head = this.#head;
    for await (const thoughts of stretches) {
      for (const thought of thoughts) {
        head = lines.add(thought, head);
        hashes.push(head);
      }
    }
    const { bytes } = lines;
    await writeAtOnce(this.#file, bytes, this.#size);
    await this.#file.datasync();
    // This happens after the records are durable, so that a process that takes over the session from now on finds them.
    await this.#checkOwn();
    this.#isDirty = false;
    this.#size += bytes.length;
    this.#head = head;
    if (this.#tree) for (const hash of hashes) this.#tree.append(hash);
  }

  /** Checks that the chain still has its name, and that this process still holds the lease. */
  async #checkOwn(): Promise<void> {
    if ((await this.#file.stat()).nlink === 0) {
      throw new RecorderError("unavailable", `${this.#path} was deleted while it was written`);
    }
    await this.#lease.hold();
  }

  async findUnended(isEnd: (record: ThoughtRecord) => boolean): Promise<readonly UnendedSession[]> {
    const found: UnendedSession[] = [];
    for (const taken of await takeLeftBehind(this.#folder, await this.#lease.clockLead())) {
      const { session } = taken;
      const chain = await cutHalfLine(chainPath(this.#folder, session)).catch((error: { code?: unknown }) => {
        if (error.code === "ENOENT") return undefined; // a deleted chain has no end
        throw error;
      });
      const record = chain && (await recordIn(chain.last));
      const unended = { session, head: record?.hash, cut: chain?.cut ?? 0 };
      this.#taken.set(session, taken);
      // A session that has an end may still have a lease, and an empty chain has recorded nothing.
      const isEmpty = chain !== undefined && chain.last.length === 0 && chain.cut === 0;
      if (isEmpty || (record && isEnd(record))) await this.settle([unended]);
      else found.push(unended);
    }
    return found;
  }

  async settle(reported: readonly UnendedSession[]): Promise<void> {
    for (const { session } of reported) {
      const taken = this.#taken.get(session);
      if (taken) await rm(taken.lease, { force: true });
      this.#taken.delete(session);
    }
  }

  async treeHead(): Promise<TreeHead> {
    const tree = this.#tree as MerkleTree;
    return { size: tree.size, rootHash: tree.rootHash() };
  }

  async close(ended: boolean): Promise<void> {
    if (this.#isDirty) await this.#lease.hold().catch(() => {});
    const isOwn = !this.#lease.isLost;
    if (this.#isDirty && isOwn) await this.#file.truncate(this.#size).catch(() => {});
    await this.#file.close();
    const isEmpty = this.#size === 0;
    // Only this process has ever had the file, and nothing in it was acknowledged; in any other case, a chain is never
    // deleted.
    if (isEmpty && isOwn) await rm(this.#path, { force: true });
    await this.#lease.release(!ended && !isEmpty);
    await syncFolder(this.#folder);
  }
}

/** Returns the record in the last line of a chain; `undefined` if the line is not a record. */
async function recordIn(line: Uint8Array): Promise<ThoughtRecord | undefined> {
  for await (const value of parseThoughtLines([line])) if (isReadable(value)) return value;
  return undefined;
}
