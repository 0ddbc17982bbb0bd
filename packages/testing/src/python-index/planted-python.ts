import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Plants, in the folder of a project and in the one above it, whatever makes any Python program choose packages, an
 * interpreter or code: settings, environments, programs, modules.
 *
 * @param mark The file that each planted piece of code creates
 * @param index The address of an index with other packages
 * @returns Variables that lead to the planted files; `PATH` contains only folders of the project
 */
export function plantPython(project: string, mark: string, index: string): Readonly<Record<string, string>> {
  const at = (name: string): string => join(project, name);
  for (const place of [dirname(project), project]) {
    const settings = `index-url = "${index}"\nno-binary = true\n[pip]\ntarget = "${at("target")}"\n`;
    writeFileSync(join(place, "uv.toml"), settings);
    writeFileSync(join(place, "pyproject.toml"), `[tool.uv]\nindex-url = "${index}"\n`);
    writeFileSync(join(place, ".python-version"), `${at("bin/python3")}\n`);
  }
  for (const name of [".venv/bin", "bin"]) {
    mkdirSync(at(name), { recursive: true });
    for (const each of ["uv", "python", "python3", "one", "realpath", "dirname"])
      writeFileSync(join(at(name), each), `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 });
  }
  writeFileSync(at(".venv/pyvenv.cfg"), "home = /usr/bin\n");
  const code = `open(${JSON.stringify(mark)}, "w")`;
  for (const name of ["sitecustomize.py", "usercustomize.py", "dep.py", "os.py"])
    writeFileSync(at(name), `${code}\nNOTE = "evil"\n`);
  writeFileSync(at("evil.pth"), `import os; ${code}\n`);
  writeFileSync(at("limits.txt"), "dep==0.9\n");
  return {
    PATH: [at(".venv/bin"), at("bin"), "bin"].join(":"),
    VIRTUAL_ENV: at(".venv"),
    PYTHONPATH: project,
    PYTHONSTARTUP: at("sitecustomize.py"),
    PIP_INDEX_URL: index,
    UV_CONFIG_FILE: at("uv.toml"),
    UV_PYTHON: at("bin/python3"),
    UV_CONSTRAINT: at("limits.txt"),
    UV_OVERRIDE: at("limits.txt"),
    UV_FIND_LINKS: project,
    UV_CACHE_DIR: at("cache"),
    UV_WORKING_DIR: project,
    UV_PROJECT_ENVIRONMENT: at(".venv"),
    UV_COMPILE_BYTECODE: "1",
    UV_LINK_MODE: "symlink",
  };
}
