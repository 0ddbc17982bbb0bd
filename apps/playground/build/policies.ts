/** The content security policy of the page: it may run and fetch only the files next to it. */
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

/** The policy in the page itself, which holds with every server. */
export const META_POLICY: string = PAGE.join("; ");

/** The same as a header, plus directives that only work in a header. */
export const PAGE_HEADER: string = [...PAGE, "frame-ancestors 'none'"].join("; ");

/** For the workers: they request nothing, and run only code from files. */
export const WORKER_HEADER: string = "default-src 'none'; script-src 'self'";
