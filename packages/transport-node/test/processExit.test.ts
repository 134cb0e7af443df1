import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { expect, it } from "vitest"

const program = `
  import { connect } from "@sourcewire/transport-node"
  const client = await connect({ timeoutMs: 200, retries: 0 })
  const error = await client.info("127.0.0.1:9").catch((error) => error)
  console.log(error._tag)
`

it("a client that is never closed does not keep the process alive", async () => {
  const cwd = new URL("..", import.meta.url)
  const run = promisify(execFile)
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", program], { cwd, timeout: 20_000 })
  expect(stdout).toBe("PortClosed\n")
})
