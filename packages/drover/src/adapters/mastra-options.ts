import type { PathSegment } from "@agentprint/canonical-json";
import { messageOf } from "../errors.ts";
import { classOf, type Description } from "./description.ts";

type Path = readonly PathSegment[];
type Readable = { readonly [name: PropertyKey]: unknown };

/** The options that an agent exposes, each with the agent's function that returns it. */
const READERS: readonly (readonly [option: string, method: string])[] = [
  ["backgroundTasks", "getBackgroundTasksConfig"],
  ["channels", "getChannels"],
  ["defaultGenerateOptionsLegacy", "getDefaultGenerateOptionsLegacy"],
  ["defaultNetworkOptions", "getDefaultNetworkOptions"],
  ["defaultStreamOptionsLegacy", "getDefaultStreamOptionsLegacy"],
  ["editor", "__getEditorConfig"],
  ["goal", "__getGoalConfig"],
  ["hooks", "getConfiguredToolHooks"],
  ["metadata", "getMetadata"],
  ["schedules", "getDeclaredSchedules"],
  ["scorers", "listScorers"],
  ["transform", "getToolPayloadTransform"],
  ["workspace", "getWorkspace"],
];

/** The options that an agent keeps private, each with the reason why the rest of its spec does not show it. */
const KEPT: readonly (readonly [option: string, message: string])[] = [
  ["maxProcessorRetries", "an agent does not expose it"],
  ["mastra", "an agent's Mastra instance is not hashed, including its storage, gateways and agents"],
  ["notifications", "an agent does not expose them"],
  ["options", "an agent does not expose them"],
  ["pubsub", "an agent does not expose it"],
  ["rawConfig", "only the result that the agent resolves from its stored form is hashed, not that form"],
  ["signals", "of signal providers, only the tools and processors that they add are hashed"],
  ["skills", "neither the skills of an agent nor their files are hashed"],
  ["skillsFormat", "an agent does not expose it"],
  ["voice", "a voice is not hashed"],
];

const UNKNOWN = "an option with another name, which an agent keeps private, is not hashed";

/**
 * The getters that are not read: `agent` returns the agent itself, `voice` logs an error for some agents, and loggers
 * define nothing.
 */
const UNREAD: ReadonlySet<string> = new Set(["agent", "guardrailLogger", "voice"]);

/** An agent's own members that the spec contains elsewhere or that do not define the agent. */
const PLACED: readonly string[] = ["id", "name", "model", "maxRetries", "component", "logger"];

/** The own members that every agent has. They are omitted if they have these values. */
const DEFAULTS: Readable = { source: "code", _agentNetworkAppend: false };

/** The functions of an agent whose results are described. */
const CALLED: readonly string[] = [
  "getDescription",
  "getInstructions",
  "getModel",
  "getModelList",
  "getDefaultOptions",
  "getConfiguredProcessorIds",
  "getMemory",
  "listConfiguredInputProcessors",
  "listConfiguredOutputProcessors",
  "listErrorProcessors",
  "listTools",
  "listAgents",
  "listWorkflows",
  ...READERS.map(([, method]) => method),
];

/**
 * Returns the options of a Mastra agent that have no separate field in the spec: the results of its functions and
 * getters, and its own members. Options that are not set are omitted. Each option that cannot be read is noted.
 */
export async function describeOptions(
  agent: object,
  path: Path,
  resolution: object,
  description: Description,
): Promise<Record<string, unknown>> {
  const described: Record<string, unknown> = describeOwnMembers(agent, path, description);
  for (const [option, method] of READERS) {
    const read = (agent as Readable)[method];
    if (typeof read !== "function") {
      description.note([...path, option], `the agent has no function ${method}, which would return it`);
      continue;
    }
    await add(described, option, path, description, () => read.call(agent, resolution));
  }
  for (const name of getterNames(agent)) {
    await add(described, name, path, description, () => (agent as Readable)[name]);
  }
  for (const [option, message] of KEPT) description.note([...path, option], message);
  description.note(path, UNKNOWN);
  return described;
}

/** Adds the description of an option that is set. An option that throws when it is read is noted. */
async function add(
  described: Record<string, unknown>,
  option: string,
  path: Path,
  description: Description,
  read: () => unknown,
): Promise<void> {
  const place = [...path, option];
  try {
    const value = await read();
    if (!isSet(value)) return;
    described[option] =
      option === "workspace"
        ? describeWorkspace(value as Readable, place, description)
        : description.value(value, place);
  } catch (error) {
    description.note(place, `it could not be read, so it is not hashed: ${messageOf(error)}`);
  }
}

function isSet(value: unknown): boolean {
  if (value === undefined || value === null) return false;
  return typeof value !== "object" || Object.getPrototypeOf(value) !== (Array.isArray(value) ? Array : Object).prototype
    ? true
    : Reflect.ownKeys(value).some((key) => key !== "length");
}

function describeOwnMembers(agent: object, path: Path, description: Description): Record<string, unknown> {
  const unchanged = Object.keys(DEFAULTS).filter((name) => (agent as Readable)[name] === DEFAULTS[name]);
  return description.object(agent, path, [...PLACED, ...CALLED, ...unchanged]);
}

/**
 * Returns the names of the getters in an agent's classes, except for names that begin with `_`, which only the
 * framework uses.
 */
function getterNames(agent: object): string[] {
  const names = new Set<string>();
  for (let level = Object.getPrototypeOf(agent); level !== null; level = Object.getPrototypeOf(level)) {
    for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(level))) {
      if (get !== undefined && !name.startsWith("_") && !UNREAD.has(name)) names.add(name);
    }
  }
  return [...names].sort();
}

/** The members of a file system or sandbox that define what an agent can access through it. */
const REACH: readonly string[] = ["provider", "basePath", "readOnly", "contained", "allowedPaths", "workingDirectory"];

function describeWorkspace(workspace: Readable, path: Path, description: Description): object {
  description.note(
    path,
    "only a workspace's class, tools and accessible folders are hashed: not its files, other settings or code",
  );
  const { getToolsConfig } = workspace;
  const tools = typeof getToolsConfig === "function" ? getToolsConfig.call(workspace) : undefined;
  return {
    class: classOf(workspace),
    tools: description.value(tools, [...path, "tools"]),
    filesystem: describeReach(workspace["filesystem"], [...path, "filesystem"], description),
    sandbox: describeReach(workspace["sandbox"], [...path, "sandbox"], description),
  };
}

function describeReach(part: unknown, path: Path, description: Description): unknown {
  if (typeof part !== "object" || part === null) return part;
  const members = REACH.map((name) => [name, description.value((part as Readable)[name], [...path, name])]);
  const { mounts } = part as Readable;
  const mounted = mounts instanceof Map ? [...mounts] : [];
  return {
    class: classOf(part),
    ...Object.fromEntries(members),
    ...(mounted.length > 0 && {
      mounts: Object.fromEntries(
        mounted.map(([place, mount]) => [
          String(place),
          describeReach(mount, [...path, "mounts", String(place)], description),
        ]),
      ),
    }),
  };
}
