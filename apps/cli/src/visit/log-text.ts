import { type JsonValue, parseJson } from "@agentprint/canonical-json";

/** The members in which common loggers (pino, winston, bunyan, zap, structlog) write a message, and its level. */
const MESSAGE = ["msg", "message", "event", "text"];
const LEVEL = ["level", "severity", "levelname"];

/** The names of the numeric levels of pino and bunyan. */
const NUMERIC: Readonly<Record<number, string>> = {
  10: "trace",
  20: "debug",
  30: "info",
  40: "warn",
  50: "error",
  60: "fatal",
};

/**
 * Returns a line of a server's log as text: its level and message if it is a JSON object, any other line unchanged.
 */
export function logText(output: string): string {
  return output.split("\n").map(lineText).join("\n");
}

function lineText(line: string): string {
  if (!line.trimStart().startsWith("{")) return line;
  const record = parsed(line);
  if (record === null || typeof record !== "object" || Array.isArray(record)) return line;
  const members = new Map(Object.entries(record));
  const message = MESSAGE.map((name) => members.get(name)).find((value) => typeof value === "string");
  if (message === undefined) return line;
  const level = LEVEL.map((name) => members.get(name)).find((value) => value !== undefined);
  const name = typeof level === "number" ? NUMERIC[level] : level;
  return typeof name === "string" ? `${name.toLowerCase()}: ${message}` : message;
}

function parsed(line: string): JsonValue {
  try {
    return parseJson(line);
  } catch {
    return null;
  }
}
