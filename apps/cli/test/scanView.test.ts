import { startServer } from "@sourcewire/emulator"
import { layer } from "@sourcewire/transport-node/effect"
import { describe, expect, it } from "vitest"
import { CTRL_C, DOWN, ENTER, ESCAPE, hasTerminal, onTerminal } from "./terminal.ts"

const RIGHT = "\u001b[C"

describe.runIf(hasTerminal)("scan --watch on a terminal", () => {
  it("shows a table that is updated in each round, and that can be sorted and filtered", async () => {
    await using stays = await startServer({ transport: layer, profile: "css" })
    const leaves = await startServer({ transport: layer, profile: "rust" })
    const [one, other] = [stays, leaves].map(({ port }) => `127.0.0.1:${port}`) as [string, string]
    // The next round starts after 60 s (the default) or on request.
    const terminal = onTerminal(["scan", one, other, "--timeout", "3000", "--watch"], { columns: 110 })
    const first = await terminal.until((screen) => screen.includes("2 of 2 respond"))
    expect(first).toMatch(/^2 servers, queried every 60 s +round 1 · next in \d:\d\d$/m)
    expect(first).toMatch(/^ {2}address +ms +players ▼ +map +name +changed$/m)
    // The server with more players is in the first row.
    expect(first.indexOf(other)).toBeLessThan(first.indexOf(one))

    terminal.type(RIGHT)
    await terminal.until((screen) => screen.includes("map ▲"))

    terminal.type("/players <")
    await terminal.until((screen) => screen.includes("a value is missing"))
    terminal.type(` 30${ENTER}`)
    const filtered = await terminal.until((screen) => screen.includes("Esc clears the filter"))
    expect(filtered).toMatch(/^1 of 2 servers/)
    expect(filtered).not.toContain(other)
    // While the user edits the filter, a letter is part of the filter and not a command.
    terminal.type("/q")
    await terminal.until((screen) => screen.includes("/players < 30q▏"))
    terminal.type(ESCAPE)
    await terminal.until((screen) => screen.includes(other))

    await leaves[Symbol.asyncDispose]()
    terminal.type("n")
    const second = await terminal.until((screen) => screen.includes("1 of 2 respond, 1 changed"))
    expect(second).toMatch(new RegExp(`^[▸ ] ${other} .* gone$`, "m"))

    terminal.resize(50, 8)
    // The column by which the table is sorted remains visible.
    await terminal.until((screen) => /^ {2}address +map ▲$/m.test(screen))
    terminal.resize(40, 12)
    terminal.type("?")
    await terminal.until((screen) => /^c +changed only$/m.test(screen) && /^s +failed too$/m.test(screen))
    terminal.type("?")
    await terminal.until((screen) => /^ {2}address +map ▲$/m.test(screen))
    terminal.type("c")
    await terminal.until((screen) => screen.includes("changed only · "))
    terminal.type("cs")
    await terminal.until((screen) => screen.includes("failed too · "))
    terminal.type("q")
    expect(await terminal.ended).toBe(1)
    expect(terminal.screen()).toMatch(/2 targets in/)
    // After the screen is restored, the view draws nothing.
    expect(terminal.written().split("\u001b[?1049l")[1]).not.toContain("\u001b[")
  })

  it.each([80, 40])("on a screen of %i columns, opens the selected server after Enter", async (columns) => {
    await using one = await startServer({ transport: layer, profile: "css" })
    await using other = await startServer({ transport: layer, profile: "rust" })
    const addresses = [one, other].map(({ port }) => `127.0.0.1:${port}`) as [string, string]
    const terminal = onTerminal(["scan", ...addresses, "--timeout", "3000", "--watch"], { columns, rows: 20 })
    // The server with more players is in the first row.
    await terminal.until((screen) => screen.includes(`▸ ${addresses[1]}`) && screen.includes("respond"))
    terminal.type(DOWN)
    await terminal.until((screen) => screen.includes(`▸ ${addresses[0]}`))
    terminal.type(ENTER)
    const card = await terminal.until((screen) => /^ {2}Map /m.test(screen))
    expect(card).toMatch(new RegExp(`^${addresses[0]} +queried 0:0\\d ago$`, "m"))
    terminal.type("G")
    await terminal.until((screen) => !/^ {2}Map /m.test(screen))
    terminal.type(ESCAPE)
    await terminal.until((screen) => screen.includes(`▸ ${addresses[0]}`))
    terminal.type("q")
    expect(await terminal.ended).toBe(0)
  })

  it("if the user opens the details of a server that does not respond, explains the cause", async () => {
    const leaves = await startServer({ transport: layer, profile: "css" })
    const address = `127.0.0.1:${leaves.port}`
    const terminal = onTerminal(["scan", address, "--timeout", "3000", "--watch"])
    await terminal.until((screen) => screen.includes("1 of 1 respond"))
    await leaves[Symbol.asyncDispose]()
    terminal.type(ENTER)
    await terminal.until((screen) => screen.includes("The port is closed"))
    terminal.type("q")
    await terminal.ended
  })

  it("ends after Ctrl-C, and restores the screen", async () => {
    await using server = await startServer({ transport: layer })
    const terminal = onTerminal(["scan", `127.0.0.1:${server.port}`, "--watch", "60"])
    await terminal.until((screen) => screen.includes("1 of 1 respond"))
    terminal.type(CTRL_C)
    expect(await terminal.ended).toBe(130)
    expect(terminal.written()).toContain("\u001b[?25h\u001b[?1049l")
  })
})
