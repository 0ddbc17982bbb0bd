import { judgePolicy } from "../base-commit/judge-policy.ts";
import type { Base } from "../base-commit/read-base.ts";
import type { Agreement } from "../compare-configs/compare-configs.ts";
import type { LockAndSettings } from "../compare-configs/project-folder.ts";
import { readLock } from "../lock/read-lock.ts";
import { type VisitOptions, withVisits } from "../options/visit-options.ts";
import { checkPolicy, readPolicy } from "../policy/read-policy.ts";
import type { Context } from "../run/context.ts";
import type { Project } from "../sources/source.ts";
import type { CheckRequest } from "./check-request.ts";

/** A project that is checked. */
export interface CheckedProject extends Project {
  /** The bytes of the lock file. */
  readonly lockText: Uint8Array;
  /** How the project's servers are visited. */
  readonly visits: VisitSettings;
}

type VisitSettings = Omit<VisitOptions, "env" | "header" | "as" | "capabilities">;

/** Reads the lock, the policy, the base and the configurations of a project. */
export async function readProject(context: Context, request: CheckRequest): Promise<CheckedProject> {
  const { servers, launched, config, maxAge } = request;
  const { lock: file, mcpConfig } = request.launch;
  const place = { lock: file, config };
  const { lock, text: lockText } = await readLock(context, file);
  const configured = await readPolicy(context, place);
  const present = await checkPolicy(configured, lock);
  const base = await baseOf(context, request);
  const judgement = await judgePolicy(present, lock, base, place);
  const agreement = await agreementOf(context, [{ lock, settings: configured.settings }, base], request);
  return {
    context,
    file,
    lock,
    lockText,
    before: base?.lock,
    scope: servers.length === 0 && launched.length === 0 ? "project" : "servers",
    names: servers,
    judgement,
    base,
    agreement,
    hasOwnConfigs: mcpConfig.length === 0,
    maxAge,
    visits: withVisits(context, {}, (base ?? configured).settings.visits),
  };
}

function baseOf(context: Context, { base, config, launch: { lock } }: CheckRequest): Promise<Base | undefined> {
  if (base === undefined) return Promise.resolve(undefined);
  return import("../base-commit/read-base.ts").then(({ readBase }) => readBase(context, base, { config, lock }));
}

/**
 * Returns how the configurations agree with the lock; `undefined` without configurations, or if the command line names
 * a launch.
 */
async function agreementOf(
  context: Context,
  [project, base]: readonly [LockAndSettings & Pick<Project, "lock">, Base | undefined],
  {
    servers: names,
    launched,
    allowChangedLaunch: mayStart,
    launch: { lock: file, mcpConfig: configs, url, env, header },
  }: CheckRequest,
): Promise<Agreement | undefined> {
  if (configs.length === 0 && (launched.length > 0 || url !== undefined)) return undefined;
  const { hasProjectConfig, inFolderOf, otherConfigs } = await import("../compare-configs/project-folder.ts");
  const others = otherConfigs(context, file, project, base);
  if (configs.length === 0 && !(await hasProjectConfig(inFolderOf(context, file), others))) return undefined;
  // Loading the readers of all client formats takes longer than a complete check without them.
  const { compareConfigs } = await import("../compare-configs/compare-configs.ts");
  const compared = { file, configs, names, others, ofBase: base?.lock, added: { env, header }, mayStart };
  return compareConfigs(context, project.lock, compared);
}
