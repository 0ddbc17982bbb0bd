import { JAVA_OPTION } from "../java-options.ts";
import { type GrammarText, grammar, readOptions, valuesOf } from "../options.ts";
import type { Call, Reader, ReadProgram } from "../reader.ts";
import { before, behind } from "../words.ts";
import { interpreter } from "./interpreter.ts";

/** Ruby's options: `ruby --help`. A library after `-r` that is not a path is looked up elsewhere. */
const RUBY = {
  flags:
    "-w -W -v -d -l -a -s -U -T --yjit --jit --rjit --verbose --debug --disable-gems --enable-frozen-string-literal",
  values: "-I -E --encoding --external-encoding --internal-encoding --backtrace-limit --enable --disable --parser",
  optional: "--yjit-exec-mem-size --debug-frozen-string-literal",
  pattern: /^-(?:W(?:\d|:[a-z-]+)|K[a-zA-Z]?)$/,
  gapFlags: "-x -n -p -i -c -h --help --version",
  stopFlags: "-S",
  roles: { code: "-r --require", folder: "-C", stop: "-e" },
  // Ruby adds an extension if the name has none.
  understood: { "-r --require": /^(?![./~]).+|\.rb$/s },
};

/** `java`: https://docs.oracle.com/en/java/javase/25/docs/specs/man/java.html */
const JAVA = grammar({
  isExact: true,
  flags:
    "-jar -server -client -ea -enableassertions -da -disableassertions -esa -dsa -enablesystemassertions -disablesystemassertions -verbose --enable-preview -showversion --show-version -Xint -Xcomp -Xmixed -Xbatch -Xrs -Xshare:auto -Xshare:off -Xshare:on -Xfuture --no-sandbox",
  values:
    "--add-modules --add-opens --add-exports --add-reads --limit-modules --enable-native-access --source --illegal-access --illegal-native-access --sun-misc-unsafe-memory-access --finalization --release",
  pattern: JAVA_OPTION,
  roles: {
    script: "-cp -classpath --class-path",
    gap: "-p --module-path -m --module --patch-module --upgrade-module-path -d --describe-module",
  },
});
const AGENT = /^-(?:javaagent|agentpath):/;

/** Notes the jar, the source file or the only jar on the class path, and the agents before it. */
function runJava(reader: Reader, call: Call): void {
  const read = reader.options(call, JAVA);
  if (read === undefined) return;
  for (const { word } of read.options) {
    const start = AGENT.exec(word.text)?.[0].length;
    if (start === undefined) continue;
    const agent = behind(word, start);
    const end = agent.text.indexOf("=");
    reader.file(end === -1 ? agent : before(agent, end), "script", read.place);
  }
  const [main] = read.rest;
  const paths = read.options.flatMap(({ role, value }) => (role === "script" && value ? [value] : []));
  const [path, ...others] = paths;
  if (main === undefined) reader.miss(call.command);
  // Java's launcher replaces it with the words in that file.
  else if (main.text.startsWith("@")) reader.miss(main);
  else {
    const isMain = main.text.endsWith(".java") || read.options.some(({ name }) => name === "-jar");
    // If the class path lists several places, it is unknown which one contains the class.
    const isInOneJar = others.length === 0 && /^[^:;*]+\.jar$/i.test(path?.text.replace(/^[a-z]:/i, "") ?? "");
    const code = isMain ? main : isInOneJar ? path : undefined;
    if (code === undefined) reader.miss(path ?? main);
    else reader.file(code, "script", read.place);
    if (code !== undefined) reader.passOn(read.rest.slice(1));
  }
}

/** `dotnet app.dll`, `dotnet exec app.dll`: https://learn.microsoft.com/dotnet/core/tools/dotnet */
const DOTNET = {
  isExact: true,
  values: "--fx-version --roll-forward",
  gapFlags: "--info --list-sdks --list-runtimes --version -d --diagnostics -h --help",
  roles: {
    gap: "--additionalprobingpath --additional-deps --depsfile --runtimeconfig --roll-forward-on-no-candidate-fx",
  },
};

/** `go run a.go b.go`: the files before the first word with another extension, https://pkg.go.dev/cmd/go */
const GO_RUN = grammar({
  isExact: true,
  flags: "-a -n -x -v -race -msan -asan -cover -trimpath -work -modcacherw -buildvcs -linkshared",
  values: "-p -tags -buildmode -mod -pgo -covermode -coverpkg",
  optional: "-buildvcs",
  roles: {
    folder: "-C",
    gap: "-exec -toolexec -overlay -modfile -ldflags -gcflags -asmflags -gccgoflags -compiler -installsuffix -pkgdir",
  },
});

const runGo = (reader: Reader, call: Call) => {
  const [verb, ...words] = call.words;
  if (verb?.text !== "run") return reader.miss(verb ?? call.command, "go");
  const read = reader.options({ ...call, words }, GO_RUN);
  if (read === undefined) return;
  reader.missVariable(call.command, /^(?:CC|CXX|FC|AR|PKG_CONFIG|GOENV|GOROOT|GOWORK|GOTOOLCHAIN)$/);
  const [first] = read.rest;
  if (first === undefined || !first.text.endsWith(".go")) return reader.miss(first ?? verb, "go");
  const end = read.rest.findIndex(({ text }) => !text.endsWith(".go"));
  const count = end === -1 ? read.rest.length : end;
  for (const file of read.rest.slice(0, count)) reader.file(file, "script", read.place);
  reader.passOn(read.rest.slice(count));
};

const python = interpreter({
  flags: "-b -B -d -E -I -O -P -q -s -S -u -v -x",
  values: "-W -X --check-hash-based-pycs",
  understood: {
    // A warning's category is imported if it contains a dot.
    "-W": /^[a-z]+(?::[^:]*(?::\w*(?::[^:]*(?::\d*)?)?)?)?$/,
    "-X": /^(?:dev|utf8(?:=[01])?|faulthandler|showrefcount|tracemalloc(?:=\d+)?|importtime(?:=\d)?|no_debug_ranges|frozen_modules(?:=(?:on|off))?|int_max_str_digits=\d+|warn_default_encoding|perf|perf_jit|cpu_count=\w+|gil=[01])$/,
  },
  gapFlags: "-i -V -h -? --version --help --help-all",
  roles: { stop: "-m -c" },
});

/** https://www.php.net/manual/features.commandline.options.php */
const PHP = {
  flags: "-n -q -e -H --no-php-ini --no-header",
  gapFlags: "-a -i -l -m -s -v -w -h --interactive --info --version",
  roles: {
    script: "-f --file",
    gap: "-c --php-ini -d --define -z --zend-extension -S --server -t --docroot -B -R -F -E",
    stop: "-r --run",
  },
} satisfies GrammarText;
const PHP_TABLE = grammar(PHP);
const runPhpScript = interpreter(PHP);

const runPhp: ReadProgram = (reader, call) => {
  const read = readOptions(call.words, PHP_TABLE);
  // The words after `--` belong to a script on standard input.
  if (read.isEnded && valuesOf(read, "script").length === 0)
    reader.miss(call.words.find(({ text }) => text === "--") ?? call.command);
  else runPhpScript(reader, call);
};

/** Script interpreters, except for JavaScript. The options are those that each program's `--help` lists. */
export const SCRIPT_PROGRAMS: Readonly<Record<string, ReadProgram>> = {
  python,
  pypy: python,
  /** The Windows launcher first chooses a version: https://docs.python.org/3/using/windows.html */
  py: (reader, call) => {
    const isVersion = /^-(?:\d[\d.]*(?:-(?:32|64|arm64))?|V:[\w./-]+)$/.test(call.words[0]?.text ?? "");
    python(reader, isVersion ? { ...call, words: call.words.slice(1) } : call);
  },
  ruby: interpreter(RUBY),
  perl: interpreter({
    flags: "-w -W -X -T -t -u -U -a -l -s",
    values: "-I",
    optional: "",
    pattern: /^-C\w*$/,
    gapFlags: "-n -p -c -v -V",
    stopFlags: "-S",
    roles: { gap: "-M -m -d -i", stop: "-e -E" },
  }),
  php: runPhp,
  lua: interpreter({ flags: "-E -W -v", gapFlags: "-i", roles: { gap: "-l", stop: "-e" } }),
  luajit: interpreter({
    flags: "-E -v",
    pattern: /^-O[\w+=,-]*$/,
    gapFlags: "-i -b",
    roles: { gap: "-l -j", stop: "-e" },
  }),
  rscript: interpreter({
    isExact: true,
    flags:
      "--vanilla --no-environ --no-site-file --no-init-file --no-restore --no-save --no-echo --slave --verbose --quiet",
    roles: { gap: "--default-packages", stop: "-e" },
  }),
  /** https://docs.julialang.org/en/v1/manual/command-line-interface */
  julia: interpreter({
    flags: "-q --quiet",
    values:
      "-t --threads -p --procs --gcthreads -C --cpu-target --check-bounds --depwarn --color --banner --history-file --startup-file --compiled-modules --pkgimages --inline --compile --math-mode --heap-size-hint --handle-signals",
    optional: "--project --optimize --min-optlevel",
    pattern: /^-[Og]\d$/,
    gapFlags: "-i",
    understood: { "--startup-file": /^no$/ },
    roles: {
      file: "-L --load",
      gap: "-J --sysimage -H --home --machine-file -m --module --bug-report",
      stop: "-e --eval -E --print",
    },
  }),
  /** https://hexdocs.pm/elixir */
  elixir: interpreter({
    isExact: true,
    flags: "--no-halt --hidden --logger-otp-reports --logger-sasl-reports",
    values: "--name --sname --cookie -pa -pz",
    understood: { "-r -pr": /^[^*?[\]{}]+$/ },
    roles: {
      file: "-r -pr",
      gap: "--app --boot --boot-var --erl --erl-config --pipe-to --vm-args --rpc-eval --dot-iex",
      stop: "-S -e --eval",
    },
  }),
  escript: interpreter({ flags: "-c -d -i -n -s" }),
  java: runJava,
  javaw: runJava,
  /** A class is looked up on the program's own class path. */
  kotlin: interpreter({
    isExact: true,
    pattern: /^-J-X(?:m[sx]|ss)\d+[kmg]?$/i,
    roles: { gap: "-cp -classpath -howtorun -Xplugin", stop: "-e -expression" },
    scripts: /\.(?:jar|kts)$/,
  }),
  dotnet: interpreter({ ...DOTNET, verb: "exec", isVerbOptional: true, scripts: /\.(?:dll|exe)$/i }),
  go: runGo,
};

/** Reads a word that may be a script, judging by its extension: `mcp run server.py:app`, `fastmcp run server.py`. */
export const PYTHON_SERVERS: Readonly<Record<string, ReadProgram>> = {
  /** https://github.com/modelcontextprotocol/python-sdk */
  mcp: interpreter({
    verb: "run",
    behindVerb: { values: "-t --transport" },
    object: /:\w[\w.]*$/,
    scripts: /\.py$/,
    takesLateOptions: true,
  }),
  /** https://gofastmcp.com/patterns/cli; a file that is not a script names a script itself. */
  fastmcp: interpreter({
    verb: "run",
    behindVerb: {
      flags: "--no-banner --skip-env --skip-source --no-reload --stateless",
      values: "-t --transport --host -p --port --path -l --log-level --with --project",
      // With `--reload`, a changed script is restarted automatically.
      gapFlags: "--reload",
      roles: { gap: "--python --with-editable -e --with-requirements --reload-dir", stop: "-m --module" },
    },
    object: /:\w[\w.]*$/,
    scripts: /\.py$/,
    takesLateOptions: true,
  }),
};
