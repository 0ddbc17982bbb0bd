import { describe, expect, test } from "vitest";
import { openTrailStore } from "../src/index.ts";

describe("opening", () => {
  test.each([
    "mysql://localhost/x",
    "trail.db",
    "",
    "file:",
    "file://secret@host/x.db",
    "file:///secret%zz",
    "file:///secret%00",
    "sqlite:postgres://user:secret@host/x",
    "file:postgresql://user:secret@host/x",
    "sqlite:mysql://user:secret@host/x.db",
    "sqlite://user:secret@host/x.db",
    "file: postgres://user:secret@host/x",
    "sqlite:sqlite:postgres://user:secret@host/x",
    " postgres://user:secret@host/x",
    "postgres://user:secret@[bad",
    "postgres://user:secret@localhost/x?port=none",
  ])("refuses %j", async (url) => {
    const opened = openTrailStore(url, { retryForMs: 10 });
    await expect(opened).rejects.toMatchObject({
      code: "unsupported-url",
      message: expect.not.stringContaining("secret"),
    });
  });

  test("does not create a store with create: false", async () => {
    for (const url of ["file:/nowhere/trail.db", "sqlite::memory:"]) {
      for (const options of [{ create: false }, { readonly: true }]) {
        await expect(openTrailStore(url, options)).rejects.toMatchObject({ code: "not-a-trail-store" });
      }
    }
  });

  test("says that the folder of a file is missing", async () => {
    await expect(openTrailStore("file:/nowhere/trail.db")).rejects.toMatchObject({ code: "unavailable" });
  });

  test("says that a server is unreachable, and never repeats the password", async () => {
    const opened = openTrailStore("postgres://user:secret@localhost:1/x", { retryForMs: 10 });
    await expect(opened).rejects.toMatchObject({ code: "unavailable", message: expect.not.stringContaining("secret") });
  });
});
