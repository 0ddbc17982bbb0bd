/** The page's content security policy: the page may run and fetch only the files next to it. */
const PAGE = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "worker-src 'self'",
  "connect-src 'self'",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types agentprint",
];

/** The policy in the page itself, which applies on every server. */
export const META_POLICY: string = PAGE.join("; ");

/** The same policy as a header, plus the directives that work only in a header. */
export const PAGE_HEADER: string = [...PAGE, "frame-ancestors 'none'"].join("; ");

/** The workers' policy: they request nothing, and run only code from files. */
export const WORKER_HEADER: string = "default-src 'none'; script-src 'self'";
