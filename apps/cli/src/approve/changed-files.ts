import { createHash } from "node:crypto";
import { printable } from "@agentprint/canonical-json/text";
import type { Finding } from "@agentprint/findings";
import type { LockedArtifact } from "@agentprint/launch";
import { type LockedServer, pinnedFiles } from "@agentprint/mcp-lock";
import type { StdioTarget } from "@agentprint/mcp-visit";
import { readRegularFile } from "../files/read-input.ts";
import { fileWithDigest } from "../git/file-with-digest.ts";
import { readLaunchedFiles } from "../launch/digest-files.ts";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import { commandLine } from "../terminal/command-line.ts";

/** The maximum size of a file whose text a review shows, in bytes. */
const MAX_FILE_BYTES = 1024 * 1024;

/** A file that a launch names and whose bytes differ from the pinned ones. */
interface ChangedFile {
  /** The file's name in the launch. */
  readonly name: string;
  /** The pinned text, from a Git commit; absent if no commit has the pinned bytes, or if they are not text. */
  readonly before?: string;
  /** The current text; absent if it is too long, or not text. */
  readonly after?: string;
}

/** The changed files of a launch, by the JSON Pointer of the word that names each. */
export type ChangedFiles = ReadonlyMap<string, ChangedFile>;

/** Reads the texts of a launch's files that differ from the pinned ones, before the launch is started. */
export async function readChangedFiles(
  context: Context,
  entry: LockedServer,
  target: StdioTarget,
): Promise<ChangedFiles> {
  const pinned = new Map(pinnedFiles(entry).map(({ pointer, digest }) => [pointer, digest]));
  const files = (await readLaunchedFiles(target)).filter(({ pointer, digest }) => pinned.get(pointer) !== digest);
  const read = files.map(async ({ pointer, digest, path, file }): Promise<[string, ChangedFile]> => {
    const earlier = pinned.get(pointer);
    const before = earlier && textOf(await fileWithDigest(context, path, earlier, MAX_FILE_BYTES), earlier);
    const after = textOf(await presentBytes(path), digest);
    return [
      pointer,
      { name: file.path, ...(before !== undefined && { before }), ...(after !== undefined && { after }) },
    ];
  });
  return new Map(await Promise.all(read));
}

async function presentBytes(path: string): Promise<Uint8Array | undefined> {
  try {
    return await readRegularFile({ pathOf: () => path }, path, MAX_FILE_BYTES);
  } catch (error) {
    if (error instanceof CliError) return undefined;
    throw error;
  }
}

/** Returns bytes as text; `undefined` if they are not text, or do not match the digest. */
function textOf(bytes: Uint8Array | undefined, digest: string): string | undefined {
  if (bytes === undefined || createHash("sha256").update(bytes).digest("hex") !== digest) return undefined;
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}

const NO_EARLIER_TEXT = "No commit has the pinned file, and the lock has only its digest: read all of the current one";

/** Returns the finding about a launch's file with the known texts in place of its digests. */
export function withTexts(finding: Finding, files: ChangedFiles): Finding {
  const file = finding.rule === "mcp/launch-file-changed" ? files.get(finding.place.pointer ?? "") : undefined;
  if (file === undefined) return finding;
  const { before: digest, ...named } = { ...finding, message: `${finding.message}: ${file.name}` };
  if (file.after === undefined) return { ...named, ...(digest !== undefined && { before: digest }) };
  const { before, after } = file;
  if (before !== undefined) return { ...named, before, after };
  return { ...named, after, ...(digest !== undefined && { note: NO_EARLIER_TEXT }) };
}

/** Returns the names of a launch's files whose current text is shown without the pinned one. */
export function filesWithoutEarlierText(files: ChangedFiles): string[] {
  return [...files.values()].flatMap(({ name, before, after }) =>
    before === undefined && after !== undefined ? [name] : [],
  );
}

/** Returns notes for a reviewer on changed bytes that the report does not show, one sentence each. */
export function unshownBytes(before: LockedServer, after: LockedServer, files: ChangedFiles): string[] {
  const unread = [...files.values()].filter((file) => file.after === undefined);
  const known = new Map((before.artifacts ?? []).map((artifact) => [artifact.pointer, artifact]));
  return [
    ...unread.map(
      ({ name }) =>
        `Only the digests of ${printable(name)} are shown: it is too long, or not text. Look at the file itself.`,
    ),
    ...(after.artifacts ?? []).flatMap((now) => {
      const old = known.get(now.pointer);
      return old === undefined || isSame(old, now) ? [] : [ofArtifact(old, now)];
    }),
  ];
}

function isSame(one: LockedArtifact, other: LockedArtifact): boolean {
  const bytesOf = ({ name, version, integrity, files, dependencies }: LockedArtifact) =>
    JSON.stringify([name, version, integrity, files, dependencies]);
  return bytesOf(one) === bytesOf(other);
}

function ofArtifact(before: LockedArtifact, after: LockedArtifact): string {
  const [old, now] = [before, after].map(({ name, version }) => `${name}@${version}`) as [string, string];
  const shown = `No file of ${printable(old === now ? now : `${old} → ${now}`)}, or of what is installed with it, is shown.`;
  if (old !== now && before.kind === "npm" && after.kind === "npm")
    return `${shown} ${commandLine(["npm", "diff", `--diff=${old}`, `--diff=${now}`])} shows both.`;
  return old === now && before.integrity !== after.integrity
    ? `${shown} Ask its author which bytes are theirs.`
    : shown;
}
