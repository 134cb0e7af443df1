import { expect, it } from "vitest"
import { start } from "./runCli.ts"
import { hasTerminal, onTerminal } from "./terminal.ts"
import { udpServer } from "./udpServer.ts"

it.runIf(hasTerminal)("a silent server is waited for with a line that goes when the answer comes", async () => {
  await using server = await udpServer(() => [])
  const terminal = onTerminal(["info", "--timeout", "1500", "--retries", "0", server.address])
  await terminal.shows(`${server.address} has not answered for `)
  expect(await terminal.ended).toBe(1)
  const [line, rest] = terminal.written().split("\r\u001b[K✗ ")
  expect(line).toMatch(/has not answered for \d\.\d s$/)
  expect(rest).toMatch(/^127/)
})

it("there is no such line where no terminal is", async () => {
  await using server = await udpServer(() => [])
  const { ended } = start(["info", "--timeout", "400", "--retries", "0", server.address])
  expect((await ended).stderr).toMatch(/^✗ /)
})
