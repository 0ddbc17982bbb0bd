import { readFileSync } from "node:fs";
import { bundledPackages } from "../../bundled-packages.ts";
import { packageConfig } from "../../tsdown.config.ts";

const { name, version } = JSON.parse(readFileSync("package.json", "utf8"));

// Outside Node, Ed25519 comes from a package that is bundled into the build.
export default { ...packageConfig(), plugins: [bundledPackages({ name, version }, "dist")] };
