import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A checkout of one commit, with its dependencies, in which mutants are tested. */
export class Checkout {
  readonly root: string;
  /** A folder for files that tests write, which is cleared after every mutant. */
  readonly temporary: string;
  readonly #repository: string;

  private constructor(repository: string, folder: string) {
    this.#repository = repository;
    this.root = join(folder, "tree");
    this.temporary = join(folder, "tmp");
  }

  /** Makes the checkout, or reuses the one that an interrupted run left. */
  static open(repository: string, folder: string, commit: string): Checkout {
    const checkout = new Checkout(repository, folder);
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o755); // a PostgreSQL server of another user works in its temporary folder
    if (existsSync(checkout.root)) checkout.#git("checkout", "--quiet", "--force", "--detach", commit);
    else git(repository, "worktree", "add", "--quiet", "--force", "--detach", checkout.root, commit);
    checkout.clean();
    const install = ["--yes", "pnpm@12", "install", "--prefer-offline", "--frozen-lockfile", "--silent"];
    execFileSync("npx", install, { cwd: checkout.root, stdio: ["ignore", "ignore", "inherit"] });
    return checkout;
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.root, file), text);
  }

  /** Undoes a mutant, and removes the files that killed tests left behind. */
  clean(): void {
    this.#git("checkout", "--quiet", "--force", "--", ".");
    this.#git("clean", "-fdq");
    rmSync(this.temporary, { recursive: true, force: true });
    mkdirSync(this.temporary);
    chmodSync(this.temporary, 0o1777);
  }

  remove(): void {
    git(this.#repository, "worktree", "remove", "--force", this.root);
    rmSync(this.temporary, { recursive: true, force: true });
  }

  #git(...args: string[]): void {
    git(this.root, ...args);
  }
}

/** Runs git and returns its output. */
export function git(cwd: string, ...args: string[]): string {
  return execFileSync("git", args, { cwd, encoding: "utf8" }).trim();
}
