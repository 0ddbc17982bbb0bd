import { type Finding, findingKinds } from "@agentprint/findings";
import { isRedacted } from "@agentprint/launch/redact";
import type { LockedServer } from "@agentprint/mcp-lock";
import {
  type PinnedWith,
  pinAgainLine,
  type SecretReference,
  variablesInWords,
  withSecretReferences,
} from "../launch/secret-references.ts";
import { namedLock } from "../lock/read-lock.ts";
import { LOCK_RULES } from "../rules/check-rules.ts";
import type { Context } from "../run/context.ts";
import { commandLine, lineAsCalled } from "../terminal/command-line.ts";

/** How servers were pinned. */
export interface PinnedFrom extends PinnedWith {
  readonly lock: string;
  /** Returns the configurations that contain the launch of a server; none if the command line gives the launch. */
  readonly configsOf: (name: string) => readonly string[];
}

/** Returns a finding for each secret of a launch that a lock leaves out, with the command line that supplies it. */
export function leftOutSecrets(context: Context, entries: readonly LockedServer[], from: PinnedFrom): Finding[] {
  return entries.flatMap(({ name, launch }) => {
    if (!isRedacted(launch)) return [];
    const { launch: again, references } = withSecretReferences(name, launch);
    const configs = from.configsOf(name);
    const isConfigured = configs.length > 0;
    const note = isConfigured
      ? inConfiguration(context, name, references, { lock: from.lock, configs })
      : onCommandLine(context, references, pinAgainLine(name, again, { ...from, lock: namedLock(from.lock) }));
    const kind = byRule("lock/secret-left-out", MESSAGE, isConfigured ? "note" : undefined);
    const server = { subject: name, server: name };
    return references.map(({ pointer }) => ({ ...kind, place: { ...server, pointer }, note, isRemark: true }));
  });
}

const byRule = findingKinds(LOCK_RULES);
const MESSAGE = "the lock leaves out a secret in this word of the launch";

function onCommandLine(context: Context, references: readonly SecretReference[], line: string): string {
  const missing = "check, approve and guard cannot start the server without it";
  return `${missing}: set ${variablesInWords(references)} to the omitted value, and run: ${lineAsCalled(context, line)}`;
}

function inConfiguration(
  context: Context,
  name: string,
  references: readonly SecretReference[],
  { lock, configs }: { readonly lock: string; readonly configs: readonly string[] },
): string {
  const named = namedLock(lock);
  const written = references.map(({ pointer, variable }) => `\${env:${variable}} at ${pointer}`).join(", ");
  const line = commandLine([
    ...["agentprint", "pin", "--replace", "--name", name],
    ...(named === undefined ? [] : ["--lock", named]),
    ...configs.flatMap((file) => ["--mcp-config", file]),
  ]);
  const reads = `check, approve and guard get it from ${configs.join(", ")}: approve with --mcp-config`;
  return `${reads}. To keep it in a variable, write ${written} there, as the client spells a reference, and run: ${lineAsCalled(context, line)}`;
}
