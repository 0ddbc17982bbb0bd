import type { GrammarText } from "../options.ts";
import type { ReadProgram } from "../reader.ts";
import { programOf } from "../words.ts";
import { interpreter } from "./interpreter.ts";

/** The options of Node.js: https://nodejs.org/api/cli.html */
const NODE = {
  isExact: true,
  hasUnderscores: true,
  flags:
    "--abort-on-uncaught-exception --allow-addons --allow-child-process --allow-inspector --allow-net --allow-wasi --allow-worker --completion-bash --cpu-prof --disable-sigusr1 --disable-wasm-trap-handler --disallow-code-generation-from-strings --enable-etw-stack-walking --enable-fips --enable-source-maps --entry-url --experimental-addon-modules --experimental-async-context-frame --experimental-eventsource --experimental-import-meta-resolve --experimental-inspector-network-resource --experimental-json-modules --experimental-modules --experimental-network-imports --experimental-network-inspection --experimental-permission --experimental-print-required-tla --experimental-quic --experimental-repl-await --experimental-require-module --experimental-shadow-realm --experimental-specifier-resolution --experimental-sqlite --experimental-strip-types --experimental-test-coverage --experimental-test-module-mocks --experimental-top-level-await --experimental-transform-types --experimental-vm-modules --experimental-wasi-unstable-preview1 --experimental-wasm-modules --experimental-webstorage --experimental-websocket --experimental-worker --experimental-worker-inspection --experimental-fetch --experimental-detect-module --experimental-abortcontroller --expose-gc --expose-internals --force-context-aware --force-fips --force-node-api-uncaught-exceptions-policy --frozen-intrinsics --harmony --heap-prof --huge-max-old-generation-size --insecure-http-parser --interpreted-frames-native-stack --jitless --lite-mode --max-lazy --network-family-autoselection --no-addons --no-async-context-frame --no-deprecation --no-enable-network-family-autoselection --enable-network-family-autoselection --no-experimental-detect-module --no-experimental-fetch --no-experimental-global-customevent --no-experimental-global-navigator --no-experimental-global-webcrypto --no-experimental-repl-await --no-experimental-require-module --no-experimental-sqlite --no-experimental-strip-types --no-experimental-websocket --no-extra-info-on-fatal-exception --no-force-async-hooks-checks --no-global-search-paths --no-network-family-autoselection --no-node-snapshot --no-opt --no-strip-types --no-verify-base-objects --no-warnings --node-memory-debug --node-snapshot --openssl-legacy-provider --openssl-shared-config --optimize-for-size --pending-deprecation --permission --perf-basic-prof --perf-basic-prof-only-functions --perf-prof --preserve-symlinks --preserve-symlinks-main --prof --report-compact --report-exclude-env --report-exclude-network --report-on-fatalerror --report-on-signal --report-uncaught-exception --strip-types --throw-deprecation --tls-max-v1.2 --tls-max-v1.3 --tls-min-v1.0 --tls-min-v1.1 --tls-min-v1.2 --tls-min-v1.3 --trace-deprecation --trace-env --trace-env-js-stack --trace-env-native-stack --trace-event-categories --trace-exit --trace-gc --trace-opt --trace-deopt --trace-promises --trace-sigint --trace-sync-io --trace-tls --trace-uncaught --trace-warnings --track-heap-objects --use-bundled-ca --use-env-proxy --use-openssl-ca --use-system-ca --warnings --deprecation --addons --watch-preserve-output --zero-fill-buffers",
  values:
    "-C --allow-fs-read --allow-fs-write --conditions --cpu-prof-dir --cpu-prof-interval --cpu-prof-name --debug-port --diagnostic-dir --disable-proto --disable-warning --dns-result-order --experimental-default-type --heap-prof-dir --heap-prof-interval --heap-prof-name --heapsnapshot-near-heap-limit --heapsnapshot-signal --icu-data-dir --input-type --inspect-port --inspect-publish-uid --localstorage-file --max-http-header-size --max-old-space-size-percentage --network-family-autoselection-attempt-timeout --redirect-warnings --report-dir --report-directory --report-filename --report-signal --secure-heap --secure-heap-min --title --tls-cipher-list --tls-keylog --trace-event-file-pattern --unhandled-rejections --use-largepages --v8-pool-size --watch-kill-signal",
  optional:
    "--inspect --inspect-brk --inspect-wait --watch --watch-path --max-old-space-size --max-semi-space-size --max-heap-size --initial-heap-size --initial-old-space-size --min-semi-space-size --max-executable-size --stack-size --stack-trace-limit --trace-require-module --gc-interval --random-seed --max-lazy",
  gapFlags: "--build-snapshot --test --prof-process --interactive -i --check -c --v8-options --version -v --help -h",
  roles: {
    code: "",
    module: "-r --require",
    gap: "--openssl-config --snapshot-blob --experimental-policy --policy-integrity --build-snapshot-config --experimental-sea-config --experimental-config-file --run",
    envFile: "--env-file --env-file-if-exists",
    stop: "-e --eval -p --print -pe",
  },
} satisfies GrammarText;

/** Options whose value is code that is loaded first, as `import` finds it. */
const IMPORTS = "--import --loader --experimental-loader";
const withImports = (text: GrammarText): GrammarText => ({ ...text, roles: { ...text.roles, code: IMPORTS } });
const plus = (flags: string, values: string, gap = ""): GrammarText => ({
  ...withImports(NODE),
  flags: `${NODE.flags} ${flags}`,
  values: `${NODE.values} ${values}`,
  roles: { ...NODE.roles, code: IMPORTS, gap: `${NODE.roles.gap} ${gap}` },
});

const runNode = interpreter({ ...withImports(NODE), kind: "node-script" });
/** The scripts of npm's own runners, as its installation has them; Windows starts them with Node.js. */
const NPM_SCRIPT = /^(?:[a-z]:)?[\\/].*(?<=[\\/])npm[\\/]bin[\\/](npx|npm)-cli\.js$/is;

export const NODE_PROGRAMS: Readonly<Record<string, ReadProgram>> = {
  node: (reader, call) => {
    const [script, ...rest] = call.words;
    const [, name] = NPM_SCRIPT.exec(script?.text ?? "") ?? [];
    if (script && name) reader.run([{ ...script, text: programOf({ text: name }) }, ...rest], call.place, script);
    else runNode(reader, call);
  },
  nodejs: runNode,
  /** https://tsx.is: every option of Node.js, and its own. */
  tsx: interpreter({
    ...plus("--no-cache --clear-screen", "--tsconfig --ignore --include --exclude"),
    verb: "watch",
    isVerbOptional: true,
  }),
  /** https://typestrong.org/ts-node/docs/options */
  "ts-node": interpreter({
    ...plus(
      "-T --transpile-only --transpileOnly -H --compiler-host --compilerHost -s --script-mode --swc --esm --files --pretty --prefer-ts-exts --log-error --emit --skip-project --skipProject --skip-ignore --skipIgnore --scope --no-experimental-repl-await",
      "-P --project -I --ignore -D --ignore-diagnostics --ignoreDiagnostics -O --compiler-options --compilerOptions --scope-dir --cwd-mode",
      "-C --compiler",
    ),
  }),
  /** https://bun.sh/docs/cli/run; a first word that is no file is a script of package.json. */
  bun: interpreter({
    isExact: true,
    flags:
      "-b --bun --silent --smol --hot --watch --no-clear-screen --if-present --no-install --prefer-offline --prefer-latest -i --expose-gc --no-deprecation --throw-deprecation --no-addons --no-env-file --no-orphans --zero-fill-buffers --sql-preconnect --experimental-http2-fetch --use-system-ca --use-openssl-ca --use-bundled-ca",
    values:
      "--conditions --main-fields --extension-order --tsconfig-override -d --define --drop -l --loader --port --install --elide-lines --title --user-agent --dns-result-order --fetch-preconnect --max-http-header-size --console-depth --unhandled-rejections --jsx-factory --jsx-fragment --jsx-import-source --jsx-runtime",
    optional: "--inspect --inspect-wait --inspect-brk",
    roles: {
      code: "-r --preload --require --import",
      envFile: "--env-file",
      folder: "--cwd",
      gap: "-c --config -F --filter --shell",
      stop: "-e --eval -p --print",
    },
    verb: "run",
    isVerbOptional: true,
    scripts: /\.[cm]?[jt]sx?$/,
  }),
  /** https://docs.npmjs.com/cli/nodemon: its nodemon.json can name another program, so that it is never known. */
  nodemon: (reader, call) => reader.miss(call.command),
};
