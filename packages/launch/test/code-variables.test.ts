import { expect, test } from "vitest";
import { codeVariablesOfLaunch, isLoadingCode } from "../src/index.ts";

test.each([
  ["LD_PRELOAD", "./x.so"],
  ["LD_AUDIT", "x.so"],
  ["DYLD_INSERT_LIBRARIES", "x.dylib"],
  ["GCONV_PATH", "."],
  ["NODE_OPTIONS", "--require ./x.js"],
  ["NODE_OPTIONS", "--max-old-space-size=1 -r ./x.js"],
  ["NODE_OPTIONS", "--import=./x.mjs"],
  ["NODE_OPTIONS", "--experimental_loader=./x.mjs"],
  ["NODE_OPTIONS", '"--req"uire ./x.js'],
  ["NODE_OPTIONS", "--experimental-config-file=x.json"],
  ["NODE_OPTIONS", "--openssl-config=x.cnf"],
  ["NODE_OPTIONS", "$OTHER"],
  ["NODE_OPTIONS", "--entry-url"],
  ["NODE_OPTIONS", "--surprise"],
  ["NODE_OPTIONS", "--title 'x' --env-file=.env"],
  ["NODE_OPTIONS", "--watch-path=src"],
  ["NODE_OPTIONS", "server.js"],
  ["JAVA_TOOL_OPTIONS", "-XX:SharedArchiveFile=x.jsa"],
  ["JAVA_TOOL_OPTIONS", "-Dloader.path=lib"],
  ["GOFLAGS", "-ldflags=-extld=x"],
  ["PYTHON_PRESITE", "x"],
  ["node_options", "-r x"],
  ["npm_config_node_options", "--import ./x.mjs"],
  ["npm_config_script_shell", "./sh"],
  ["BUN_OPTIONS", "--preload ./x.ts"],
  ["PYTHONSTARTUP", "x.py"],
  ["PYTHONHOME", "."],
  ["PYTHONPYCACHEPREFIX", "cache"],
  ["PYTHONBREAKPOINT", "x.y"],
  ["PYTHONWARNINGS", "all:0:x.y:0:0"],
  ["JAVA_TOOL_OPTIONS", "-Xmx1g -javaagent:x.jar"],
  ["_JAVA_OPTIONS", "-Xbootclasspath/a:x.jar"],
  ["JDK_JAVA_OPTIONS", "@args"],
  ["JAVA_TOOL_OPTIONS", "-XX:OnOutOfMemoryError=x"],
  ["RUBYOPT", "-rx"],
  ["PERL5OPT", "-Mx"],
  ["PERL5DB", "BEGIN {}"],
  ["BASH_ENV", "x.sh"],
  ["BASH_FUNC_ls%%", "() { x; }"],
  ["ZDOTDIR", "."],
  ["PS4", "$(x)"],
  ["DOTNET_STARTUP_HOOKS", "x.dll"],
  ["CORECLR_PROFILER_PATH", "x.so"],
  ["PHPRC", "."],
  ["LUA_INIT", "@x.lua"],
  ["R_PROFILE_USER", "x.R"],
  ["OPENSSL_CONF", "x.cnf"],
  ["GOFLAGS", "-toolexec=./x"],
  ["ERL_FLAGS", "-eval x"],
  ["CARGO_TARGET_X86_64_RUNNER", "./x"],
])("%s=%s loads code", (name, value) => {
  expect(isLoadingCode(name, value)).toBe(true);
});

test.each([
  ["NODE_OPTIONS", "--max-old-space-size=4096 --enable-source-maps"],
  ["NODE_OPTIONS", '--title="a b" --max_old_space_size=1 --trace-event-categories v8'],
  ["NODE_OPTIONS", ""],
  ["LD_PRELOAD", ""],
  ["JAVA_TOOL_OPTIONS", "-Xmx512m -Dfile.encoding=UTF-8 -XX:+UseG1GC"],
  ["RUBYOPT", "-W0 --yjit"],
  ["PYTHONBREAKPOINT", "0"],
  ["PYTHONWARNINGS", "ignore::DeprecationWarning"],
  ["OPENSSL_CONF", "/dev/null"],
  ["GOFLAGS", "-mod=mod"],
  ["ERL_FLAGS", "+P 1000"],
  ["BUN_OPTIONS", "--smol"],
  ["PERL5OPT", "-w"],
  ["PS4", "+ "],
  ["PYTHONPATH", "src"],
  ["ENV", "production"],
  ["TOKEN", "--require"],
])("%s=%s does not load code", (name, value) => {
  expect(isLoadingCode(name, value)).toBe(false);
});

test("a launch that sets such a variable among its words is named with the place", () => {
  const launch = {
    type: "stdio",
    command: "env",
    args: ["A=b", "NODE_OPTIONS=-r ./x.js", "node", "s.js"],
    env: [],
  } as const;
  expect(codeVariablesOfLaunch({ ...launch, args: [...launch.args], env: [] })).toEqual([
    { name: "NODE_OPTIONS", pointer: "/args/1" },
  ]);
  expect(codeVariablesOfLaunch({ type: "http", url: "https://example.com", headers: [] })).toEqual([]);
});
