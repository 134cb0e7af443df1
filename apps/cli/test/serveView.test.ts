import { describe, expect, it } from "vitest"
import { run } from "./runCli.ts"
import { CTRL_C, hasTerminal, onTerminal } from "./terminal.ts"

/** Returns the address that the screen shows for the server with this profile. */
const whereIs = (profile: string, screen: string): string =>
  new RegExp(`^(127\\.0\\.0\\.1:\\d+) +${profile} `, "m").exec(screen)![1]!

describe.runIf(hasTerminal)("serve on a terminal", () => {
  it("suggests commands, and shows requests and faults", async () => {
    const terminal = onTerminal(
      ["serve", "--port", "0", "--profile", "css", "--profile", "rust", "--drop-first", "1", "--name", "\u001b[2JMine"],
      { columns: 120 }
    )
    const empty = await terminal.until((screen) => screen.includes("No requests yet."))
    expect(empty).toMatch(/^2 emulated servers +0 requests$/m)
    const address = whereIs("css", empty)
    expect(empty).toMatch(new RegExp(`^${address} +css +drop-first 1 +0 +0$`, "m"))
    expect(empty).toContain(`  sourcewire query ${address}`)
    expect(empty).not.toContain("{")

    const { exitCode } = await run(["info", "--json", "--timeout", "10000", address])
    expect(exitCode).toBe(0)
    const asked = await terminal.until((screen) => screen.includes("S2A_INFO_SRC"))
    expect(asked).toMatch(/ → css +A2S_INFO +S2A_INFO_SRC, \d+ bytes {2}␛\[2JMine · /)
    expect(asked).toMatch(/ → css +A2S_INFO +S2C_CHALLENGE, 9 bytes {2}challenge -?\d+$/m)
    expect(asked).toMatch(/ → css +A2S_INFO +✗ drop-first {2}no reply$/m)
    expect(asked).toMatch(/requests, 1 with faults$/m)

    terminal.type("f")
    await terminal.until((screen) => !screen.includes("S2A_INFO_SRC") && screen.includes("✗ drop-first"))
    terminal.type("c")
    await terminal.until((screen) => screen.includes("No faults yet."))
    terminal.type("q")
    expect(await terminal.ended).toBe(0)
    expect(terminal.screen()).toMatch(new RegExp(`^${address}  \\d requests .* 1 unanswered$`, "m"))
    // After the screen is restored, the view draws nothing.
    expect(terminal.written().split("\u001b[?1049l")[1]).not.toContain("\u001b[")
  })

  it("ends after Ctrl-C, and restores the screen", async () => {
    const terminal = onTerminal(["serve", "--port", "0", "--master", "valve", "--profile", "css"])
    const screen = await terminal.until((text) => text.includes("valve master"))
    expect(screen).toContain("  sourcewire query ")
    expect(screen).toContain("  sourcewire master ")
    terminal.type(CTRL_C)
    expect(await terminal.ended).toBe(130)
    expect(terminal.written()).toContain("\u001b[?25h\u001b[?1049l")
    expect(terminal.screen()).toMatch(/^master {2}0 requests/m)
  })

  it("with --json, prints JSON and shows no view", async () => {
    const terminal = onTerminal(["serve", "--port", "0", "--json"])
    await terminal.shows('{"listening":"127.0.0.1:')
    terminal.type(CTRL_C)
    expect(await terminal.ended).toBe(130)
    expect(terminal.written()).not.toContain("\u001b[?1049h")
  })
})
