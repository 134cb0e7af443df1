import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { secretIn } from "../src/outbound/secretIn.ts"

const directory = mkdtempSync(join(tmpdir(), "sourcewire-secret-"))
afterAll(() => rmSync(directory, { recursive: true }))

const FILE = join(directory, "secret.txt")
const read = (text: string) => {
  writeFileSync(FILE, text)
  return secretIn(FILE)
}

describe("a file with a secret", () => {
  it.each([
    ["a line without a line end", "s3cret"],
    ["a line with a line end", "s3cret\n"],
    ["a line with blanks and a line end of Windows", "  s3cret \r\n"],
    ["a line after a byte order mark", "\ufeffs3cret\n"]
  ])("can contain the secret in %s", async (_, text) => {
    expect(await read(text)).toBe("s3cret")
  })

  it("can have up to 4096 characters", async () => {
    expect(await read("x".repeat(4096))).toHaveLength(4096)
    await expect(read("x".repeat(4097))).rejects.toThrow(`${FILE} must contain one line with the secret`)
  })

  it.each([
    ["nothing", ""],
    ["only blanks", " \n"],
    ["two lines", "one\ntwo"],
    ["two lines of old Macs", "one\rtwo"]
  ])("is rejected if it contains %s, and the error does not reveal the content", async (_, text) => {
    await expect(read(text)).rejects.toThrow(new Error(`${FILE} must contain one line with the secret`))
  })

  it("causes an error with the reason if it does not exist", async () => {
    const missing = join(directory, "missing.txt")
    await expect(secretIn(missing)).rejects.toThrow(`${missing} cannot be read (ENOENT)`)
  })
})
