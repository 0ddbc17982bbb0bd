import { NODE } from "../node-options.ts";
import type { GrammarText } from "../options.ts";
import type { ReadProgram } from "../reader.ts";
import { programOf } from "../words.ts";
import { interpreter } from "./interpreter.ts";

/** Matches the name of a file that is loaded as written. */
const CODE_PATH = /^(?![./~]).+|\.[cm]?[jt]sx?$/s;
const plus = (flags: string, values: string, gap = ""): GrammarText => ({
  ...NODE,
  flags: `${NODE.flags} ${flags}`,
  values: `${NODE.values} ${values}`,
  roles: { ...NODE.roles, gap: `${NODE.roles.gap} ${gap}` },
});

const runNode = interpreter({ ...NODE, kind: "node-script", scripts: /^(?!(?:inspect|debug)$)/ });
/** The scripts of npm's own runners in an npm installation; Windows starts them with Node.js. */
const NPM_SCRIPT = /^(?:[a-z]:)?[\\/].*(?<=[\\/])npm[\\/]bin[\\/](npx|npm)-cli\.js$/is;

export const NODE_PROGRAMS: Readonly<Record<string, ReadProgram>> = {
  node: (reader, call) => {
    const [script, ...rest] = call.words;
    const [, name] = NPM_SCRIPT.exec(script?.text ?? "") ?? [];
    if (script && name) reader.run([{ ...script, text: programOf({ text: name }) }, ...rest], call.place, script);
    else runNode(reader, call);
  },
  nodejs: runNode,
  /** https://tsx.is: all of Node.js's options, and its own. */
  tsx: interpreter({
    ...plus("--no-cache --clear-screen", "--tsconfig --ignore --include --exclude"),
    scripts: /^(?!watch$)/,
  }),
  /** https://typestrong.org/ts-node/docs/options */
  "ts-node": interpreter({
    ...plus(
      "-T --transpile-only --transpileOnly -H --compiler-host --compilerHost -s --script-mode --swc --esm --files --pretty --prefer-ts-exts --log-error --emit --skip-project --skipProject --skip-ignore --skipIgnore --scope --cwd-mode --no-experimental-repl-await",
      "-I --ignore -D --ignore-diagnostics --ignoreDiagnostics --scope-dir",
      "-C --compiler -P --project -O --compiler-options --compilerOptions",
    ),
  }),
  /** https://bun.sh/docs/cli/run; a first word that is not a file is a package.json script. */
  bun: interpreter({
    isExact: true,
    flags:
      "-b --bun --silent --smol --no-clear-screen --if-present --no-install --prefer-offline --prefer-latest -i --expose-gc --no-deprecation --throw-deprecation --no-addons --no-env-file --no-orphans --zero-fill-buffers --sql-preconnect --experimental-http2-fetch --use-system-ca --use-openssl-ca --use-bundled-ca",
    values:
      "--conditions --drop --port --install --elide-lines --title --user-agent --dns-result-order --fetch-preconnect --max-http-header-size --console-depth --unhandled-rejections",
    optional: "--inspect --inspect-wait --inspect-brk",
    gapFlags: "--hot --watch",
    // Without an extension, a file with another name may be loaded.
    understood: { "-r --preload --require --import": CODE_PATH },
    roles: {
      code: "-r --preload --require --import",
      envFile: "--env-file",
      folder: "--cwd",
      gap: "-c --config -F --filter --shell --main-fields --extension-order --tsconfig-override -d --define -l --loader --jsx-factory --jsx-fragment --jsx-import-source --jsx-runtime",
      stop: "-e --eval -p --print",
    },
    verb: "run",
    isVerbOptional: true,
    scripts: /\.[cm]?[jt]sx?$/,
  }),
  /** https://docs.npmjs.com/cli/nodemon: nodemon.json can name another program, so the program is never known. */
  nodemon: (reader, call) => reader.miss(call.command),
};
