import { type Launch, readLauncher } from "@agentprint/launch";
import { credentialsOfUrl } from "@agentprint/mcp-visit/secrets";
import type { LaunchContext } from "./variables.ts";

/**
 * The variables by which a machine reaches the network: its certificates and proxies. Variables that choose the fetched
 * code, such as a registry or an index, are not among them.
 */
export const NETWORK_VARIABLES: readonly string[] = [
  "NODE_EXTRA_CA_CERTS",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "REQUESTS_CA_BUNDLE",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "http_proxy",
  "https_proxy",
  "no_proxy",
];

/**
 * The variables of the environment that a program needs to fetch packages where this machine reaches their registry; none for another
 * launch. No lock names them: they differ from machine to machine.
 */
export function networkVariables({ env, hidden }: LaunchContext, launch: Launch): Record<string, string> {
  const launcher = readLauncher(launch);
  if (!("package" in launcher) || launcher.kind === "image") return {};
  const values = NETWORK_VARIABLES.flatMap((name): [string, string][] => {
    const value = env[name];
    return value === undefined || value === "" ? [] : [[name, value]];
  });
  hidden.hide(values.flatMap(([name, value]) => credentialsOfUrl(`the login of ${name}`, value)));
  return Object.fromEntries(values);
}
