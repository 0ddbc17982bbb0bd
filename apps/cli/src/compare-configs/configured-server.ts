import type { Client } from "@agentprint/client-configs";
import { CLIENTS } from "@agentprint/client-configs/client-table";
import type { OtherConfigs } from "../clients/config-sources.ts";
import { type FoundConfig, type FoundPlace, findServers } from "../clients/find-servers.ts";
import { namesIn } from "../clients/recognize-guard.ts";
import { recognizeGuard } from "../clients/wrapped-state.ts";
import type { ServerTarget } from "../launch/server-target.ts";
import type { Context } from "../run/context.ts";
import type { ExplainedError } from "../run/errors.ts";
import { asUserNames, fromLock, inFolderOf } from "./project-folder.ts";
import type { ComparedLaunch } from "./same-launch.ts";

/** A server that an entry of a project's configuration launches. */
export interface ConfiguredServer {
  /** The server's name in the configuration. */
  readonly name: string;
  /** The configuration, as the user would name it. */
  readonly file: string;
  /** The configuration's path from the folder of the lock, with `/` between folders. */
  readonly config: string;
  readonly client: Client | undefined;
  readonly place: FoundPlace;
  /** The launch behind the guard. */
  readonly compared: ComparedLaunch;
  /** The launch with the values that the client would use. */
  readonly target: ServerTarget;
}

/** The servers that a project configures, and what could not be read. */
export interface ConfiguredServers {
  readonly servers: readonly ConfiguredServer[];
  readonly problems: readonly ExplainedError[];
  readonly configs: readonly FoundConfig[];
}

/** Reads the configurations of the lock's folder and of other folders, or, if files are given, only these. */
export async function configuredServers(
  context: Context,
  lock: string,
  files: readonly string[],
  others: OtherConfigs,
): Promise<ConfiguredServers> {
  const project = files.length > 0 ? context : inFolderOf(context, lock);
  const found = await findServers(project, process.platform, {
    clients: CLIENTS,
    scopes: ["project"],
    files,
    others,
    merge: "client",
    startedBy: ["all", "others"],
    isForEverybody: true,
    // A shared configuration refers to the lock by a path that is valid for only one of its users.
    recognize: await recognizeGuard(context, lock, [], true),
  });
  const servers = found.servers.flatMap(({ target, places }) =>
    places.map((place) => {
      const { client, path } = place;
      const file = asUserNames(context, path);
      const config = fromLock(context, lock, path);
      return {
        name: target.name,
        file,
        config,
        client,
        place,
        compared: comparedOf(project, target),
        target: { ...target, config: file },
      };
    }),
  );
  const configs = found.configs.map((config) => ({ ...config, file: asUserNames(context, config.path) }));
  return { servers, problems: found.problems, configs };
}

/** Returns a launch, with the names in its file of variables added. */
export function comparedOf(project: Context, { envFile, launch }: ServerTarget): ComparedLaunch {
  if (envFile === undefined || launch.type === "http") return { launch, hasMore: false };
  const names = namesIn(project, envFile) ?? [];
  return { launch: { ...launch, env: [...launch.env, ...names] }, hasMore: names.length === 0 };
}
