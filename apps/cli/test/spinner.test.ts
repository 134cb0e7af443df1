import { expect, it } from "vitest"
import { env, serveRcon } from "./rconServers.ts"
import { start } from "./runCli.ts"
import { CTRL_C, hasTerminal, onTerminal } from "./terminal.ts"
import { udpServer } from "./udpServer.ts"

const LINE = / No reply from \S+ for \d+\.\d s$/

it.runIf(hasTerminal)(
  "a progress line is shown while a query is in flight, and disappears at the end of the query",
  async () => {
    await using server = await udpServer(() => [])
    const terminal = onTerminal(["info", "--timeout", "1500", "--retries", "0", server.address])
    await terminal.shows(`No reply from ${server.address} for `)
    expect(await terminal.ended).toBe(1)
    const [line, rest] = terminal.written().split("\r\u001b[K✗ ")
    expect(line).toMatch(LINE)
    expect(rest).toMatch(/^127/)
  }
)

it.runIf(hasTerminal).each([
  ["a master", ["master", "--server"]],
  ["a console", ["rcon", "--engine", "goldsource"]]
])("a progress line is shown while %s does not reply, and disappears after Ctrl-C", async (_, args) => {
  await using server = await udpServer(() => [])
  const terminal = onTerminal([...args, server.address, "--timeout", "600000"], { env })
  await terminal.shows(`No reply from ${server.address} for `)
  terminal.type(CTRL_C)
  expect(await terminal.ended).toBe(130)
  expect(terminal.screen()).not.toContain("No reply from")
})

it.runIf(hasTerminal)(
  "a progress line is shown while an RCON command is in flight, and disappears after Ctrl-C",
  async () => {
    await using server = await serveRcon("source")
    const terminal = onTerminal(["rcon", server.where, "--timeout", "600000", "forever"], { env })
    await server.received("forever")
    await terminal.shows(`No reply from ${server.where} for `)
    terminal.type(CTRL_C)
    expect(await terminal.ended).toBe(130)
    expect(terminal.screen()).not.toContain("No reply from")
  }
)

it("without a terminal, no progress line is printed", async () => {
  await using server = await udpServer(() => [])
  const { ended } = start(["info", "--timeout", "400", "--retries", "0", server.address])
  expect((await ended).stderr).toMatch(/^✗ /)
})
