import { createHash } from "node:crypto";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const INLINE_SCRIPT = /<script(?: id="[^"]*")?>(.*?)<\/script>/gs;

/** Gives each page a policy: it permits only files of the site, and only the inline scripts that the page already has. */
export function addPolicies(folder: string): void {
  for (const path of globSync("**/*.html", { cwd: folder })) {
    const html = readFileSync(join(folder, path), "utf8");
    const policy = policyOf(html);
    const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
    writeFileSync(
      join(folder, path),
      html.replace(/<meta charset="utf-8" ?\/?>/i, (charset) => charset + meta),
    );
  }
}

/** Returns the policy of a page; it permits no style attribute and no evaluation. */
export function policyOf(html: string): string {
  const hashes = [...html.matchAll(INLINE_SCRIPT)].map(([, script = ""]) => sourceOf(script));
  return [
    "default-src 'none'",
    `script-src ${["'self'", ...new Set(hashes)].join(" ")}`,
    `style-src 'self' ${sourceOf("")}`, // the script of the reference makes an empty style element
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

const sourceOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
