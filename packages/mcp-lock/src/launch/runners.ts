import { isPath } from "./interpreters.ts";
import { type OptionTable, optionTable, type ReadOptions, readOptions, valuesOf } from "./options.ts";
import { imageSpecifier, npmSpecifier, pythonSpecifier, type Specifier } from "./specifiers.ts";
import type { Word } from "./words.ts";

/** A program that fetches a package and runs it. */
interface Runner {
  /** The words between the program and its options, such as `tool run`; several where it knows several. */
  readonly verbs: readonly string[];
  /** The options before the verb. */
  readonly global?: OptionTable;
  readonly options: OptionTable;
  /** The options that name the package. Without one of them the first word behind the options does. */
  readonly packageOptions: readonly string[];
  /** Options after which the launch runs no package that it fetches. */
  readonly localOptions?: readonly string[];
  readonly read: (word: Word) => Specifier | undefined;
}

const NPM = optionTable(
  "-y --yes --no --no-install -q --quiet --silent -s --verbose -d --offline --prefer-offline --prefer-online --ignore-existing --ignore-scripts --workspaces --include-workspace-root --force -f -g --global --legacy-peer-deps --foreground-scripts --no-audit --no-fund --no-update-notifier --bun --no-progress",
  "-p --package -c --call --shell -n --node-arg --node-options --userconfig --cache --prefix --registry -w --workspace --loglevel --script-shell --allow-build --reporter -C --dir --cwd --npmrc",
);

const UV = optionTable(
  "--isolated -q --quiet -v --verbose --offline -n --no-cache --refresh --native-tls --system-certs -U --upgrade --reinstall --no-config --no-progress --managed-python --no-managed-python --no-python-downloads --allow-python-downloads --no-env-file --no-index --no-sources --compile-bytecode --no-build --no-binary --no-build-isolation --lfs --show-resolution",
  "--from --with -w --with-editable --with-requirements -p --python --index --default-index -i --index-url --extra-index-url -f --find-links -c --constraints -b --build-constraints --overrides --env-file --directory --project --config-file --cache-dir --color --python-platform --torch-backend --resolution --prerelease --exclude-newer --exclude-newer-package --link-mode --index-strategy --keyring-provider --allow-insecure-host --refresh-package -P --upgrade-package --reinstall-package --no-build-package --no-binary-package -C --config-setting --no-build-isolation-package --no-sources-package --fork-strategy --config-settings-package",
);

const PIPX = optionTable(
  "--no-cache --path --pypackages --fetch-missing-python --verbose -v --quiet -q --system-site-packages",
  "--spec --python --pip-args -i --index-url --backend --suffix --with",
);

/** The options of container runners that stand alone: all others have a value. */
const CONTAINER = optionTable(
  "-d --detach -i --interactive -t --tty --rm --init --privileged -P --publish-all --read-only --no-healthcheck --oom-kill-disable --sig-proxy --disable-content-trust -q --quiet --use-api-socket --replace --rmi --tls-verify --no-hosts --no-hostname --http-proxy --env-host --passwd --read-only-tmpfs",
  "-a -c -e -h -l -m -p -u -v -w",
  true,
);
const CONTAINER_GLOBAL = optionTable(
  "-D --debug --tls --tlsverify -r --remote",
  "--config -c --context -H --host -l --log-level --tlscacert --tlscert --tlskey --connection --url --identity --root --runroot -n --namespace --address -a",
);
const NONE = optionTable("", "");

const npm = (verbs: string[], global: OptionTable = NPM): Runner => ({
  verbs,
  global,
  options: NPM,
  packageOptions: ["-p", "--package"],
  localOptions: ["--no", "--no-install"],
  read: npmSpecifier,
});
const uv = (verbs: string[]): Runner => ({
  verbs,
  global: UV,
  options: UV,
  packageOptions: ["--from"],
  read: pythonSpecifier,
});
const container: Runner = {
  verbs: ["run", "container run"],
  global: CONTAINER_GLOBAL,
  options: CONTAINER,
  packageOptions: [],
  read: imageSpecifier,
};

/** The programs that are read, by name. */
const RUNNERS: ReadonlyMap<string, Runner> = new Map([
  ["npx", npm([""])],
  ["npm", npm(["exec", "x"])],
  ["pnpx", npm([""])],
  ["pnpm", npm(["dlx"])],
  ["yarn", npm(["dlx"])],
  ["bunx", npm([""])],
  ["bun", npm(["x"])],
  ["uvx", uv([""])],
  ["uv", uv(["tool run"])],
  ["pipx", { verbs: ["run"], global: PIPX, options: PIPX, packageOptions: ["--spec"], read: pythonSpecifier }],
  ["docker", container],
  ["podman", container],
  ["nerdctl", container],
]);

/** What such a program runs that is there already, by its first word behind the options. */
const LOCAL_VERBS: Readonly<Record<string, RegExp>> = {
  npm: /^(?:run|run-script|start|test)$/,
  pnpm: /^(?:run|start|test|exec)$/,
  yarn: /^(?!dlx$|create$|npm$|set$)/,
  bun: /^(?!x$|create$|add$|install$|pm$)/,
  uv: /^run$/,
};

/** The package that a program runs, `"local"` if it runs what is there already, and `undefined` if nobody can tell. */
export function readRunner(
  program: string,
  words: readonly Word[],
): { readonly word: Word; readonly specifier: Specifier } | "local" | undefined {
  const runner = RUNNERS.get(program);
  if (runner === undefined) return undefined;
  const read = optionsBehindVerb(program, runner, words);
  if (read === undefined || read === "local") return read;
  if (read.options.some(({ name }) => runner.localOptions?.includes(name))) return "local";
  const given = valuesOf(read, ...runner.packageOptions);
  const wanted =
    given.length > 0
      ? given
      : valuesOf(read, "-c", "--call").length > 0 && runner.options === NPM
        ? []
        : read.rest.slice(0, 1);
  const found = wanted.map((word) => ({ word, specifier: runner.read(word) }));
  if (found.length > 0 && found.every(({ word, specifier }) => !specifier && isPath(word))) return "local";
  // Of several packages the first one that is not exact decides.
  const readable = found.flatMap(({ word, specifier }) => (specifier ? [{ word, specifier }] : []));
  if (readable.length < found.length) return undefined;
  return readable.find(({ specifier }) => specifier.version !== "exact") ?? readable[0];
}

function optionsBehindVerb(program: string, runner: Runner, words: readonly Word[]): ReadOptions | "local" | undefined {
  if (runner.verbs.includes("")) return readOptions(words, runner.options);
  const before = readOptions(words, runner.global ?? NONE);
  if (before === undefined) return undefined;
  for (const verb of runner.verbs) {
    const length = verb.split(" ").length;
    if (
      before.rest
        .slice(0, length)
        .map(({ text }) => text)
        .join(" ") !== verb
    )
      continue;
    const after = readOptions(before.rest.slice(length), runner.options);
    return after && { options: [...before.options, ...after.options], rest: after.rest };
  }
  const [first] = before.rest;
  // A run with further packages fetches them.
  if (before.rest.some(({ text }) => text.startsWith("--with"))) return undefined;
  return first !== undefined && LOCAL_VERBS[program]?.test(first.text) ? "local" : undefined;
}

/** Whether a program is one of those that are read. */
export function isRunner(program: string): boolean {
  return RUNNERS.has(program);
}
