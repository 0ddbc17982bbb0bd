import { printable } from "@agentprint/canonical-json/text";
import type { VaryingKind, VaryingMember } from "@agentprint/mcp-lock";
import { CliError } from "../run/errors.ts";

/** A member that may vary, as the command line and the configuration write it: `server/tool/search#/description`. */
export interface VaryRule extends Pick<VaryingMember, "kind" | "pointer"> {
  readonly server: string;
  /** The name of the item, or `*` for all items of the kind that have the member; absent for the greeting. */
  readonly name?: string;
  readonly isEach: boolean;
}

const FORM = "<server>/<tool, prompt or resource>/<name>#<pointer>, or <server>/greeting#/instructions";
const RULE = /^([^/#]+)\/(?:(greeting)|(tool|prompt|resource)\/([^/#]+))#(\/.*)$/s;

/**
 * Reads a rule.
 *
 * @throws {@link CliError} `usage` if the text is not such a member
 */
export function readVaryRule(text: string): VaryRule {
  const [, server = "", greeting, kind, name, pointer = ""] = RULE.exec(text) ?? [];
  const [ownServer, ownName, ownPointer] = [server, name ?? "", pointer].map(decoded);
  if (ownServer && ownName !== undefined && ownPointer) {
    return {
      server: ownServer,
      kind: (greeting ?? kind) as VaryingKind,
      ...(name !== undefined && { name: ownName }),
      isEach: name === "*",
      pointer: ownPointer,
    };
  }
  throw new CliError("usage", "a member that should vary is not named", {
    where: printable(text, 200),
    expected: FORM,
    fix: "pass the rule that agentprint pin prints",
  });
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/**
 * Requires that rules of a command line name servers that the command pins.
 *
 * @throws {@link CliError} `usage` if one does not
 */
export function requireServers(vary: readonly string[], targets: readonly { readonly name: string }[]): void {
  const names = targets.map(({ name }) => name);
  const other = vary.find((text) => !names.includes(readVaryRule(text).server));
  if (other === undefined) return;
  throw new CliError("usage", `--vary names ${readVaryRule(other).server}, which this command does not pin`, {
    where: `--vary ${printable(other, 200)}`,
    expected: `a member of ${names.join(", ")}`,
    fix: "give the name of the server before the first slash; --name sets it",
  });
}

/** Writes a rule in ASCII, in the form that {@link readVaryRule} reads. */
export function writeVaryRule(
  server: string,
  { kind, name, pointer }: Omit<VaryingMember, "as">,
  isEach = false,
): string {
  const item = isEach ? "/*" : name === undefined ? "" : `/${encodeName(name)}`;
  return `${encodeName(server)}/${kind}${item}#${encodeURI(pointer)}`;
}

function encodeName(name: string): string {
  return encodeURIComponent(name).replaceAll("*", "%2A");
}
