import { describe, expect, it } from "vitest"
import { withoutPasswords } from "../../src/rcon/hideArguments.ts"

describe("a command line", () => {
  it.each([
    [["rcon", "a", "--password", "p", "status"], "rcon a --password ****** status"],
    [["rcon", "a", "--password=p"], "rcon a --password=******"],
    [["--password", "p", "--password", "q"], "--password ****** --password ******"],
    [["rcon", "a", "--password"], "rcon a --password"],
    [["rcon", "a", "--password-file", "f"], "rcon a --password-file f"]
  ])("%j is shown without the password", (args, shown) => {
    expect(withoutPasswords(args).join(" ")).toBe(shown)
  })
})
