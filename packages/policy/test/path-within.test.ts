import { describe, expect, test } from "vitest";
import { judge, ofPath, policyOf, refused, within } from "./support/calls.ts";

describe("path-within lets pass", () => {
  test.each<[root: string, path: string]>([
    ["/srv/data", "/srv/data"],
    ["/srv/data", "/srv/data/"],
    ["/srv/data/", "/srv/data/a/b.txt"],
    ["/srv/data", "/srv/./data//a"],
    ["/srv/data", "/srv/data/a/../b"],
    ["/srv/data", "/srv/other/../data/a"],
    ["/srv/data", "/srv/data/..a/.b/c..d"],
    ["/srv/data", "/srv/data/my%20file"],
    ["/srv/data", "/srv/data/50%"],
    ["/srv/data", "/srv/data/%2e/a"],
    ["/srv/data", "/srv/data/~/a"],
    ["/srv/data", "/srv/data/caf\u00e9 \u6587.txt"],
    ["/srv/data", "/srv/data/12:30"],
    ["/srv/data", "/srv/data/README.MD"],
    ["/", "/etc"],
    ["~", "~/a"],
    ["~/projects", "~/projects/a"],
    [".", "a/b"],
    [".", "."],
    ["docs", "docs/a"],
    ["./docs", "docs/../docs/a"],
    ["C:\\data", "C:\\data\\a.txt"],
    ["C:\\data", "c:/DATA/a.txt"],
    ["c:/data", "\\\\?\\C:\\data\\a"],
    ["C:\\", "C:\\Windows"],
    ["\\\\server\\share", "\\\\SERVER\\share\\a"],
    ["\\\\server\\share\\a", "//server/share/a/b"],
    ["\\\\server\\share\\a", "\\\\?\\UNC\\server\\share\\a\\b"],
  ])("%s: %s", (root, path) => {
    expect(judge(within(root), path)).toEqual({ decision: "pass" });
  });
});

describe("path-within refuses", () => {
  test.each<[root: string, path: string]>([
    ["/srv/data", "/srv"],
    ["/srv/data", "/srv/database"],
    ["/srv/data", "/srv/data/../secret"],
    ["/srv/data", "/srv/data/../../etc/passwd"],
    ["/srv/data", "/../srv/data/a"],
    ["/srv/data", "srv/data/a"],
    ["/srv/data", "/SRV/data/a"],
    ["/srv/data", "/srv/data/%2e%2e/secret"],
    ["/srv/data", "/srv/data/%2E%2e/secret"],
    ["/srv/data", "/srv/data/.%2e/secret"],
    ["/srv/data", "/srv/data/%252e%252e/secret"],
    ["/srv/data", "/srv/data/%25252e%25252e/secret"],
    ["/srv/data", `/srv/data/%${"25".repeat(20)}2e%2e`],
    ["/srv/data", "/srv/data/..%2f..%2fetc"],
    ["/srv/data", "/srv/data/..%5c..%5cetc"],
    ["/srv/data", "/srv/data/%c0%ae%c0%ae/secret"],
    ["/srv/data", "/srv/data/%u002e%u002e/secret"],
    ["/srv/data", "/srv/data/a%00.txt"],
    ["/srv/data", "/srv/data/a\u0000.txt"],
    ["/srv/data", "/srv/data/a\n"],
    ["/srv/data", "/srv/data/\u0085"],
    ["/srv/data", "/srv/data/\ud800"],
    ["/srv/data", " /srv/data/a"],
    ["/srv/data", "/srv/data/a "],
    ["/srv/data", "/srv/data/\uff0e\uff0e/secret"],
    ["/srv/data", "/srv/data/..\uff0fsecret"],
    ["/srv/data", "/srv/data/\u2025/secret"],
    ["/srv/data", "/srv/data/.../secret"],
    ["/srv/data", "/srv/data/.. /secret"],
    ["/srv/data", "/srv/data\\..\\secret"],
    ["/srv/data", "\\srv\\data\\a"],
    ["/srv/data", "//srv/data/a"],
    ["/srv/data", "file:///srv/data/a"],
    ["/srv/data", "~/a"],
    ["/srv/data", ""],
    ["~/projects", "~other/projects/a"],
    ["~/projects", "~\\projects\\a"],
    ["~/projects", "~/projects/../secret"],
    ["~/projects", "/home/me/projects"],
    ["~/projects", "projects"],
    ["docs", "docs/../secret"],
    ["docs", "../docs/a"],
    [".", ".."],
    [".", "/etc"],
    [".", "file:etc"],
    [".", "C:a"],
    ["C:\\data", "C:data\\a"],
    ["C:\\data", "D:\\data\\a"],
    ["C:\\data", "C:\\data\\..\\secret"],
    ["C:\\data", "C:\\data\\.. \\secret"],
    ["C:\\data", "C:\\data.\\a"],
    ["C:\\data", "C:\\data\\a."],
    ["C:\\data", "C:\\data\\a.txt:stream"],
    ["C:\\data", "C:\\data\\NUL"],
    ["C:\\data", "C:\\data\\com1.txt"],
    ["C:\\data", "\\data\\a"],
    ["C:\\data", "/data/a"],
    ["C:\\data", "\\\\.\\C:\\data\\a"],
    ["C:\\data", "\\\\?\\C:\\data\\..\\secret"],
    ["C:\\data", "\\\\?\\C:/data/a"],
    ["C:\\data", "\\\\?\\GLOBALROOT\\a"],
    ["C:\\data", "//?/C:/data/a"],
    ["C:\\data", "\\??\\C:\\data\\a"],
    ["C:\\\u212Aeys", "C:\\keys\\a"],
    ["\\\\server\\share", "\\\\server\\other\\a"],
    ["\\\\server\\share", "\\\\server\\share\\..\\other"],
    ["\\\\server\\share", "\\\\server"],
    ["\\\\server\\share", "\\\\..\\share\\a"],
  ])("%s: %j", (root, path) => {
    if (root.includes("\u212A"))
      expect(refused(() => policyOf({ arguments: ofPath(within(root)) })).code).toBe("invalid-value");
    else expect(judge(within(root), path).decision).toBe("deny");
  });

  test("every character that some readers leave out or take for a separator, wherever it stands and however it is encoded", () => {
    const likeSeparators =
      "\u00a5\u20a9\u20e5\u2044\u2215\u2216\u2571\u2572\u27cb\u27cd\u29f5\u29f6\u29f7\u29f8\u29f9\u2e4a";
    const ignorable: string[] = [];
    for (let code = 0x80; code <= 0xe0fff; code++) {
      const character = String.fromCodePoint(code);
      if (/\p{Default_Ignorable_Code_Point}/u.test(character)) ignorable.push(character);
    }
    expect(ignorable.length).toBeGreaterThan(4000);
    const samples = ignorable.filter((_, index) => index < 60 || index % 100 === 0);
    for (const character of [...likeSeparators, ...samples]) {
      for (const path of [`/srv/data/a${character}b`, `/srv/data/..${character}/secret`, `/srv/da${character}ta/a`]) {
        expect(judge(within("/srv/data"), path).decision, JSON.stringify(path)).toBe("deny");
        expect(judge(within("/srv/data"), encodeURI(path)).decision, encodeURI(path)).toBe("deny");
      }
    }
  });

  test("values other than strings", () => {
    for (const value of [1, null, ["/srv/data"], { "/srv/data": 1 }])
      expect(judge(within("/srv/data"), value).decision).toBe("deny");
  });

  test("what is in none of several roots", () => {
    expect(judge(within("/a", "/b"), "/b/c").decision).toBe("pass");
    expect(judge(within("/a", "/b"), "/c").decision).toBe("deny");
  });
});
