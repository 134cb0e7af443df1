/** Tests link-local addresses with a zone on every runtime. The zone is the name or the number of the interface. */
import { startServer } from "@sourcewire/emulator"
import { layer } from "@sourcewire/transport-node/effect"
import { mkdtemp, rm } from "node:fs/promises"
import { networkInterfaces, tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { batchedRuntimes, bundle, run, runtimes, singleFileRuntime } from "../src/runtimes.ts"

const [own] = Object.entries(networkInterfaces()).flatMap(([name, addresses = []]) =>
  addresses.flatMap((one) =>
    one.family === "IPv6" && one.address.startsWith("fe80:")
      ? [{ name, number: one.scopeid, address: one.address }]
      : []
  )
)

// These tests do not run on a host without a link-local address, such as some containers.
describe.runIf(own !== undefined)("a link-local address", () => {
  let scratch = ""
  beforeAll(async () => {
    scratch = await mkdtemp(join(tmpdir(), "sourcewire-link-"))
    await bundle(fileURLToPath(new URL("../src/linkLocal.ts", import.meta.url)), join(scratch, "linkLocal.mjs"))
  })
  afterAll(() => rm(scratch, { recursive: true }))

  it.each([...runtimes, ...batchedRuntimes, singleFileRuntime])(
    "can be queried and scanned on $name",
    async (runtime) => {
      const { address, name, number } = own!
      await using server = await startServer({ transport: layer, host: `${address}%${name}`, profile: "tf2" })
      const byZone = (zone: string | number) => `[${address}%${zone}]:${server.port}`
      const { status, stderr, stdout } = await run(
        runtime,
        [join(scratch, "linkLocal.mjs"), byZone(name), byZone(number), `[${address}%none0]:${server.port}`],
        30_000
      )
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
      const lines = stdout.trimEnd().split("\n")
      expect(lines.slice(0, 2)).toEqual([expect.stringContaining("Sourcewire"), expect.stringContaining("Sourcewire")])
      expect(lines[2]).toMatch(/^(?:Unresolved|SendFailed): .*(?:none0|interface)/)
      expect(lines.slice(3).filter((line) => line === "scan: Answered").length).toBeGreaterThan(0)
      expect(lines.slice(3)).toContain("scan: Failed")
    }
  )

  it("is rejected with an explanation if it has no zone", async () => {
    const { connect } = await import("@sourcewire/transport-node")
    await using client = await connect()
    await expect(client.info(`[${own!.address}]:27015`)).rejects.toMatchObject({
      _tag: "Unresolved",
      message: expect.stringContaining(`Write it as in ${own!.address}%`)
    })
  })
})
