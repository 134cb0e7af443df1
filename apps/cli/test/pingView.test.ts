import { startServer } from "@sourcewire/emulator"
import { layer } from "@sourcewire/transport-node/effect"
import { describe, expect, it } from "vitest"
import { sparkline } from "../src/ping/pingView.ts"
import { CTRL_C, hasTerminal, onTerminal } from "./terminal.ts"

describe.runIf(hasTerminal)("ping on a terminal", () => {
  it("updates the row of a server after each ping, and prints the results at the end", async () => {
    await using server = await startServer({ transport: layer })
    // No program listens at this port. The system reports a closed port immediately, even on a slow machine.
    const closed = "127.0.0.9:9"
    const answering = `127.0.0.1:${server.port}`
    const terminal = onTerminal(["ping", "--count", "0", "--interval", "20", "--timeout", "10000", answering, closed], {
      columns: 100
    })
    const screen = await terminal.until((text) => text.includes("100.0 %") && / 0\.0 % +\d\d+ /.test(text))
    expect(screen).toMatch(/^Round-trip times of 2 servers, in ms +0:/)
    expect(screen).toMatch(/^server +loss +sent +last +avg +best +worst +stdev$/m)
    expect(screen).toMatch(new RegExp(`^${answering} +0\\.0 % +\\d+( +\\d+(\\.\\d+)?){5} +[▁-█]+$`, "m"))
    expect(screen).toMatch(new RegExp(`^${closed} +100\\.0 % +\\d+ +closed +– +– +– +– +×+$`, "m"))
    expect(screen.split("\n").at(-1)).toBe("q quit  ? keys  p pause  r restart  ↑↓ scroll")

    terminal.resize(60, 6)
    const narrow = await terminal.until((text) => /^server +loss +last +avg +worst$/m.test(text))
    expect(narrow.split("\n")).toHaveLength(6)

    terminal.type("p")
    await terminal.until((text) => text.includes("paused"))
    terminal.type("q")
    expect(await terminal.ended).toBe(1)
    // The terminal shows its previous content and the cursor again.
    expect(terminal.written()).toContain("\u001b[?25h\u001b[?1049l")
    // After the screen is restored, the view draws nothing.
    expect(terminal.written().split("\u001b[?1049l")[1]).not.toContain("\u001b[")
    expect(terminal.written()).toMatch(new RegExp(`${answering}  \\d+ pings sent, \\d+ replies, 0 % lost; min`))
    expect(terminal.written()).toMatch(new RegExp(`${closed}  \\d+ pings? sent, 0 replies, 100 % lost`))
  })

  it("ends after Ctrl-C, or after the given number of pings", async () => {
    await using server = await startServer({ transport: layer })
    const address = `127.0.0.1:${server.port}`
    const endless = onTerminal(["ping", "--count", "0", address])
    await endless.until((text) => / 0\.0 % +\d/.test(text))
    endless.type(CTRL_C)
    expect(await endless.ended).toBe(130)
    expect(endless.screen()).toMatch(/pings? sent, \d+ repl(?:y|ies), 0 % lost/)

    const twice = onTerminal(["ping", "--count", "2", "--interval", "1", address])
    expect(await twice.ended).toBe(0)
    expect(twice.screen()).toMatch(/2 pings sent, 2 replies, 0 % lost/)
  })
})

describe("sparkline", () => {
  it("is scaled to the longest visible round-trip time, and marks lost pings", () => {
    expect(sparkline([99, 1, 4, undefined, 8], 4)).toBe("▂▅×█")
    expect(sparkline([], 4)).toBe("")
  })
})
