import { toPointer } from "@agentprint/canonical-json";
import { checkArgument, checkLaunch } from "./check-argument.ts";
import type { Launch } from "./launch.ts";
import type { LaunchedPackage, Launcher } from "./launcher.ts";
import { readLaunch } from "./read-launch.ts";
import type { FoundPackage } from "./reader.ts";

/**
 * Returns a launch's target: the package that it fetches and how exactly it names the version, a program on the machine
 * (`local`), a server at an address (`remote`), or `unknown` if the launch's form is not recognized.
 *
 * Reads `npx`, `npm exec`, `pnpx`, `pnpm dlx`, `yarn dlx`, `bunx`, `bun x`, `uvx`, `uv tool run`, `pipx run`, `run` of
 * docker, podman and nerdctl, and `deno run npm:…`, each with its options in any order, alone or after `env`,
 * `timeout`, `cmd /c`, `sh -c` and similar programs.
 *
 * @example
 * ```ts
 * import { readLauncher } from "@agentprint/launch";
 *
 * const launcher = readLauncher({ type: "stdio", command: "npx", args: ["-y", "my-server@^1.2.0"], env: [] });
 * console.log(launcher.kind === "npm" && `${launcher.package}: ${launcher.version}`); // my-server: range
 * ```
 */
export function readLauncher(launch: Launch): Launcher {
  checkLaunch("launch", launch);
  if (launch.type === "http") return { kind: "remote" };
  const found = findSpecifier(launch);
  if (!("specifier" in found)) return found;
  const { runner, word, specifier } = found;
  const { kind, package: name, version, versionText } = specifier;
  const pointer = toPointer(["args", word.argument]);
  const launched: LaunchedPackage = { kind, runner, package: name, version, pointer };
  return versionText === undefined ? launched : { ...launched, versionText };
}

/**
 * Returns the launch with an exact version of the package that it fetches: `@1.2.3` for npm, `==1.2.3` for Python,
 * `@sha256:…` for an image. Returns `undefined` if the launch fetches no package or the version cannot be written into
 * it.
 *
 * @param version - A version such as `1.2.3`, or an image's digest.
 * @example
 * ```ts
 * import { withPinnedVersion } from "@agentprint/launch";
 *
 * const launch = { type: "stdio", command: "uvx", args: ["my-server"], env: [] } as const;
 * const pinned = withPinnedVersion({ ...launch, args: [...launch.args], env: [] }, "1.2.3");
 * console.log(pinned?.type === "stdio" && pinned.args); // [ 'my-server==1.2.3' ]
 * ```
 */
export function withPinnedVersion(launch: Launch, version: string): Launch | undefined {
  checkLaunch("launch", launch);
  checkArgument("version", version, "string");
  if (launch.type === "http" || !/^[\w.!+:-]+$/.test(version)) return undefined;
  const found = findSpecifier(launch);
  if (!("specifier" in found)) return undefined;
  const { word, specifier } = found;
  const argument = launch.args[word.argument];
  if (specifier.pin === undefined || argument === undefined || word.isUnquoted) return undefined;
  const [start, end] = specifier.range.map((index) => word.start + index);
  const pinned = argument.slice(0, start) + specifier.pin(version) + argument.slice(end);
  return { ...launch, args: launch.args.with(word.argument, pinned) };
}

function findSpecifier(
  launch: Extract<Launch, { type: "stdio" }>,
): FoundPackage | Extract<Launcher, { kind: "local" | "unknown" }> {
  const { packages, gap } = readLaunch(launch);
  // If there are several packages, the first one without an exact version decides.
  const found = packages.find(({ specifier }) => specifier.version !== "exact") ?? packages[0];
  if (found !== undefined) return found;
  return gap?.unread === undefined ? { kind: "local" } : { kind: "unknown", runner: gap.unread };
}
