import { describe, expect, it } from "vitest"
import { explainCause } from "../src/store/failure.ts"

const withCode = (code: string, message = ""): Error => Object.assign(new Error(message), { code })

describe("the explanation of a database error", () => {
  it.each([
    [withCode("ECONNREFUSED", "connect ECONNREFUSED 192.0.2.1:5432"), "refused the connection"],
    [withCode("ECONNRESET", "read ECONNRESET"), "the connection to the database was closed [ECONNRESET]"],
    [withCode("EPIPE"), "the connection to the database was closed [EPIPE]"],
    [new Error("Connection terminated unexpectedly"), "the connection to the database was closed"],
    [withCode("ENOTFOUND", "getaddrinfo ENOTFOUND db.example"), "the name of the database's host cannot be resolved"],
    [withCode("EAI_AGAIN"), "the name of the database's host cannot be resolved"],
    [withCode("ETIMEDOUT"), "the database's host does not respond [ETIMEDOUT]"],
    [withCode("EHOSTUNREACH"), "the database's host does not respond [EHOSTUNREACH]"],
    [new Error('password authentication failed for user "x"'), "the database refused the user or the password"],
    [new Error("unable to open database file"), "the file cannot be opened"],
    [withCode("ENOENT"), "the file cannot be opened. Check that its folder exists and is writable [ENOENT]"],
    [new Error("file is not a database"), "the file is not an SQLite database"],
    [new Error("database or disk is full"), "the disk is full"],
    [withCode("ENOSPC"), "the disk is full [ENOSPC]"],
    [new Error("attempt to write a readonly database"), "it is not writable"],
    [withCode("EACCES"), "it is not writable [EACCES]"],
    [new Error("database is locked"), "another process uses it"],
    [new Error("disk I/O error"), "the disk reports an error"],
    [new Error("database disk image is malformed"), "the file is damaged. Restore it from a backup"]
  ])("describes the cause in words: %s", (cause, reason) => {
    expect(explainCause(cause)).toContain(reason)
  })

  it("contains no address from the error message of the database", () => {
    const cause = withCode("ECONNREFUSED", "connect ECONNREFUSED 192.0.2.1:5432")
    expect(explainCause(cause)).toBe(
      "the database refused the connection. Check that it is running, and its host and port [ECONNREFUSED]"
    )
  })

  it.each<readonly [cause: unknown, reason: string]>([
    [new Error("something else."), "something else"],
    [new Error("3.5 is odd"), "3.5 is odd"],
    [new Error(""), "Error"],
    ["a text", "a text"],
    [undefined, "undefined"],
    [null, "null"]
  ])("is the text of the error if the error is unknown: %s", (cause, reason) => {
    expect(explainCause(cause)).toBe(reason)
  })
})
