import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Attack } from "./attack.ts";
import { answerText, READ } from "./hostile-http.ts";
import { type GuardUnderAttack, SERVER, until, type World } from "./world.ts";

const RECORD = ["--record", "trail", "--record-key", "recorder.key"];

async function end(guard: GuardUnderAttack): Promise<void> {
  const ended = once(guard.child, "exit");
  guard.child.kill("SIGTERM");
  await ended;
}

/** Verifies the record, and returns the number of calls in it. */
async function recordedCalls(world: World): Promise<number> {
  const log = await world.command("guard", "log", ...RECORD, "--format", "json");
  return log
    .split("\n")
    .filter((line) => /"kind":"call"/.test(line) && /"outcome":"forwarded"|"outcome":"passed"/.test(line)).length;
}

const twoGuards: Attack = {
  name: "two guards write one record",
  amount: "500 calls each",
  async run({ world }) {
    const guards = [await world.guard(...RECORD), await world.guard(...RECORD)];
    await Promise.all(
      guards.map(async (guard) => {
        for (let index = 0; index < 500; index += 10) {
          await Promise.all(Array.from({ length: 10 }, () => guard.call("honest", "read")));
        }
      }),
    );
    await Promise.all(guards.map(end));
    const calls = await recordedCalls(world);
    if (calls !== 1000) throw new Error(`the record has ${calls} of 1,000 calls`);
    return { ended: "the record verifies, and has all 1,000 calls", passed: 0 };
  },
};

const wrapTwice: Attack = {
  name: "`wrap` runs twice at the same time",
  amount: "10 times",
  async run({ world }) {
    const servers = { honest: { command: process.execPath, args: [SERVER, "honest"] } };
    const before = JSON.stringify({ mcpServers: servers }, null, 3);
    let refused = 0;
    for (let round = 0; round < 10; round++) {
      writeFileSync(world.path("mcp.json"), before);
      const wrap = () => world.ended("wrap", "--mcp-config", "mcp.json");
      refused += (await Promise.all([wrap(), wrap()])).filter(({ code }) => code !== 0).length;
      const [entry] = Object.values(
        JSON.parse(readFileSync(world.path("mcp.json"), "utf8")).mcpServers as typeof servers,
      );
      const guards = entry?.args.filter((arg) => arg === "guard").length;
      if (guards !== 1) throw new Error(`${guards} guards stand in front of the server`);
      await world.command("unwrap", "--mcp-config", "mcp.json");
      if (readFileSync(world.path("mcp.json"), "utf8") !== before) throw new Error("`unwrap` restores other bytes");
    }
    return { ended: `one guard each time (${refused} refused); \`unwrap\` restores the previous bytes`, passed: 0 };
  },
};

const weakened: Attack = {
  name: "the checked change weakens the policy",
  amount: "a new tool, and rules that are off",
  async run({ world }) {
    const git = (...args: string[]): string =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], {
        cwd: world.folder,
        encoding: "utf8",
      });
    writeFileSync(world.path("agentprint.config.json"), JSON.stringify({ preset: "strict" }));
    git("init", "--quiet");
    git("add", "agentprint.lock", "agentprint.config.json");
    git("commit", "--quiet", "-m", "before");
    const rules = { "mcp/item-added": "off" };
    writeFileSync(world.path("agentprint.config.json"), JSON.stringify({ preset: "breaking", rules }));
    git("commit", "--quiet", "-a", "-m", "weaker");
    world.mode = "announcements";
    const { code, text } = await world.ended("check", "hostile", "--base", "HEAD~1");
    if (code !== 1 || !text.includes("the policy is weaker") || !text.includes("wipe")) {
      throw new Error(`exit code ${code}: ${text.slice(0, 300)}`);
    }
    return { ended: "exit code 1 for the weaker policy, and the new tool is reported", passed: 0 };
  },
};

const fullDisk: Attack = {
  name: "the lock is on a full disk",
  amount: "1 MiB",
  async run({ world }) {
    const folder = world.path("full");
    mkdirSync(folder);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", folder]);
    try {
      const lock = `${folder}/agentprint.lock`;
      copyFileSync(world.path("agentprint.lock"), lock);
      fill(`${folder}/filler`);
      const before = [readFileSync(lock, "utf8"), readdirSync(folder).join()];
      world.mode = "announcements";
      const runs = [
        ["approve", "hostile", "--yes", "--lock", lock],
        ["pin", "--name", "more", "--lock", lock, "--", process.execPath, SERVER, "more"],
      ];
      for (const args of runs) {
        const { code, text } = await world.ended(...args);
        if (code !== 2) throw new Error(`${args[0]}: exit code ${code}: ${text.slice(0, 200)}`);
        const after = [readFileSync(lock, "utf8"), readdirSync(folder).join()];
        if (after.join() !== before.join()) throw new Error(`${args[0]} leaves another lock, or files next to it`);
      }
      return { ended: "`approve` and `pin` end with exit code 2; the lock stays the same", passed: 0 };
    } finally {
      execFileSync("umount", [folder]);
    }
  },
};

/** Fills a disk's free space. */
function fill(file: string): void {
  for (const size of [65_536, 4096, 1]) {
    try {
      for (;;) appendFileSync(file, Buffer.alloc(size));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    }
  }
}

const clockBack: Attack = {
  name: "the clock is set back while a guard runs",
  amount: "1 hour",
  async run({ world }) {
    process.env["NODE_OPTIONS"] = `--import=${fileURLToPath(new URL("clock-back.mjs", import.meta.url))}`;
    const guard = await world.guard("--recheck", "1", ...RECORD);
    delete process.env["NODE_OPTIONS"];
    const isCalled = async (): Promise<boolean> => /called read/.test(await guard.call("remote", "read"));
    if (!(await isCalled())) throw new Error("the call was not answered");
    writeFileSync(world.path("clock-back"), "");
    world.remote.attacks = {
      "tools/list": (asked, response) => {
        const tools = [{ ...READ, inputSchema: { type: "object", required: ["more"] } }];
        response.writeHead(200, { "content-type": "application/json" });
        response.end(answerText(asked, { tools, ttlMs: 0, cacheScope: "private" }));
      },
    };
    await until(async () => !(await isCalled()), "the drifted tool is refused");
    world.remote.attacks = {};
    await until(isCalled, "the tool is called again");
    await world.command("remove", "remote");
    await until(async () => !(await isCalled()), "the lock is followed");
    await end(guard);
    const calls = await recordedCalls(world);
    if (calls < 2) throw new Error("the record has no calls");
    return { ended: "drift and a new lock are noticed in time; the record verifies", passed: 0 };
  },
};

export const FILES: readonly Attack[] = [twoGuards, wrapTwice, weakened, fullDisk, clockBack];
