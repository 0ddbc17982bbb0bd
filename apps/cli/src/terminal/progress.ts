import { escapeText } from "@agentprint/report";

/** A line on stderr that says what is going on; nothing where stderr is not a terminal. */
export function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[2K${escapeText(text).slice(0, process.stderr.columns - 1)}`);
}

export function clearProgress(): void {
  if (process.stderr.isTTY) process.stderr.write("\r\u001b[2K");
}
