// Writes the publisher into what is published: `repository`, `homepage` and `bugs` of every public package, the
// repository of the Python and the Rust port, the path of the Go module, and the placeholder OWNER in the text that
// users of the action copy. All are derived from `publisher.repository` in package.json. Without it nothing is written,
// and the exit code is 1.
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readSecurityContact, writeSecurityContact } from "./security-contact.ts";

/** The folder of the Go module. The tags of its versions begin with this path. */
export const GO_MODULE = "fixtures/ports/go";
/** The folder of the Rust crate. */
export const RUST_CRATE = "fixtures/ports/rust";
/** The manifests of the other ports, and the line in each that names the repository. */
const PORTS = [
  ["fixtures/ports/python/pyproject.toml", "urls.Repository"],
  [`${RUST_CRATE}/Cargo.toml`, "repository"],
] as const;
/** Names that nobody can own (RFC 2606), and names without a dot. */
const NOBODYS = /(^|\.)(example|invalid|localhost|test|example\.(com|net|org))$|^[^.]*$/;

/**
 * Reads the address of the sources, an `https:` URL such as a GitHub repository's, from the text of the workspace's
 * package.json. Throws an error that names the setting if it is missing or not such a URL.
 */
export function readRepository(text: string): string {
  const { publisher } = JSON.parse(text) as { publisher?: { repository?: unknown } };
  const repository = publisher?.repository;
  if (typeof repository !== "string") {
    throw new Error(
      `package.json: "publisher.repository" is not filled in: expected the repository that is released, "https://<host>/<owner>/<name>", received ${JSON.stringify(repository)}`,
    );
  }
  const isRepository = /^https:\/\/[a-z0-9.-]+(\/[\w.-]+){2,}$/.test(repository) && !repository.endsWith(".git");
  if (!isRepository || NOBODYS.test(new URL(repository).hostname)) {
    throw new Error(
      `package.json: "publisher.repository": expected https://<host>/<owner>/<name>, received ${JSON.stringify(repository)}`,
    );
  }
  return repository;
}

/** Returns the path of a repository's Go module. */
export function goModuleOf(repository: string): string {
  return `${repository.slice("https://".length)}/${GO_MODULE}`;
}

/**
 * Writes `repository` into the packages, the ports and the text that users of the action copy, below `root`. Repeating
 * it changes nothing.
 */
export function writePublisher(root: string, repository: string): void {
  for (const path of globSync(["packages/*/package.json", "apps/*/package.json", "fixtures/package.json"], {
    cwd: root,
  })) {
    const manifest = JSON.parse(readFileSync(join(root, path), "utf8")) as { private?: boolean };
    if (manifest.private) continue;
    const directory = dirname(path);
    const links = {
      repository: { type: "git", url: `git+${repository}.git`, directory },
      homepage: `${repository}/tree/HEAD/${directory}#readme`,
      bugs: `${repository}/issues`,
    };
    writeFileSync(join(root, path), `${JSON.stringify({ ...manifest, ...links }, null, 2)}\n`);
  }
  writeGoModule(root, repository);
  for (const [path, member] of PORTS) {
    const text = readFileSync(join(root, path), "utf8");
    const line = new RegExp(`^${member.replace(".", "\\.")} = .*\\n`, "m");
    const withoutIt = text.replace(line, "");
    writeFileSync(join(root, path), withoutIt.replace(/^license = .*\n/m, `$&${member} = "${repository}"\n`));
  }
  const owned = new URL(repository).pathname.slice(1);
  for (const path of globSync(["README.md", "docs/ci.md", "apps/cli/templates/*"], { cwd: root })) {
    const text = readFileSync(join(root, path), "utf8");
    writeFileSync(join(root, path), text.replaceAll("OWNER/agentprint", owned));
  }
}

/** Writes the module path derived from `repository` into the Go module below `root`. */
export function writeGoModule(root: string, repository: string): void {
  const folder = join(root, GO_MODULE);
  const before = readFileSync(join(folder, "go.mod"), "utf8").split(/\s/)[1] as string;
  for (const path of globSync("**/*.{go,mod,md}", { cwd: folder })) {
    const text = readFileSync(join(folder, path), "utf8");
    writeFileSync(join(folder, path), text.replaceAll(before, goModuleOf(repository)));
  }
}

if (import.meta.main) {
  try {
    const setting = readFileSync("package.json", "utf8");
    const [repository, contact] = [readRepository(setting), readSecurityContact(setting)];
    writePublisher(".", repository);
    if (contact !== undefined) writeSecurityContact(".", contact);
    process.stdout.write(`published from ${repository}\n`);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}
