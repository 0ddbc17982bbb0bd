import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A server of the corpus, and the launch of each of its versions. */
interface CorpusServer {
  /** The prefix of the server's aliases in `package.json`, and its name in the lock. */
  readonly name: string;
  readonly package: string;
  /** The arguments of the server's program, which starts in an empty folder. */
  readonly args: readonly string[];
  /** Dummy values for the environment variables without which the server does not start. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether the server's tools can be called, because they need no account, no browser and no network. */
  readonly isOffline?: true;
}

/** A server in one version. */
export interface Release extends CorpusServer {
  readonly alias: string;
  readonly version: string;
}

const SERVERS: readonly Omit<CorpusServer, "package">[] = [
  { name: "filesystem", args: ["."], isOffline: true },
  { name: "everything", args: [], isOffline: true },
  { name: "memory", args: [], isOffline: true },
  { name: "sequential-thinking", args: [], isOffline: true },
  { name: "chrome-devtools", args: [] },
  { name: "azure-devops", args: ["an-organization"] },
  { name: "playwright", args: [] },
  { name: "notion", args: [], env: { NOTION_TOKEN: "no-account" } },
  { name: "context7", args: [] },
  { name: "currents", args: [], env: { CURRENTS_API_KEY: "no-account" } },
];

/** The path of the corpus's folder, with a slash at its end. */
export const CORPUS: URL = new URL("../", import.meta.url);

/** Returns each server's versions in the order in which `package.json` lists them, which is oldest first. */
export function releasesByServer(): readonly (readonly Release[])[] {
  const { dependencies } = JSON.parse(readFileSync(new URL("package.json", CORPUS), "utf8")) as {
    dependencies: Record<string, string>;
  };
  return SERVERS.map((server) =>
    Object.entries(dependencies)
      .filter(([alias]) => alias.startsWith(`${server.name}-`))
      .map(([alias, specifier]) => {
        const version = alias.slice(server.name.length + 1);
        return { ...server, alias, version, package: specifier.slice("npm:".length, -`@${version}`.length) };
      })
      .sort((a, b) => a.version.localeCompare(b.version, "en", { numeric: true })),
  );
}

/** Returns the program that a package provides. */
export function programOf(alias: string): string {
  const root = new URL(`node_modules/${alias}/`, CORPUS);
  const { bin } = JSON.parse(readFileSync(new URL("package.json", root), "utf8")) as {
    bin: string | Record<string, string>;
  };
  return fileURLToPath(new URL(typeof bin === "string" ? bin : (Object.values(bin)[0] as string), root));
}
