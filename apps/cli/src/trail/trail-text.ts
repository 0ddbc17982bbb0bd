import { STDIN_NAME } from "../files/read-input.ts";
import type { InputContext } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import { readChunks } from "./source.ts";

const MAX_MARK_BYTES = 16;
const DATABASE = "a SQLite database";
const ENCODED = "text in an encoding other than UTF-8";

/** The first bytes of files that are not JSON Lines text, in hex digits. */
const MARKS: readonly (readonly [begins: RegExp, what: string])[] = Object.freeze([
  [/^53514c69746520666f726d6174203300/, DATABASE],
  // gzip, bzip2, xz, zstd, lz4, zip, 7z
  [/^(?:1f8b|425a68|fd377a585a00|28b52ffd|04224d18|504b0304|377abcaf)/, "compressed"],
  // A UTF-16 byte order mark, or a UTF-16 character of which one byte is zero.
  [/^(?:fffe|feff|00|..00)/, ENCODED],
  [/^efbbbf/, "text that begins with a byte order mark"],
] as const);

/**
 * Yields the bytes of a JSON Lines file, or of standard input for `-`.
 *
 * @throws {@link CliError} `unreadable-input` when the bytes begin like a file of another kind, which would otherwise
 * look like an empty trail
 */
export async function* readTrailText(context: InputContext, file: string): AsyncGenerator<Uint8Array, void> {
  let start: Uint8Array | undefined = new Uint8Array();
  for await (const chunk of readChunks(context, file)) {
    if (start) {
      start = Buffer.concat([start, chunk]);
      if (start.length < MAX_MARK_BYTES) continue;
      checkStart(start, file);
      yield start;
      start = undefined;
    } else yield chunk;
  }
  if (!start) return;
  checkStart(start, file);
  yield start;
}

function checkStart(start: Uint8Array, file: string): void {
  const text = Buffer.from(start.subarray(0, MAX_MARK_BYTES)).toString("hex");
  const what = MARKS.find(([begins]) => begins.test(text))?.[1];
  if (what === undefined) return;
  const name = file === "-" ? STDIN_NAME : file;
  throw new CliError("unreadable-input", `${name} is ${what}, not a trail`, {
    expected: "JSON Lines text in UTF-8, or the URL of a store",
    fix: what === DATABASE ? `name a store by its URL: file:${file === "-" ? "<path>" : file}` : undefined,
  });
}
