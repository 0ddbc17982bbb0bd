import { createHash, randomUUID } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { RegistryError } from "../errors.ts";
import { isUrl } from "./target.ts";

/** The longest wait for an answer, in milliseconds. */
const ANSWER_WITHIN_MS = 10_000;
const MAX_ANSWER_BYTES = 32 * 2 ** 20;
/**
 * How often reading a folder is retried when notes are replaced meanwhile; a note is replaced once per checkpoint
 * interval.
 */
const MAX_READS = 100;
/** A note's file name: the hash of its origin, its size, and the hash of the note. */
const FILE = /^([0-9a-f]{32})-(\d{16})-[0-9a-f]{16}\.note$/;

/** A place outside the database where signed notes are kept. Each method rejects if the place cannot be reached. */
export interface Elsewhere {
  /** Creates the place if it is missing and can be created. */
  readonly prepare: () => Promise<void>;
  /** Returns the stored notes: the newest note of each origin, and possibly older ones. */
  readonly read: () => Promise<readonly string[]>;
  /** Adds a note. Deletes only notes with the same origin: smaller ones, and those in `superseded`. */
  readonly send: (note: string, superseded?: readonly string[]) => Promise<void>;
}

/**
 * Opens the place that `checkpoint_to` names: a folder, or a URL that accepts notes by POST and returns them by GET as
 * a JSON array.
 */
export function openElsewhere(target: string): Elsewhere {
  return isUrl(target) ? openUrl(target) : openFolder(target);
}

function openFolder(folder: string): Elsewhere {
  const names = async (): Promise<string[]> => (await readdir(folder)).filter((name) => FILE.test(name)).sort();
  return {
    prepare: () => makeIfMissing(folder),
    read: async () => {
      for (let round = 1; ; round++) {
        const listed = await names();
        try {
          return await Promise.all(listed.map((name) => readFile(join(folder, name), "utf8")));
        } catch (error) {
          // A registry replaced a note after the listing: list again to find the newer note.
          if ((error as NodeJS.ErrnoException).code !== "ENOENT" || round === MAX_READS) throw error;
        }
      }
    },
    send: async (note, superseded = []) => {
      await makeIfMissing(folder);
      const name = nameOf(note);
      await writeDurably(folder, name, note);
      const [, origin, size = ""] = FILE.exec(name) ?? [];
      const lost = new Set(superseded.map(nameOf));
      for (const other of await names()) {
        const [, itsOrigin, itsSize = ""] = FILE.exec(other) ?? [];
        if (itsOrigin === origin && (itsSize < size || lost.has(other))) await rm(join(folder, other), { force: true });
      }
    },
  };
}

/**
 * Creates a missing folder, but not its parent: if another machine's folder is not mounted, the parent would be created
 * on this machine.
 */
async function makeIfMissing(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

function nameOf(note: string): string {
  const [origin = "", size = ""] = note.split("\n");
  return `${digest(origin).slice(0, 32)}-${size.padStart(16, "0")}-${digest(note).slice(0, 16)}.note`;
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

async function writeDurably(folder: string, name: string, text: string): Promise<void> {
  const temporary = join(folder, `.${randomUUID()}`);
  try {
    const file = await open(temporary, "wx", 0o644);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, join(folder, name));
  } finally {
    await rm(temporary, { force: true });
  }
}

function openUrl(url: string): Elsewhere {
  const ask = async (init: RequestInit): Promise<Response> => {
    const response = await fetch(url, { ...init, redirect: "error", signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    if (response.ok) return response;
    await response.body?.cancel();
    throw new RegistryError("UNAVAILABLE", `the URL for checkpoints answered with status ${response.status}`);
  };
  return {
    prepare: () => Promise.resolve(),
    read: async () => readNotes(await ask({ headers: { accept: "application/json" } })),
    send: async (note) => {
      const headers = { "content-type": "text/plain; charset=utf-8" };
      await (await ask({ method: "POST", headers, body: note })).body?.cancel();
    },
  };
}

async function readNotes(response: Response): Promise<string[]> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) throw noNotes(`more than ${MAX_ANSWER_BYTES} bytes`);
    chunks.push(chunk);
  }
  const notes = parse(Buffer.concat(chunks).toString("utf8"));
  if (Array.isArray(notes) && notes.every((note) => typeof note === "string")) return notes;
  throw noNotes("something else");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function noNotes(received: string): RegistryError {
  const message = `expected a JSON array of signed notes from the URL for checkpoints, received ${received}`;
  return new RegistryError("UNAVAILABLE", message);
}
