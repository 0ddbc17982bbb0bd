import { parseJson, printable } from "@agentprint/canonical-json";
import { type PublishedLaunch, waysToServer } from "@agentprint/client-configs/server-json";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import { printNotices } from "../terminal/notices.ts";
import { readAddress } from "./read-address.ts";

/** The variable with the address of a different server registry. */
const REGISTRY = "AGENTPRINT_MCP_REGISTRY";
const OFFICIAL = "https://registry.modelcontextprotocol.io";

/** A name in the registry, and a version after `@`. */
const NAME = /^([A-Za-z\d.-]{1,200}\/[\w.-]{1,200})(?:@([\w.+-]{1,255}))?$/;

/**
 * Returns the launch of a server from its `server.json` in the MCP registry: the launch of the first package or address
 * in it that needs no person. A notice names the choice, and the alternatives.
 *
 * @param named The name in the registry, with `@<version>` or for the latest version
 * @throws {@link CliError} `usage` if the name is not valid, or only a person can write the launch; `registry-failed`
 */
export async function publishedServer(context: Context, named: string): Promise<PublishedLaunch> {
  const [, name, version = "latest"] = NAME.exec(named) ?? [];
  if (name === undefined) {
    const expected = "a name such as io.github.example/files, with or without @<version>";
    throw new CliError("usage", `${named} is not a name in the registry`, { where: "--registry", expected });
  }
  const base = (context.env[REGISTRY] || OFFICIAL).replace(/\/$/, "");
  const address = `${base}/v0.1/servers/${encodeURIComponent(name)}/versions/${encodeURIComponent(version)}`;
  const { server } = (await read(context, address)) as { server?: { name?: unknown } };
  const ways = server?.name === name ? waysToServer(server) : undefined;
  if (ways === undefined) {
    throw new CliError("registry-failed", `the registry has no server.json for ${name}`, { where: address });
  }
  const taken = ways.find(({ launch }) => !("reason" in launch));
  const others = ways.filter((way) => way !== taken);
  const reasons = others.map(({ words, launch }) => `${words}${"reason" in launch ? `: ${launch.reason}` : ""}`);
  if (taken === undefined || "reason" in taken.launch) {
    throw new CliError("usage", `${named} cannot be pinned by its name alone`, {
      where: address,
      expected: printable(reasons.join("; ") || "a package or an address", 1000),
      fix: "write the launch by hand: agentprint pin -- <command>, or --url <url>",
    });
  }
  const also = reasons.length === 0 ? "" : `; not taken: ${reasons.join("; ")}`;
  printNotices(context, [printable(`${named} is ${taken.words}${also}`, 1000)]);
  return taken.launch;
}

async function read(context: Context, address: string): Promise<unknown> {
  if (!URL.canParse(address)) {
    throw new CliError("usage", "the address of the registry is not valid", { where: REGISTRY, expected: OFFICIAL });
  }
  try {
    const value = parseJson(await readAddress(context, address));
    return typeof value === "object" && value !== null ? value : {};
  } catch (error) {
    const reason = printable(error instanceof Error ? error.message : "", 300);
    throw new CliError("registry-failed", `the registry could not be read: ${reason}`, {
      where: address,
      cause: error,
    });
  }
}
