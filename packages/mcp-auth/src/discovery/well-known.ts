function inserted(url: URL, name: string): string {
  const path = url.pathname === "/" ? "" : url.pathname;
  return `${url.origin}/.well-known/${name}${path}${url.search}`;
}

/**
 * Returns the places of a resource's metadata in the order that MCP prescribes: with the server's path, then at the
 * root.
 */
export function resourcePlaces(server: URL): readonly string[] {
  return [
    ...new Set([inserted(server, "oauth-protected-resource"), `${server.origin}/.well-known/oauth-protected-resource`]),
  ];
}

/** Returns the places of an authorization server's metadata, in the order that MCP prescribes. */
export function issuerPlaces(issuer: URL): readonly string[] {
  const bare = new URL(issuer.origin + issuer.pathname.replace(/\/$/, ""));
  const openid = "openid-configuration";
  const places = [inserted(bare, "oauth-authorization-server"), inserted(bare, openid)];
  if (bare.pathname !== "/") places.push(`${bare.href}/.well-known/${openid}`);
  return places;
}
