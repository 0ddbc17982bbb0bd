import type { Launch } from "./launch.ts";
import { createReader } from "./programs/index.ts";
import type { Reader } from "./reader.ts";
import { type Word, wordsOf } from "./words.ts";

/**
 * Reads a launch's words and returns the reader, which contains the files, packages and variables that they lead to.
 */
export function readLaunch(launch: Extract<Launch, { type: "stdio" }>): Reader {
  const reader = createReader(launch.env);
  const words = wordsOf(launch);
  reader.run(words, {}, words[0] as Word);
  return reader;
}
