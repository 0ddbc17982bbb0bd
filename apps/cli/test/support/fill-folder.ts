import { linkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** NTFS allows a file 1023 additional names. */
const NAMES = 1000;

/**
 * Fills a folder with `count` empty files, whose names are numbers. Most are hard links, which take a third of the time
 * that new files take.
 */
export function fillFolder(folder: string, count: number): void {
  const path = (number: number): string => join(folder, String(number));
  for (let number = 0; number < count; number++) {
    const first = number - (number % NAMES);
    if (number === first) writeFileSync(path(number), "");
    else linkSync(path(first), path(number));
  }
}
