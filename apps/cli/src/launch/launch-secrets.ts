import type { Launch } from "@agentprint/launch";
import { REDACTED, redactLaunch } from "@agentprint/launch/redact";
import type { KnownValue } from "@agentprint/mcp-visit/secrets";
import type { Context } from "../run/context.ts";

/** Returns the secrets in the words of a launch, as {@link redactLaunch} finds them. */
export function secretsInLaunch(launch: Launch): KnownValue[] {
  const redacted = redactLaunch(launch);
  const name = launch.type === "http" ? "the URL" : "an argument";
  const shown = wordsOfLaunch(redacted);
  return wordsOfLaunch(launch).flatMap((word, index) => replacedParts(name, word, shown[index] ?? word));
}

/**
 * Hides the secrets in a server's command after a command line failed with an error, which may quote this command. If
 * the line itself could not be parsed, every word may belong to a server; otherwise agentprint's options name files,
 * not secrets.
 */
export function hideCommandLine({ hidden, args }: Pick<Context, "hidden" | "args">, isRead: boolean): void {
  const [command = "", ...words] = args.includes("--") ? args.slice(args.indexOf("--") + 1) : isRead ? [] : args;
  const launchOf = (word: string, others: readonly string[]): Launch => {
    return { type: "stdio", command: word, args: [...others], env: [] };
  };
  const launches = [launchOf(command, words), ...(isRead ? [] : [launchOf("", args)])];
  hidden.hideFromOutput(launches.flatMap(secretsInLaunch));
}

/** Returns the texts of a launch in which references are filled in. */
export function wordsOfLaunch(launch: Launch): string[] {
  return [...wordsByPointer(launch).values()];
}

/** Returns the texts of a launch in which references are filled in, by their JSON Pointers. */
export function wordsByPointer(launch: Launch): ReadonlyMap<string, string> {
  if (launch.type === "http") return new Map([["/url", launch.url]]);
  const { command, args, cwd } = launch;
  const words = args.map((word, index) => [`/args/${index}`, word] as const);
  return new Map([["/command", command], ...words, ...(cwd === undefined ? [] : [["/cwd", cwd] as const])]);
}

/**
 * Returns the parts of a text that its redacted form replaces with {@link REDACTED}. Words separated only by spaces are
 * one secret: a short word such as "a" occurs in many texts by chance, so it is not hidden on its own.
 */
function replacedParts(name: string, text: string, redacted: string): KnownValue[] {
  const kept = redacted.split(REDACTED);
  const values: string[] = [];
  let at = kept[0]?.length ?? 0;
  for (const [number, piece] of kept.slice(1).entries()) {
    const isLast = number === kept.length - 2;
    const end = isLast ? text.length - piece.length : text.indexOf(piece, at);
    const before = kept[number] ?? "";
    if (number > 0 && /^ +$/.test(before)) values.push(`${values.pop()}${before}${text.slice(at, end)}`);
    else values.push(text.slice(at, end));
    at = end + piece.length;
  }
  return values
    .filter((value) => value !== "")
    .flatMap((value) => {
      const words = value.split(" ").map((word) => ({ name, value: word }));
      return [{ name, value, isSecret: true }, ...(words.length > 1 ? words : [])];
    });
}
