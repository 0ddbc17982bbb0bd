import { readEntry } from "@agentprint/client-configs";
import { redactLaunch } from "@agentprint/launch/redact";
import { launchInWords } from "../lock/entry-summary.ts";

/** A line of a difference with the launch that an entry of a configuration has, the guard in front of it included, without secrets. */
export function launchLine(sign: "-" | "+", name: string, value: unknown): string {
  const entry = readEntry(value, () => undefined);
  if (typeof entry === "string") return `${sign}${name}`;
  const launch =
    entry.type === "stdio"
      ? redactLaunch({ type: "stdio", command: entry.command, args: [...entry.args], env: Object.keys(entry.env) })
      : redactLaunch({ type: "http", url: entry.url, headers: Object.keys(entry.headers) });
  return `${sign}${name}: ${launchInWords({ launch })}`;
}
