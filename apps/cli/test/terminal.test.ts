import { describe, expect, it } from "vitest"
import { CTRL_C, commandOnTerminal, hasTerminal } from "./terminal.ts"

describe.runIf(hasTerminal)("the terminal of the tests", () => {
  it("shows only the new text of a line that a program overwrites, and reports a new size to the program", async () => {
    const program = `
      process.stdout.on("resize", () => console.log(process.stdout.getWindowSize().join(" by ")))
      process.stdin.resume()
      process.stdout.write("first\\r\\x1b[Ksecond\\n")`
    const terminal = commandOnTerminal([process.execPath, "-e", program])
    expect(await terminal.until((screen) => screen.includes("second"))).toBe("second")
    terminal.resize(60, 12)
    // The number of columns and the number of rows change one after the other. Therefore the program may see a size in which only one of
    // the numbers has changed.
    await terminal.until((screen) => /^second\n.*60 by 12$/s.test(screen))
    expect(terminal.written()).toContain("first")
    terminal.type(CTRL_C)
    await terminal.ended
  })
})
