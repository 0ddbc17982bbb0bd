import type { Finding } from "@agentprint/findings";
import { redactLaunch } from "@agentprint/launch/redact";
import type { LockedServer, LockFile } from "@agentprint/mcp-lock/lock";
import type { OtherConfigs } from "../clients/config-sources.ts";
import { lineOfWords } from "../clients/entry-line.ts";
import type { ServerTarget } from "../launch/server-target.ts";
import { launchInWords } from "../lock/entry-summary.ts";
import type { Context } from "../run/context.ts";
import type { ExplainedError } from "../run/errors.ts";
import { type Beside, commandFindings, commandsOfConfig, commandsOfServer } from "./commands-beside.ts";
import { type ConfiguredServer, configuredServers } from "./configured-server.ts";
import { inFolderOf } from "./project-folder.ts";
import { type AddedNames, hasValues, isLockedLaunch, otherWords, pinnedWithValues, withNames } from "./same-launch.ts";

/** The agreement between the configurations of a project and a lock. */
export interface Agreement {
  readonly findings: readonly Finding[];
  /** The servers that a configuration launches as the lock does, by their names in the lock. */
  readonly same: ReadonlyMap<string, ServerTarget>;
  /** The servers that a configuration launches differently. */
  readonly other: ReadonlyMap<string, ServerTarget>;
  /** The servers that the lock lacks, by their names in the configurations. */
  readonly unpinned: ReadonlyMap<string, ServerTarget>;
  /** The servers that every entry starts through a guard, by their names in the lock. */
  readonly guarded: ReadonlySet<string>;
}

type Targets = Map<string, ServerTarget>;

/** The lock and the configurations to compare. */
interface ComparedConfigs {
  /** The path of the lock. */
  readonly file: string;
  /** The configurations; if the list is empty, those of the project. */
  readonly configs: readonly string[];
  /** The names of the servers to compare; if the list is empty, all. */
  readonly names: readonly string[];
  /** The configurations of other folders that belong to the project. */
  readonly others: OtherConfigs;
  /** The base's lock, so that a change cannot hide that `init` made the lock. */
  readonly ofBase?: LockFile | undefined;
  /** The names of variables and headers that the command line adds to each launch. */
  readonly added?: AddedNames;
  /** Whether launches that differ from the lock are started. */
  readonly mayStart?: boolean;
}

/** Compares what the configurations of a project launch with the lock. */
export async function compareConfigs(
  context: Context,
  lock: LockFile,
  { file, configs, names, others, ofBase, added, mayStart = false }: ComparedConfigs,
): Promise<Agreement> {
  const read = await configuredServers(context, file, configs, others);
  const { servers, problems } = read;
  const [same, other, unpinned] = [new Map(), new Map(), new Map()] as [Targets, Targets, Targets];
  const [off, otherOff] = [new Map(), new Map()] as [Targets, Targets];
  const isAbout = (name: string): boolean => names.length === 0 || names.includes(name);
  const findings: Finding[] = problems.map(couldNotRead);
  const configured = new Set(servers.map(({ name }) => name));
  const [found, open] = [new Set<string>(), new Set<string>()];
  const isOfInit = [lock, ofBase].some((each) => each?.madeBy === "init");
  const commands: Beside[] = [];
  for (const server of servers) {
    const { entry, isSame } = matchServer(lock, server, { configured, added });
    const name = entry?.name ?? server.name;
    found.add(name);
    if (server.place.guardedAs === undefined || !isSame) open.add(name);
    if (!isAbout(name)) continue;
    commands.push(...commandsOfServer(server, name));
    const known = isSame ? same : entry ? other : unpinned;
    const target = { ...server.target, name };
    if (server.place.off === undefined) {
      if (!known.has(name)) known.set(name, target);
    } else if (entry) {
      // A disabled entry is compared but not started; the pinned launch is started, with the values of the entry if it
      // has any.
      if (isSame) off.set(name, off.get(name) ?? target);
      else otherOff.set(name, otherOff.get(name) ?? pinnedWithValues(context, entry, target));
    }
    if (entry && isSame) findings.push(...renamed(lock, server, servers, name));
    if (entry === undefined) findings.push(notPinned(server, isOfInit ? "error" : "warning"));
    else if (!isSame) findings.push(launchChanged(server, entry));
  }
  const isOn = (name: string): boolean => same.has(name) || other.has(name);
  for (const [name, target] of off) if (!isOn(name)) same.set(name, target);
  for (const [name, target] of otherOff) if (!isOn(name)) ((await hasValues(target)) ? same : other).set(name, target);
  if (!mayStart) findings.push(...[...other.keys()].filter((name) => same.has(name)).map(notStarted));
  if (names.length === 0) commands.push(...read.configs.flatMap(commandsOfConfig));
  findings.push(...(await commandFindings(inFolderOf(context, file), commands, read.configs)));
  // An unreadable configuration may launch any of these servers.
  if (configs.length === 0 && problems.length === 0)
    findings.push(...gone(lock, found).filter(({ place }) => isAbout(place.server ?? "")));
  const guarded = new Set([...found].filter((name) => !open.has(name) && problems.length === 0));
  return { findings, same, other, unpinned, guarded };
}

function launchChanged({ place, file, compared }: ConfiguredServer, entry: LockedServer): Finding {
  const { name } = entry;
  const note = [place.notGuarded, place.off?.says].filter((each) => each !== undefined).join("; ");
  const line = lineOfWords(place, otherWords(entry.launch, compared.launch));
  return {
    rule: "mcp/config-launch-changed",
    level: "error",
    place: {
      subject: `${name} in ${file}`,
      server: name,
      location: { file, line },
    },
    before: launchInWords(entry),
    after: launchInWords({ launch: redactLaunch(compared.launch) }),
    message: `${file}:${line} launches the server differently than pinned`,
    ...(note !== "" && { note }),
  };
}

/**
 * Returns the finding about the different launch of a server that is started as it was pinned: the comparison does not
 * cover the definitions under that launch.
 */
function notStarted(name: string): Finding {
  return {
    rule: "mcp/could-not-tell",
    level: "error",
    place: { subject: name, server: name },
    message: "could not tell what the launch changes, because it differs from the pinned one and was not started",
    couldNotTell: true,
  };
}

function notPinned({ name, place, file, compared }: ConfiguredServer, level: "error" | "warning"): Finding {
  const { off } = place;
  const line = lineOfWords(place, []);
  return {
    rule: "mcp/not-pinned",
    // The server's own client does not start it, because settings for everyone switch it off.
    ...(off?.startedBy === "others" ? { level: "note" as const, isRemark: true as const } : { level }),
    place: { subject: `${name} in ${file}`, server: name, location: { file, line } },
    after: launchInWords({ launch: redactLaunch(compared.launch) }),
    message: `${file}:${line} has a server that is not pinned`,
    ...(off && { note: off.says }),
  };
}

/** Returns a note if a configuration now launches a pinned server under a different name. */
function renamed(
  { sources = [] }: LockFile,
  { name, config, place, file }: ConfiguredServer,
  servers: readonly ConfiguredServer[],
  server: string,
): Finding[] {
  const here = sources.filter((each) => each.config === config && each.server === server).map(({ entry }) => entry);
  const names = servers.flatMap((each) => (each.config === config ? [each.name] : []));
  const [before] = here.includes(name) ? [] : here.filter((entry) => !names.includes(entry));
  if (before === undefined) return [];
  const line = lineOfWords(place, []);
  return [
    {
      rule: "mcp/config-entry-renamed",
      level: "note",
      place: { subject: `${server} in ${file}`, server, location: { file, line } },
      before,
      after: name,
      message: `${file}:${line} calls the server ${name}; it was pinned as ${before}`,
      isRemark: true,
    },
  ];
}

/** Returns notes on the pinned servers that no configuration launches any more. */
function gone({ servers, sources = [] }: LockFile, found: ReadonlySet<string>): Finding[] {
  return servers.flatMap((entry): Finding[] => {
    const from = sources.filter(({ server }) => server === entry.name).map(({ config }) => config);
    if (from.length === 0 || found.has(entry.name)) return [];
    return [
      {
        rule: "mcp/config-entry-gone",
        level: "note",
        place: { subject: entry.name, server: entry.name },
        before: launchInWords(entry),
        message: `no configuration launches the server any more; it was pinned from ${from.join(", ")}`,
        isRemark: true,
      },
    ];
  });
}

function couldNotRead({ message, details: { where } }: ExplainedError): Finding {
  return {
    rule: "mcp/config-launch-changed",
    level: "error",
    place: { subject: where ?? "configurations" },
    message: `whether it launches what was pinned: ${message}`,
    couldNotTell: true,
  };
}

/** The lock entry of a configured server; absent if the server is not pinned. */
interface Match {
  readonly entry: LockedServer | undefined;
  readonly isSame: boolean;
}

/** The names, other than the server's own, that decide which entry matches it. */
interface Matching {
  /** The names of servers in configurations. */
  readonly configured: ReadonlySet<string>;
  /** The names that the command line adds to each launch. */
  readonly added?: AddedNames | undefined;
}

/**
 * Finds the lock entry of a server by the name in its guard, by the source that was recorded when the server was
 * pinned, or else by its own name, to which `init` may have added the client.
 */
function matchServer(
  { servers, sources = [] }: LockFile,
  server: ConfiguredServer,
  { configured, added = { env: [], header: [] } }: Matching,
): Match {
  const { name, config, client, place, compared } = server;
  const source = sources.find((each) => each.config === config && each.entry === name);
  const known = place.guardedAs ?? source?.server;
  const names = known === undefined ? [...(client ? [`${name}-${client.id}`] : []), name] : [known];
  const named = names.flatMap((each) => servers.find((entry) => entry.name === each) ?? []);
  // A server that was pinned by its command alone may have a name that occurs in no configuration.
  const others = known === undefined ? servers.filter((entry) => !configured.has(entry.name)) : [];
  const candidates = named.length > 0 ? named : others;
  const same = candidates.find(
    (entry) => isLockedLaunch(entry, compared) || isLockedLaunch(entry, withNames(compared, added)),
  );
  return { entry: same ?? named[0], isSame: same !== undefined };
}
