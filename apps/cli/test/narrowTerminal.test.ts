import { startServer } from "@sourcewire/emulator"
import { layer } from "@sourcewire/transport-node/effect"
import { describe, expect, it } from "vitest"
import { hasTerminal, onTerminal } from "./terminal.ts"

const css = () => startServer({ transport: layer, profile: "css" })

describe.runIf(hasTerminal).each([50, 100])("on a terminal of %d columns", (columns) => {
  /** Runs a command, and checks that no line of its output is wider than the terminal. Returns the exit code and the output. */
  const shown = async (args: ReadonlyArray<string>) => {
    const terminal = onTerminal(args, { columns })
    const exitCode = await terminal.ended
    const lines = terminal.written().trimEnd().split("\r\n")
    expect(lines.filter((line) => line.length > columns)).toEqual([])
    return { exitCode, lines, asOne: lines.map((line) => line.trim()).join(" ") }
  }

  it("the help fills the width of the terminal", async () => {
    const { exitCode, lines } = await shown(["help", "rcon"])
    expect(exitCode).toBe(0)
    expect(Math.max(...lines.map((line) => line.length))).toBeGreaterThan(columns - 20)
  })

  it("error messages are wrapped between words", async () => {
    await using server = await css()
    const [wrong, taken] = await Promise.all([
      shown(["rcon", "127.0.0.1", "--password", "x"]),
      shown(["serve", "--port", String(server.port)])
    ])
    expect(wrong.asOne).toBe(
      "sourcewire: All users of this host can read --password in the process list. Use --password-file FILE, or set SOURCEWIRE_RCON_PASSWORD. On a terminal, you can also omit --password and type the password. To use --password anyway, add --insecure-password-argument."
    )
    // With Bun, the message does not contain the address, because Bun's error does not contain the port.
    expect(taken.asOne.replace("The address to listen on", `127.0.0.1:${server.port}`)).toBe(
      `sourcewire: 127.0.0.1:${server.port} is in use (EADDRINUSE): another program listens there. Stop it, or choose another port.`
    )
    expect([wrong.exitCode, taken.exitCode]).toEqual([2, 1])
  })

  it("rules are sorted by name, and --grep selects the rules that contain a text", async () => {
    await using server = await css()
    const where = `127.0.0.1:${server.port}`
    const [all, some] = await Promise.all([shown(["rules", where]), shown(["rules", where, "--grep", "grav"])])
    const names = all.asOne.match(/\b(?:sv|mp|tv)_\w+/g)!
    expect(names.length).toBeGreaterThan(40)
    expect(names).toEqual(names.toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)))
    expect(some.asOne).toMatch(/ sv_gravity 800$/)
  })
})
