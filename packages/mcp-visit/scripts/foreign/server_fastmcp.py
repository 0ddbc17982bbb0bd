"""A small server made with fastmcp: over stdio, or over HTTP on the port that follows."""

import sys

from fastmcp import FastMCP

server = FastMCP("fastmcp", instructions="Adds numbers.")


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


if len(sys.argv) > 1:
    server.run("http", port=int(sys.argv[1]), show_banner=False)
else:
    server.run(show_banner=False)
