import {
  type NamedInput,
  type ServerArgument,
  ServerJsonShape,
  type ServerPackage,
  type ServerRemote,
} from "./shapes.ts";

/** The launch of a published server, with the names of its variables and headers but without their values. */
export type PublishedLaunch =
  | { readonly type: "stdio"; readonly command: string; readonly args: string[]; readonly env: string[] }
  | { readonly type: "http"; readonly url: string; readonly headers: string[] };

/** A way to a server that its `server.json` names. */
export interface WayToServer {
  /** The package or the URL, as shown to a person. It may contain any text. */
  readonly words: string;
  /** The launch, or the reason why a person has to write the launch. */
  readonly launch: PublishedLaunch | { readonly reason: string };
}

/** How packages of one kind are run. */
interface Runner {
  readonly hint: string;
  readonly name: RegExp;
  /** The only registry from which the runner fetches by default; absent if the name includes the registry. */
  readonly base?: string;
  readonly words: (name: string, version: string, env: readonly string[]) => string[];
}

const RUNNERS: ReadonlyMap<string, Runner> = new Map([
  [
    "npm",
    {
      hint: "npx",
      name: /^(@[a-z\d~][\w.~-]*\/)?[a-z\d~][\w.~-]*$/i,
      base: "https://registry.npmjs.org",
      words: (name, version) => ["npx", "-y", `${name}@${version}`],
    },
  ],
  [
    "pypi",
    {
      hint: "uvx",
      name: /^[a-z\d]([\w.-]*[a-z\d])?$/i,
      base: "https://pypi.org",
      words: (name, version) => ["uvx", `${name}@${version}`],
    },
  ],
  [
    "oci",
    {
      hint: "docker",
      name: /^[a-z\d][\w.-]*(:\d+)?(\/[\w.-]+)+$/i,
      words: (name, version, env) => [
        "docker",
        ...["run", "-i", "--rm"],
        ...env.flatMap((each) => ["-e", each]),
        `${name}:${version}`,
      ],
    },
  ],
]);

const EXACT = /^v?\d[\w.+!-]*$/;
const VARIABLE = /^[A-Za-z_]\w*$/;
const HEADER = /^[!#$%&'*+.^`|~\w-]+$/;
const TEMPLATE = /\{[^{}]*\}/;

/** Thrown for an input that only a person can provide. */
class MissingInput extends Error {}

/**
 * Returns the ways to a server in the order of its `server.json`, packages first; `undefined` if the value is not a
 * `server.json`. If an input without a value is required, if the runner needs options, or if packages come from another
 * registry, a person has to write the launch.
 *
 * @param value The parsed document
 */
export function waysToServer(value: unknown): readonly WayToServer[] | undefined {
  const read = ServerJsonShape.safeParse(value).data;
  return read && [...(read.packages ?? []).map(wayOfPackage), ...(read.remotes ?? []).map(wayOfRemote)];
}

function wayOfPackage(given: ServerPackage): WayToServer {
  const { registryType, packageArguments = [], environmentVariables } = given;
  const [, name = "", tag] = /^(.*?)(?::([^:/]+))?$/s.exec(given.identifier) ?? [];
  const version = given.version ?? (registryType === "oci" ? tag : undefined) ?? "";
  const words = `${registryType} ${name} ${version}`.trim();
  const runner = RUNNERS.get(registryType);
  const env = requiredNames(environmentVariables);
  const reason =
    runner === undefined ? `packages from ${registryType} are not run` : objectionTo(given, runner, name, version);
  if (runner === undefined || reason !== undefined) return { words, launch: { reason: reason ?? "" } };
  if (!env.every((each) => VARIABLE.test(each)))
    return { words, launch: { reason: "the name of a variable is invalid" } };
  try {
    const [command = "", ...args] = runner.words(name, version, env);
    return { words, launch: { type: "stdio", command, args: [...args, ...packageArguments.flatMap(wordsOf)], env } };
  } catch (error) {
    if (!(error instanceof MissingInput)) throw error;
    return { words, launch: { reason: error.message } };
  }
}

/** Returns why the runner would start something other than what the document describes. */
function objectionTo(given: ServerPackage, runner: Runner, name: string, version: string): string | undefined {
  const { registryBaseUrl: base, runtimeHint, runtimeArguments = [], transport } = given;
  if (!runner.name.test(name)) return "the name of the package is invalid";
  if (!EXACT.test(version)) return "it names no exact version";
  if (runner.base !== undefined && base !== undefined && base.replace(/\/$/, "") !== runner.base)
    return `it is in another registry: ${base}`;
  if (runtimeHint !== undefined && runtimeHint !== runner.hint) return `it is run by ${runtimeHint}`;
  if (runtimeArguments.length > 0) return `it has options for ${runner.hint} that a person has to review`;
  return transport.type === "stdio" ? undefined : `it answers over ${transport.type}`;
}

function wayOfRemote({ type, url, headers }: ServerRemote): WayToServer {
  const words = `${type} ${url}`;
  const names = requiredNames(headers);
  const reason =
    type !== "streamable-http" && type !== "sse"
      ? "its transport is not known"
      : TEMPLATE.test(url)
        ? "a person has to fill in the address"
        : !URL.canParse(url) || new URL(url).protocol !== "https:"
          ? "the address is not https"
          : names.every((each) => HEADER.test(each))
            ? undefined
            : "the name of a header is invalid";
  return { words, launch: reason === undefined ? { type: "http", url, headers: names } : { reason } };
}

/** Returns the names of required inputs; optional inputs are omitted. */
function requiredNames(inputs: readonly NamedInput[] = []): string[] {
  return inputs.filter(({ isRequired, value }) => isRequired === true || value !== undefined).map(({ name }) => name);
}

/** Returns the words of an argument; none if it can be omitted. @throws {@link MissingInput} */
function wordsOf(argument: ServerArgument): string[] {
  const { value, default: fallback, isRequired, isSecret } = argument;
  const name = argument.type === "named" ? argument.name : (argument.valueHint ?? "an argument");
  const said = value ?? fallback;
  if (said === undefined && isRequired !== true) return [];
  if (said === undefined || isSecret === true || TEMPLATE.test(said))
    throw new MissingInput(`a person has to provide ${name}`);
  return argument.type === "named" ? [name, said] : [said];
}
