import { copyFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { blocksOf } from "@agentprint/testing/markdown/code-blocks";
import { canRun } from "@agentprint/testing/programs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { AuthorProject } from "../support/author-project.ts";

const [PYTHON = "python3", GO_MODULES] = [process.env["AGENTPRINT_PYTHON"], process.env["AGENTPRINT_GO_SDK"]];

const hasModule = (name: string): boolean => canRun(PYTHON, ["-c", `import ${name}`]);

/** The page's servers: how each is started, and how its tag becomes required. */
const SERVERS = [
  {
    file: "server-2.mjs",
    needs: "node",
    isThere: true,
    launch: ["node", "server-2.mjs"],
    optional: "z.string().optional()",
    required: "z.string()",
  },
  {
    file: "server_mcp.py",
    needs: "mcp 2.x for AGENTPRINT_PYTHON",
    isThere: hasModule("mcp.server.mcpserver"),
    launch: [PYTHON, "server_mcp.py"],
    optional: 'tag: str = ""',
    required: "tag: str",
  },
  {
    file: "server_fastmcp.py",
    needs: "fastmcp for AGENTPRINT_PYTHON",
    isThere: hasModule("fastmcp"),
    launch: [PYTHON, "server_fastmcp.py"],
    optional: 'tag: str = ""',
    required: "tag: str",
  },
  {
    file: "main.go",
    needs: "Go and AGENTPRINT_GO_SDK, a folder with go.mod and go.sum of the SDK",
    isThere: GO_MODULES !== undefined,
    launch: ["go", "run", "."],
    optional: "tag,omitempty",
    required: "tag",
  },
];

let project: AuthorProject;
beforeEach(() => {
  project = new AuthorProject();
  project.write("1.2.0", []);
  symlinkSync(join(import.meta.dirname, "../../node_modules"), project.path("node_modules"), "junction");
  if (GO_MODULES === undefined) return;
  for (const file of ["go.mod", "go.sum"]) copyFileSync(join(GO_MODULES, file), project.path(file));
});
afterEach(() => project[Symbol.dispose]());

for (const { file, needs, isThere, launch, optional, required } of SERVERS) {
  const code = blocksOf("docs/author.md").find((block) => block.file === file)?.code ?? "";
  describe.skipIf(!isThere)(`${file} of docs/author.md (skipped without ${needs})`, () => {
    test("runs from the snapshot to a breaking change", async () => {
      const release = (...args: string[]) => project.run(["release", ...args, "--", ...launch]);
      writeFileSync(project.path(file), code);
      expect(await release("--init")).toMatchObject({ code: 0, stderr: "" });
      copyFileSync(project.path("agentprint.server.lock"), project.path("before.lock"));
      const same = await release("--against", "before.lock");
      expect(same).toMatchObject({ code: 0, stdout: expect.stringContaining("nothing changed: 1.2.0 → 1.2.0") });
      expect(code).toContain(optional);
      writeFileSync(project.path(file), code.replace(optional, required));
      const broken = await release("--against", "before.lock");
      expect(broken).toMatchObject({ code: 1, stdout: expect.stringContaining("callers break (major)") });
    });
  });
}
