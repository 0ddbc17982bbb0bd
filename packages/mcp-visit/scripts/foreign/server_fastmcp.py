"""A small server made with fastmcp: over stdio, or over HTTP on the port that follows; after `login`, behind its own login."""

import sys

from fastmcp import FastMCP
from fastmcp.server.auth.auth import ClientRegistrationOptions
from fastmcp.server.auth.providers.in_memory import InMemoryOAuthProvider

port = sys.argv[1] if len(sys.argv) > 1 else None
auth = None
if sys.argv[2:] == ["login"]:
    auth = InMemoryOAuthProvider(
        base_url=f"http://127.0.0.1:{port}",
        client_registration_options=ClientRegistrationOptions(enabled=True),
        required_scopes=["mcp:read"],
    )

server = FastMCP("fastmcp", instructions="Adds numbers.", auth=auth)


@server.tool
def add(a: int, b: int) -> int:
    """Adds two numbers."""
    return a + b


@server.prompt
def greet() -> str:
    """Greets."""
    return "Hello"


@server.resource("file:///readme")
def readme() -> str:
    """What to know."""
    return "text"


if port is not None:
    server.run("http", port=int(port), show_banner=False)
else:
    server.run(show_banner=False)
