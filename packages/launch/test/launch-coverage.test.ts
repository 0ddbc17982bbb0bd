import { runs } from "@agentprint/testing/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  codeVariablesOfLaunch,
  coverageWithFiles,
  isCodeRunner,
  type Launch,
  launchCoverage,
  launchedEnvFiles,
  launchedFiles,
} from "../src/index.ts";
import { FETCHING_LAUNCHES } from "./fetching-launches.ts";
import { LAUNCHES as PLAIN_LAUNCHES } from "./launches.ts";
import { LAUNCHES_WITH_SETTINGS } from "./launches-with-settings.ts";

const LAUNCHES = [...PLAIN_LAUNCHES, ...LAUNCHES_WITH_SETTINGS, ...FETCHING_LAUNCHES];

const launchOf = ([command = "", ...args]: readonly string[]): Launch => ({ type: "stdio", command, args, env: [] });
const wordsOf = (line: string): string[] => line.split(" ").map((word) => word.replaceAll("·", " "));

/** Returns a launch's state in the table's notation. */
function meaningOf(launch: Launch): string {
  const { state, word, envFiles = [] } = launchCoverage(launch) ?? { state: "remote" };
  const files = launchedFiles(launch)
    .map(
      ({ pointer, path, folder }) =>
        `${pointer.replace("/args/", "")}:${path}${folder === undefined ? "" : ` in ${folder}`}`,
    )
    .join(" ");
  const shown =
    state === "not covered" ? `not covered ${word}${files && `, ${files}`}` : [state, files].filter(Boolean).join(" ");
  return (shown + (envFiles.length > 0 ? `, env ${envFiles.join(" ")}` : "")).replaceAll(/(?<=\S) (?=[|&;$>%])/g, " ");
}

describe("a launch means what the documentation of its programs says", () => {
  test("in at least 150 different launches", () => {
    expect(LAUNCHES.length).toBeGreaterThanOrEqual(150);
    expect(new Set(LAUNCHES.map(([line]) => line)).size).toBe(LAUNCHES.length);
  });

  test.each(LAUNCHES)("%s: %s", (line, meaning) => {
    expect(meaningOf(launchOf(wordsOf(line)))).toBe(meaning.replaceAll("·", " "));
  });

  test("files are covered behind packages that are fetched only where each of them is exact", () => {
    const behind = [
      ["npx -y -p", "@", "node server.js"],
      ["bunx -p", "@", "node server.js"],
      ["pnpm dlx --package", "@", "node server.js"],
      ["uvx --from", "==", "python server.py"],
      ["uv run --with", "==", "server.py"],
      ["pipx run --spec", "==", "python server.py"],
    ] as const;
    const versions = fc.constantFrom("", "1.2.3", "1", "latest", "^1.0.0");
    fc.assert(
      fc.property(fc.constantFrom(...behind), versions, fc.boolean(), ([runner, sign, command], version, isLast) => {
        const isNpm = sign === "@";
        fc.pre(isNpm || /^[\d.]*$/.test(version));
        const isExact = version === "1.2.3" || (!isNpm && version === "1");
        const named = version === "" ? "tools" : `tools${sign}${version}`;
        const second =
          isLast && /-p$|--package$|--with$/.test(runner) ? `${runner.split(" ").at(-1)} more${sign}1.2.3` : "";
        const words = `${runner} ${named} ${second} ${command}`.split(" ").filter((word) => word !== "");
        const { state } = launchCoverage(launchOf(words)) ?? {};
        expect(state).toBe(isExact ? "files" : "not covered");
      }),
    );
  });

  test.each([
    ["sh -c cd·a·&&·node·server.js", ["CDPATH"], "a"],
    ["sh -c cd·./a·&&·node·server.js", ["CDPATH"], undefined],
    ["dash -ic node·server.js", ["ENV"], "-ic"],
    ["sh -c node·server.js", ["ENV"], undefined],
    ["node -r first server.js", ["NODE_PATH"], "first"],
    ["node -r ./first.cjs server.js", ["NODE_PATH"], undefined],
    ["npx -y server@1.0.0", ["NPM_CONFIG_CACHE"], "NPM_CONFIG_CACHE"],
    ["npx -y server@1.0.0", ["NPM_CONFIG_LOGLEVEL"], undefined],
    ["uv run server.py", ["UV_PYTHON"], "UV_PYTHON"],
  ])("%s that passes %s on: %s", (line, env, word) => {
    const launch = { ...launchOf(wordsOf(line)), env };
    expect(launchCoverage(launch as Launch)?.word).toBe(word);
  });

  test.each([
    ["/usr/bin/python3.12", true],
    ["C:\\nodejs\\node.exe", true],
    ["/opt/bin/make", true],
    ["/opt/weather/weather-server", false],
    ["/opt/bin/time", false],
  ])("%s runs what its words name: %s", (path, isRunner) => {
    expect(isCodeRunner(path)).toBe(isRunner);
  });

  test("an address has no state, no files and no variables", () => {
    const launch: Launch = { type: "http", url: "https://example.com/mcp", headers: [] };
    expect(launchCoverage(launch)).toBeUndefined();
    expect(coverageWithFiles(launch, [])).toBeUndefined();
    expect([...launchedFiles(launch), ...launchedEnvFiles(launch), ...codeVariablesOfLaunch(launch)]).toEqual([]);
  });

  test("a file with variables starts at the folder that an option names", () => {
    const launch = launchOf(wordsOf("uv --directory srv run --env-file .env server.py"));
    expect(launchedEnvFiles(launch)).toEqual([{ path: ".env", folder: "srv" }]);
  });
});

/** Words that do not change the command after them. */
const WRAPPERS: readonly (readonly string[])[] = [
  ["env", "A=b"],
  ["timeout", "-k", "5", "100"],
  ["nice", "-n", "5"],
  ["nohup"],
  ["setsid", "-w"],
  ["stdbuf", "-oL"],
  ["cross-env", "A=b"],
  ["doppler", "run", "--"],
  ["xvfb-run", "-a"],
  ["tini", "--"],
];
const KNOWN = LAUNCHES.map(([line, meaning]) => ({ words: wordsOf(line), meaning })).filter(
  ({ meaning }) => /^(?:files|artifact)/.test(meaning) && !meaning.includes("/command"),
);

describe("a generated launch", () => {
  const wrapped = fc.record({
    wrappers: fc.array(fc.constantFrom(...WRAPPERS), { minLength: 1, maxLength: 3 }),
    known: fc.constantFrom(...KNOWN),
  });

  test("keeps its meaning behind programs that run the command behind them", () => {
    fc.assert(
      fc.property(wrapped, ({ wrappers, known }) => {
        const [before, after] = [launchOf(known.words), launchOf([...wrappers.flat(), ...known.words])];
        expect(launchCoverage(after)?.state).toBe(launchCoverage(before)?.state);
        const pathsOf = (launch: Launch) =>
          launchedFiles(launch).map(({ path, kind, folder }) => ({ path, kind, folder }));
        expect(pathsOf(after)).toEqual(pathsOf(before));
      }),
      { numRuns: runs(500) },
    );
  });

  test("is not covered where an option is not known, wherever it stands before the script", () => {
    fc.assert(
      fc.property(
        wrapped,
        fc.nat(),
        fc.constantFrom("--surprise", "--surprise=server.js", "-€"),
        ({ wrappers, known }, at, option) => {
          const words = [...wrappers.flat(), ...known.words];
          const script = launchedFiles(launchOf(words)).at(-1);
          const end = script === undefined ? words.length : 1 + Number(script.pointer.split("/").at(-1));
          const index = 1 + (at % Math.max(1, end));
          // Go runs the files before the first word with another extension.
          fc.pre(!known.words.includes("b.go"));
          // After `--`, a word with a dash is not an option.
          fc.pre(words[index - 1] !== "--");
          const changed = launchOf([...words.slice(0, index), option, ...words.slice(index)]);
          const coverage = launchCoverage(changed);
          // After the package or script, the option belongs to the server, and the pinned parts are unchanged.
          if (coverage?.state === "not covered") return;
          const paths = (launch: Launch) => launchedFiles(launch).map(({ path }) => path);
          expect(script === undefined ? coverage?.state : paths(changed)).toEqual(
            script === undefined ? "artifact" : paths(launchOf(words)),
          );
          expect(script === undefined || index >= end, `${option} at ${index} of ${words.join(" ")}`).toBe(true);
        },
      ),
      { numRuns: runs(1000) },
    );
  });

  test("has a state that agrees with its files, whatever its words are", () => {
    const word = fc.oneof(fc.constantFrom(...new Set(KNOWN.flatMap(({ words }) => words))), fc.string());
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 8 }), (words) => {
        const coverage = launchCoverage(launchOf(words));
        const files = launchedFiles(launchOf(words));
        if (coverage?.state === "files") expect(files.length).toBeGreaterThan(0);
        if (coverage?.state === "artifact") expect(files).toEqual([]);
        if (coverage?.state === "not covered") expect(coverage.word).toBeTypeOf("string");
        expect(new Set(files.map(({ pointer }) => pointer)).size).toBe(files.length);
      }),
      { numRuns: runs(1500) },
    );
  });

  test("is not covered where a file has no digest", () => {
    const launch = launchOf(["node", "--import", "./first.mjs", "server.js"]);
    expect(coverageWithFiles(launch, ["/args/1", "/args/2"])).toEqual({ state: "files" });
    expect(coverageWithFiles(launch, ["/args/2"])).toEqual({
      state: "not covered",
      word: "./first.mjs",
      pointer: "/args/1",
    });
    expect(coverageWithFiles(launch, ["/args/0", "/args/1", "/args/2"])).toMatchObject({
      state: "not covered",
      pointer: "/args/0",
    });
  });
});
