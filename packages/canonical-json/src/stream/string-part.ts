import { type TextScanner, unescaped } from "../parse/text-scanner.ts";

const QUOTE = 0x22;

/** Continues to read a string, up to its end or to the first complete character at or after the offset `stop`. */
export function stringPart(scanner: TextScanner, stop: number): { value: string; isEnd: boolean } {
  scanner.offset--;
  const value = unescaped(scanner.rawString(false, stop));
  const isEnd = scanner.text.charCodeAt(scanner.offset - 1) === QUOTE;
  if (!isEnd) scanner.offset--;
  return { value, isEnd };
}
