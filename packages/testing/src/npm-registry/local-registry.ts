import { execFileSync } from "node:child_process";
import { get, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { type ServiceProcess, startService } from "../service-process.ts";

/** A registry on this machine. */
export interface LocalRegistry {
  readonly url: string;
  /** The registry that serves all other packages. */
  readonly upstream: string;
  /** The variables with which npm and pnpm use the registry, including those of the process. */
  readonly env: NodeJS.ProcessEnv;
  /** The lines of an `.npmrc` with which a folder can publish to the registry. */
  readonly npmrc: string;
  readonly end: ServiceProcess["end"];
}

/** Starts a registry that stores published packages in `folder`. */
export async function startRegistry(folder: string): Promise<LocalRegistry> {
  const upstream = execFileSync("npm", ["config", "get", "registry"], { cwd: tmpdir(), encoding: "utf8" }).trim();
  const { url, end } = await startService({
    words: [fileURLToPath(new URL("serve-registry.ts", import.meta.url)), folder, upstream],
    output: "stdout",
    says: /^The registry answers at (http:\S+)$/,
  });
  // Only a workflow can prove where a package comes from, and the client requires a token although the registry does not.
  const env = { npm_config_registry: url, NPM_CONFIG_PROVENANCE: "false" };
  return { url, upstream, env, npmrc: `registry=${url}\n${url.replace("http:", "")}:_authToken=nobody\n`, end };
}

/**
 * Returns the registry's response. Each request has its own connection: an idle connection would be closed while this
 * process waits for another process.
 */
export async function askRegistry(url: URL): Promise<Buffer> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { agent: false }, resolve).on("error", reject);
  });
  const body = await buffer(response);
  if (response.statusCode === 200) return body;
  throw new Error(`${url.pathname}: expected it in the registry, received ${response.statusCode}`);
}
