import { existsSync, lstatSync, mkdirSync, readdirSync, realpathSync, symlinkSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";

/**
 * Links the modules of one of the base's projects: third-party packages come from this checkout, workspace packages from the
 * base.
 *
 * @param root this checkout
 * @param project the project's folder in the base, such as `packages/trail`
 * @param base the root of the base
 * @param target the folder that receives `node_modules`; it is as deep as the project
 */
export function linkModules(root: string, project: string, base: string, target: string = join(base, project)): void {
  const [from, to] = [join(root, project, "node_modules"), join(target, "node_modules")];
  if (!existsSync(from)) return;
  const link = (name: string): void => {
    const real = realpathSync(join(from, name));
    const inside = relative(realpathSync(root), real);
    const isOurs = !inside.startsWith("..") && !inside.split(sep).includes("node_modules");
    mkdirSync(dirname(join(to, name)), { recursive: true });
    // The link is relative, because the folder is renamed when it is complete.
    symlinkSync(
      isOurs ? relative(join(target, "node_modules", dirname(name)), join(base, inside)) : real,
      join(to, name),
    );
  };
  for (const name of readdirSync(from)) {
    if (name.startsWith("@")) for (const scoped of readdirSync(join(from, name))) link(join(name, scoped));
    else if (name === ".bin" || lstatSync(join(from, name)).isSymbolicLink()) link(name);
  }
}
