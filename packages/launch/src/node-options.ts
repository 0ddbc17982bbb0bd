import type { GrammarText } from "./options.ts";

/** Options to which the options of a program that starts Node.js can be added. */
type NodeGrammar = GrammarText & {
  readonly flags: string;
  readonly values: string;
  readonly roles: { readonly gap: string };
};

/**
 * The options of Node.js: https://nodejs.org/api/cli.html. With `--watch`, Node.js restarts a changed script itself,
 * and with `--entry-url`, the script is a URL.
 */
export const NODE: NodeGrammar = {
  isExact: true,
  hasUnderscores: true,
  flags:
    "--abort-on-uncaught-exception --allow-addons --allow-child-process --allow-inspector --allow-net --allow-wasi --allow-worker --cpu-prof --disable-sigusr1 --disable-wasm-trap-handler --disallow-code-generation-from-strings --enable-etw-stack-walking --enable-fips --enable-source-maps --experimental-addon-modules --experimental-async-context-frame --experimental-eventsource --experimental-import-meta-resolve --experimental-inspector-network-resource --experimental-json-modules --experimental-modules --experimental-network-imports --experimental-network-inspection --experimental-permission --experimental-print-required-tla --experimental-quic --experimental-repl-await --experimental-require-module --experimental-shadow-realm --experimental-sqlite --experimental-strip-types --experimental-test-coverage --experimental-test-module-mocks --experimental-top-level-await --experimental-transform-types --experimental-vm-modules --experimental-wasi-unstable-preview1 --experimental-wasm-modules --experimental-webstorage --experimental-websocket --experimental-worker --experimental-worker-inspection --experimental-fetch --experimental-detect-module --experimental-abortcontroller --expose-gc --expose-internals --force-context-aware --force-fips --force-node-api-uncaught-exceptions-policy --frozen-intrinsics --harmony --heap-prof --huge-max-old-generation-size --insecure-http-parser --interpreted-frames-native-stack --jitless --lite-mode --network-family-autoselection --no-addons --no-async-context-frame --no-deprecation --no-enable-network-family-autoselection --enable-network-family-autoselection --no-experimental-detect-module --no-experimental-fetch --no-experimental-global-customevent --no-experimental-global-navigator --no-experimental-global-webcrypto --no-experimental-repl-await --no-experimental-require-module --no-experimental-sqlite --no-experimental-strip-types --no-experimental-websocket --no-extra-info-on-fatal-exception --no-force-async-hooks-checks --no-global-search-paths --no-network-family-autoselection --no-node-snapshot --no-opt --no-strip-types --no-verify-base-objects --no-warnings --node-memory-debug --node-snapshot --openssl-legacy-provider --openssl-shared-config --optimize-for-size --pending-deprecation --permission --perf-basic-prof --perf-basic-prof-only-functions --perf-prof --preserve-symlinks --preserve-symlinks-main --prof --report-compact --report-exclude-env --report-exclude-network --report-on-fatalerror --report-on-signal --report-uncaught-exception --strip-types --throw-deprecation --tls-max-v1.2 --tls-max-v1.3 --tls-min-v1.0 --tls-min-v1.1 --tls-min-v1.2 --tls-min-v1.3 --trace-deprecation --trace-env --trace-env-js-stack --trace-env-native-stack --trace-exit --trace-gc --trace-opt --trace-deopt --trace-promises --trace-sigint --trace-sync-io --trace-tls --trace-uncaught --trace-warnings --track-heap-objects --use-bundled-ca --use-env-proxy --use-openssl-ca --use-system-ca --warnings --deprecation --addons --zero-fill-buffers --allow-ffi --async-context-frame --debug-arraybuffer-allocations --experimental-global-customevent --experimental-global-navigator --experimental-global-webcrypto --experimental-import-text --experimental-report --experimental-storage-inspection --experimental-stream-iter --extra-info-on-fatal-exception --force-async-hooks-checks --global-search-paths --harmony-shadow-realm --napi-modules --no-experimental-websocket --perf-prof-unwinding-info --permission-audit --require-module --no-require-module --verify-base-objects",
  values:
    "-C --allow-fs-read --allow-fs-write --conditions --cpu-prof-dir --cpu-prof-interval --cpu-prof-name --debug-port --diagnostic-dir --disable-proto --disable-warning --dns-result-order --experimental-default-type --heap-prof-dir --heap-prof-interval --heap-prof-name --heapsnapshot-near-heap-limit --heapsnapshot-signal --icu-data-dir --input-type --inspect-port --inspect-publish-uid --localstorage-file --max-http-header-size --max-old-space-size-percentage --network-family-autoselection-attempt-timeout --redirect-warnings --report-dir --report-directory --report-filename --report-signal --secure-heap --secure-heap-min --title --tls-cipher-list --tls-keylog --trace-event-categories --trace-event-file-pattern --unhandled-rejections --use-largepages --v8-pool-size",
  pattern: /^--(?:stack-trace-limit|trace-require-module)=\w+$/,
  optional:
    "--inspect --inspect-brk --inspect-wait --max-old-space-size --max-semi-space-size --max-heap-size --initial-heap-size --initial-old-space-size --min-semi-space-size --max-executable-size --stack-size --gc-interval --random-seed --max-lazy",
  gapFlags:
    "--entry-url --watch --completion-bash --build-snapshot --test --prof-process --interactive -i --check -c --v8-options --version -v --help -h",
  roles: {
    module: "-r --require",
    code: "--import --loader --experimental-loader",
    gap: "--watch-path --watch-kill-signal --experimental-package-map --openssl-config --snapshot-blob --experimental-policy --policy-integrity --build-snapshot-config --experimental-sea-config --experimental-config-file --run",
    envFile: "--env-file --env-file-if-exists",
    stop: "-e --eval -p --print -pe",
  },
  // The argument of `import` is a URL relative to the folder, in which these characters mean something else than in a
  // path.
  understood: { "--import --loader --experimental-loader": /^[^%?#\\\p{Cc}]*[^\s%?#\\\p{Cc}]$/u },
};
