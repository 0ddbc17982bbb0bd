import packageJson from "../../package.json" with { type: "json" };

/** The command's manifest; a release records in it the repository from which it is published. */
interface Manifest {
  readonly name: string;
  readonly repository?: { readonly url: string };
}

/**
 * Returns the address of the section about a code of an error class; `undefined` if nobody has published the command.
 */
export function errorAddress({ name, code }: { name: string; code: string }, manifest?: Manifest): string | undefined {
  return addressIn("ERRORS.md", `${name}-${code}`.toLowerCase(), manifest);
}

/** Returns the address of the row about a rule; `undefined` if nobody has published the command. */
export function ruleAddress(id: string, manifest?: Manifest): string | undefined {
  return addressIn("RULES.md", ruleAnchor(id), manifest);
}

/** Returns the anchor of a rule on the page of rules. */
export function ruleAnchor(id: string): string {
  return id.replace("/", "-").toLowerCase();
}

function addressIn(page: string, anchor: string, { repository }: Manifest = packageJson): string | undefined {
  return repository && `${repository.url.replace(/^git\+|\.git$/g, "")}/blob/HEAD/docs/${page}#${anchor}`;
}
