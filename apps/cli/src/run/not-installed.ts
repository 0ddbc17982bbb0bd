import packageJson from "../../package.json" with { type: "json" };
import { CliError } from "./errors.ts";

const PEERS: Readonly<Record<string, string>> = packageJson.peerDependencies;

/** The name of an optional package with the part of its version in which nothing breaks: `@sigstore/sign@5`. */
function wanted(name: string): string {
  const [, version] = /^\^(0\.\d+|\d+)/.exec(PEERS[name] ?? "") ?? [];
  return version === undefined ? name : `${name}@${version}`;
}

/** The line that installs optional packages where the command is installed. */
export function installLine(packages: readonly string[]): string {
  return `npm install ${packages.map(wanted).join(" ")}`;
}

/** The error of a command that needs optional packages, which npm does not install with it. */
export function notInstalled(
  what: string,
  packages: readonly string[],
  { where, cause, instead = "" }: { readonly where?: string; readonly cause?: unknown; readonly instead?: string } = {},
): CliError {
  return new CliError("usage", `${what} cannot be loaded`, {
    ...(where !== undefined && { where }),
    expected: `${packages.join(", ")}: optional peers of agentprint`,
    fix: `install them where agentprint is, with --global where it is global: ${installLine(packages)}${instead}`,
    ...(cause !== undefined && { cause }),
  });
}
