// Asks npm, PyPI, crates.io and the Go proxy whether our names are free or ours: `pnpm --filter scripts names`. Exit 1:
// a check failed, or could not be made.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { publicPackages, REPOSITORY } from "../packed-packages.ts";
import { goModuleOf, readRepository } from "../publisher.ts";
import { readSecurityContact } from "../security-contact.ts";
import { type Run, runIn } from "./project.ts";

/** The owner of a name: nobody, the publisher's repository, or someone else. */
type Owner = "free" | "ours" | "taken";

/** Returns whether a registry's answer about a name shows the repository. */
function ownerOf(said: string, repository: string | undefined): Owner {
  return repository !== undefined && said.includes(repository) ? "ours" : "taken";
}

/** The name under which the crate, the distribution and the Go module are published. */
const PORT = "agentprint";

/**
 * Each function returns the output of a registry's own client about a name; `undefined` if the registry does not have
 * the name. Throws if the client fails.
 */
const LOOK_UPS: Readonly<Record<string, (run: Run, name: string, folder: string) => string | undefined>> = {
  npm(run, name) {
    const said = run("npm", ["view", name, "--json"], { code: "any" }).stdout;
    const { error } = JSON.parse(said) as { error?: { code: string; summary: string } };
    if (error && error.code !== "E404") throw new Error(error.summary);
    return error ? undefined : said;
  },
  PyPI(run, name, folder) {
    const words = [
      "-m",
      "pip",
      "install",
      "--quiet",
      "--no-deps",
      "--disable-pip-version-check",
      "--target",
      folder,
      name,
    ];
    const { stderr } = run("python3", words, { code: "any" });
    const unreachable = /^.*(?:Retrying|Connection broken|timed out).*$/m.exec(stderr); // pip then says, too, that there is none
    if (unreachable) throw new Error(unreachable[0]);
    if (/No matching distribution found/.test(stderr)) return undefined;
    if (stderr.includes("ERROR")) throw new Error(stderr);
    return run("python3", ["-m", "pip", "inspect", "--path", folder]).stdout;
  },
  "crates.io"(run, name) {
    const { stdout, stderr } = run("cargo", ["info", "--quiet", name], { code: "any" });
    if (/could not find/.test(stderr)) return undefined;
    if (stderr.includes("error:")) throw new Error(stderr);
    return stdout;
  },
  Go(run, name) {
    const { stdout, stderr } = run("go", ["list", "-m", "-versions", "-json", `${name}@latest`], { code: "any" });
    if (/not found|404|410/.test(stderr)) return undefined;
    if (stdout === "") throw new Error(stderr);
    return stdout;
  },
};

/** Throws if there is no security contact: SECURITY.md then names a form that not every host has. */
function requireSecurityContact(setting: string): string {
  const contact = readSecurityContact(setting);
  if (contact !== undefined) return contact;
  throw new Error(
    'package.json: "publisher.security" is not filled in: expected "<name>@<domain>" or the https: URL of a form, such as "https://<host>/<owner>/<name>/security/advisories/new", where vulnerabilities are reported',
  );
}

/**
 * Asks each registry whether our names are free or ours, and reports the publisher's missing settings. Returns whether
 * all is well.
 */
export function checkOnline(): boolean {
  const folder = mkdtempSync(join(tmpdir(), "online-"));
  const run = runIn(folder, {});
  let isFine = true;
  const tell = (fine: boolean, text: string): void => {
    isFine &&= fine;
    console.log(`${fine ? "ok" : "NOT YET"}: ${text}`);
  };
  const setting = readFileSync(join(REPOSITORY, "package.json"), "utf8");
  const read = (what: string, of: (setting: string) => string): string | undefined => {
    try {
      const value = of(setting);
      tell(true, `${what} ${value}`);
      return value;
    } catch (error) {
      tell(false, (error as Error).message);
      return undefined;
    }
  };
  const repository = read("published from", readRepository);
  read("vulnerabilities are reported to", requireSecurityContact);
  const goModule = repository === undefined ? [] : [["Go", goModuleOf(repository)] as const];
  const names = [
    ...Array.from(publicPackages().keys(), (name) => ["npm", name] as const),
    ["PyPI", PORT] as const,
    ["crates.io", PORT] as const,
  ];
  for (const [registry, name] of [...names, ...goModule]) {
    try {
      const said = LOOK_UPS[registry]?.(run, name, folder);
      const owner = said === undefined ? "free" : ownerOf(said, repository);
      tell(owner !== "taken", `${name} on ${registry} is ${owner}`);
    } catch (error) {
      tell(false, `${name} on ${registry}: could not tell: ${(error as Error).message.trim().split("\n")[0]}`);
    }
  }
  if (repository === undefined)
    console.log("The name of the Go module follows from the repository, so it was not looked up.");
  rmSync(folder, { recursive: true, force: true });
  return isFine;
}

if (import.meta.main && !checkOnline()) process.exitCode = 1;
