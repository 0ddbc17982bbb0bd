/** The part of Trusted Types that the page uses; TypeScript's library does not declare it. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };

const policy = trustedTypes?.createPolicy("agentprint", {
  createScriptURL(url) {
    const { origin, pathname } = new URL(url, document.baseURI);
    const folder = new URL(".", document.baseURI).pathname;
    if (origin === location.origin && pathname.startsWith(folder)) return url;
    throw new TypeError(`not a script of this page: ${url}`);
  },
});

/** Returns the address of a script next to the page, in the form that the browser accepts for a worker. */
export function trustedUrl(url: string): string {
  return policy?.createScriptURL(url) ?? url;
}
