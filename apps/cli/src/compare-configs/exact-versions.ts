import { type Launch, type LaunchedPackage, withPinnedVersion } from "@agentprint/launch";
import { redactLaunch } from "@agentprint/launch/redact";
import { escapeText } from "@agentprint/report";
import { surroundingsOf } from "../artifacts/surroundings-of.ts";
import type { PlannedFile } from "../files/planned-file.ts";
import type { EditablePlace } from "../launch/editable-place.ts";
import { floatingPackage } from "../launch/floating-package.ts";
import type { ServerTarget } from "../launch/server-target.ts";
import { launchInWords } from "../lock/entry-summary.ts";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import { canAsk } from "../terminal/ask.ts";
import { confirm } from "../terminal/confirm.ts";
import { printNotices } from "../terminal/notices.ts";
import { printError } from "../terminal/report-error.ts";
import { EditedConfigs } from "./edited-configs.ts";

/** A server, and the entries of configurations that launch it. */
export interface PlacedServer {
  readonly name: string;
  readonly target: ServerTarget;
  readonly places: readonly EditablePlace[];
}

/** Servers whose launches name exact versions, and the configurations in which these have to be written. */
export interface ExactVersions<Server> {
  readonly servers: readonly Server[];
  readonly files: readonly PlannedFile[];
  /** The number of versions that could not be resolved. */
  readonly failed: number;
}

/**
 * Offers to write exact versions into the launches that fetch the newest version; if the answer is yes, asks the
 * registry for the versions.
 *
 * @param options With `pinVersions`, the answer is yes; with `yes`, nothing is asked, and the answer is no
 */
export async function exactVersions<Server extends PlacedServer>(
  context: Context,
  servers: readonly Server[],
  { pinVersions: isAgreed, yes: isUnasked }: { readonly pinVersions: boolean; readonly yes: boolean },
): Promise<ExactVersions<Server>> {
  const floating = servers.filter(({ target }) => floatingPackage(target.launch) !== undefined);
  const unchanged = { servers, files: [], failed: 0 };
  if (floating.length === 0) return unchanged;
  const names = floating.map(({ name }) => name).join(", ");
  const found = `The launch of ${names} takes the newest version, whatever it is`;
  if (!isAgreed && !isUnasked && !canAsk(context))
    printNotices(context, [`${found}; --pin-versions writes exact ones`]);
  const question = `${found}. Ask the registry for exact versions, and write them into lock and configurations?`;
  if (!isAgreed && (isUnasked || !(await confirm(context, question, false)))) return unchanged;
  const pinning = new VersionPinning(context);
  const pinned = [];
  for (const server of servers) pinned.push(floating.includes(server) ? await pinning.pin(server) : server);
  return { servers: pinned, files: pinning.files(), failed: pinning.failed };
}

function inWords(launch: Launch): string {
  return launchInWords({ launch: redactLaunch(launch) });
}

class VersionPinning {
  readonly #context: Context;
  readonly #configs: EditedConfigs;
  failed = 0;

  constructor(context: Context) {
    this.#context = context;
    this.#configs = new EditedConfigs(context);
  }

  files(): PlannedFile[] {
    return this.#configs.files();
  }

  /** Returns the server with an exact version; the unchanged server if the version cannot be resolved. */
  async pin<Server extends PlacedServer>(server: Server): Promise<Server> {
    const { target, places, name } = server;
    const launched = floatingPackage(target.launch);
    if (launched === undefined || target.launch.type === "http") return server;
    try {
      const launch = withPinnedVersion(target.launch, await resolvedVersion(this.#context, launched));
      if (launch === undefined || launch.type === "http") return server;
      const argument = Number(launched.pointer.split("/").at(-1));
      const [before = "", after = ""] = [target.launch.args[argument], launch.args[argument]];
      const shown = [`-${name}: ${inWords(target.launch)}`, `+${name}: ${inWords(launch)}`];
      await this.#configs.replaceWords(places, [{ pointer: launched.pointer, before, after }], shown);
      this.#context.stderr.write(`${escapeText(name)}: ${inWords(launch)}\n`);
      return { ...server, target: { ...target, launch } };
    } catch (error) {
      this.failed++;
      printError(this.#context, error, name);
      return server;
    }
  }
}

/** @throws {@link CliError} `unreadable-input` when the registry does not give the version */
async function resolvedVersion(context: Context, launched: LaunchedPackage): Promise<string> {
  const { ArtifactError, resolveVersion } = await import("@agentprint/artifacts");
  try {
    return await resolveVersion(launched, surroundingsOf(context));
  } catch (error) {
    if (!(error instanceof ArtifactError)) throw error;
    throw new CliError("unreadable-input", error.message, {
      expected: "a registry that names the version to npm or uv, or the image's registry",
      fix: "write an exact version, or the digest of the image, by hand",
      cause: error,
    });
  }
}
