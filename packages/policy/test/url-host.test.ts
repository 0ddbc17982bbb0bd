import { describe, expect, test } from "vitest";
import { isHostWithin } from "../src/calls/url-host.ts";
import { judge, toHost } from "./support/calls.ts";

describe("url-host lets pass", () => {
  test.each<[host: string, url: string]>([
    ["example.com", "https://example.com"],
    ["example.com", "http://example.com/a?b=c#d"],
    ["example.com", "HTTPS://example.com/A/B?C=D"],
    ["example.com", "https://example.com:443/"],
    ["example.com", "http://example.com:80"],
    ["example.com", "https://example.com/@evil.org"],
    ["example.com:8443", "https://example.com:8443/"],
    ["*.example.com", "https://a.example.com"],
    ["*.example.com", "https://a.b.example.com"],
    ["xn--bcher-kva.example", "https://xn--bcher-kva.example/"],
    ["127.0.0.1", "http://127.0.0.1/"],
    ["[::1]:8080", "http://[::1]:8080/"],
  ])("%s: %s", (host, url) => {
    expect(judge(toHost(host), url)).toEqual({ decision: "pass" });
  });
});

describe("url-host refuses", () => {
  test.each<[host: string, url: string]>([
    ["example.com", "https://evil.org"],
    ["example.com", "https://example.com.evil.org"],
    ["example.com", "https://notexample.com"],
    ["example.com", "https://a.example.com"],
    ["example.com", "https://example.com@evil.org"],
    ["example.com", "https://example.com:443@evil.org"],
    ["example.com", "https://user:password@example.com"],
    ["example.com", "https://@example.com"],
    ["example.com", "https://evil.org\\@example.com"],
    ["example.com", "https://example.com\\.evil.org"],
    ["example.com", "https:\\\\example.com"],
    ["example.com", "https://evil.org#@example.com"],
    ["example.com", "https://evil.org?@example.com"],
    ["example.com", "https:example.com"],
    ["example.com", "https:///example.com"],
    ["example.com", "//example.com"],
    ["example.com", "example.com"],
    ["example.com", "https://example.com:8443"],
    ["example.com", "https://example.com:80/"],
    ["example.com", "https://example.com:/"],
    ["example.com", "https://example.com:0443/"],
    ["example.com", "https://EXAMPLE.com/"],
    ["example.com", "https://example.coM"],
    ["example.com", "https://example.com./a"],
    ["example.com", "https://example.com.:443/a"],
    ["*.example.com", "https://a.EXAMPLE.com/"],
    ["*.example.com", "https://a.example.com./"],
    ["xn--bcher-kva.example", "https://XN--bcher-kva.example/"],
    ["127.0.0.1", "http://127.0.0.1./"],
    ["[::1]", "http://[::1]./"],
    ["[::ab]", "http://[::AB]/"],
    ["example.com", "https://example.com../"],
    ["example.com", "https://.example.com/"],
    ["example.com", "https://ex%61mple.com"],
    ["example.com", "https://\uff45xample.com"],
    ["example.com", "https://ex\u0430mple.com"],
    ["example.com", "https://example\u3002com"],
    ["example.com", "https://exam\u00adple.com"],
    ["example.com", "https://exam\tple.com"],
    ["example.com", "https://example.com/\n"],
    ["example.com", " https://example.com"],
    ["example.com", "https://example.com/a b"],
    ["example.com", "ftp://example.com"],
    ["example.com", "file://example.com/a"],
    ["example.com", "javascript://example.com/%0aalert(1)"],
    ["example.com", "ws://example.com"],
    ["example.com", "https://*/"],
    ["example.com", "https://[example.com]/"],
    ["*.example.com", "https://example.com"],
    ["*.example.com", "https://.example.com"],
    ["*.example.com", "https://notexample.com"],
    ["*.example.com", "https://a.example.com:8443"],
    ["127.0.0.1", "http://2130706433/"],
    ["127.0.0.1", "http://0x7f.1/"],
    ["127.0.0.1", "http://127.1/"],
    ["[::1]", "http://[0:0:0:0:0:0:0:1]/"],
  ])("%s: %j", (host, url) => {
    expect(judge(toHost(host), url).decision).toBe("deny");
  });
});

test.each<[inner: string, outer: string, isWithin: boolean]>([
  ["example.com", "example.com", true],
  ["example.com", "example.org", false],
  ["example.com", "example.com:8443", false],
  ["a.example.com", "*.example.com", true],
  ["example.com", "*.example.com", false],
  ["*.example.com", "*.example.com", true],
  ["*.a.example.com", "*.example.com", true],
  ["*.example.com", "*.a.example.com", false],
  ["*.example.com", "a.example.com", false],
])("all hosts of %s are hosts of %s: %s", (inner, outer, isWithin) => {
  expect(isHostWithin(inner, outer)).toBe(isWithin);
});
