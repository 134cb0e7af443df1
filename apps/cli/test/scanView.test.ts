import { startServer } from "@sourcewire/emulator"
import { layer } from "@sourcewire/transport-node/effect"
import { describe, expect, it } from "vitest"
import { CTRL_C, ENTER, ESCAPE, hasTerminal, onTerminal } from "./terminal.ts"

const RIGHT = "\u001b[C"

describe.runIf(hasTerminal)("scan --watch on a terminal", () => {
  it("is a table that is sorted, filtered and kept up to date", async () => {
    await using stays = await startServer({ transport: layer, profile: "css" })
    const leaves = await startServer({ transport: layer, profile: "rust" })
    const [one, other] = [stays, leaves].map(({ port }) => `127.0.0.1:${port}`) as [string, string]
    // Without a number it would be 60 s to the next round, unless somebody asks for it.
    const terminal = onTerminal(["scan", one, other, "--timeout", "10000", "--watch"], { columns: 110 })
    const first = await terminal.until((screen) => screen.includes("2 of 2 answer"))
    expect(first).toMatch(/^2 servers, asked every 60 s +round 1 · next in \d:\d\d$/m)
    expect(first).toMatch(/^address +ms +players ▼ +map +name +changed$/m)
    // The one with more players.
    expect(first.indexOf(other)).toBeLessThan(first.indexOf(one))

    terminal.type(RIGHT)
    await terminal.until((screen) => screen.includes("map ▲"))

    terminal.type("/players <")
    await terminal.until((screen) => screen.includes("something is missing"))
    terminal.type(` 30${ENTER}`)
    const filtered = await terminal.until((screen) => screen.includes("Esc shows all again"))
    expect(filtered).toMatch(/^1 of 2 servers/)
    expect(filtered).not.toContain(other)
    // A letter while something is typed.
    terminal.type("/q")
    await terminal.until((screen) => screen.includes("/players < 30q▏"))
    terminal.type(ESCAPE)
    await terminal.until((screen) => screen.includes(other))

    await leaves[Symbol.asyncDispose]()
    terminal.type("n")
    const second = await terminal.until((screen) => screen.includes("1 of 2 answer, 1 changed"))
    expect(second).toMatch(new RegExp(`^${other} .* gone$`, "m"))

    terminal.resize(50, 8)
    await terminal.until((screen) => /^address +players +name$/m.test(screen))
    terminal.type("q")
    expect(await terminal.ended).toBe(1)
    expect(terminal.screen()).toMatch(/2 servers in/)
    // Nothing is drawn once the screen is given back.
    expect(terminal.written().split("\u001b[?1049l")[1]).not.toContain("\u001b[")
  })

  it("ends with Ctrl-C as any command", async () => {
    await using server = await startServer({ transport: layer })
    const terminal = onTerminal(["scan", `127.0.0.1:${server.port}`, "--watch", "60"])
    await terminal.until((screen) => screen.includes("1 of 1 answer"))
    terminal.type(CTRL_C)
    expect(await terminal.ended).toBe(130)
    expect(terminal.written()).toContain("\u001b[?25h\u001b[?1049l")
  })
})
