"""A small server made with Python's mcp: over stdio, or over HTTP on the port that follows."""

import sys

from mcp.server import MCPServer

server = MCPServer("python", instructions="Adds numbers.")


@server.tool()
def add(a: int, b: int) -> int:
    """Adds two numbers."""
    return a + b


@server.prompt()
def greet() -> str:
    """Greets."""
    return "Hello"


@server.resource("file:///readme")
def readme() -> str:
    """What to know."""
    return "text"


if len(sys.argv) > 1:
    server.run("streamable-http", port=int(sys.argv[1]))
else:
    server.run("stdio")
