import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { type AddressInfo, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { beforeAll, describe, expect, it } from "vitest"
import { findPage } from "../src/pages.ts"
import { objects, run, start } from "./runCli.ts"

describe("playground", () => {
  const directory = mkdtempSync(join(tmpdir(), "sourcewire-"))

  beforeAll(() => {
    writeFileSync(join(directory, "index.html"), "<!doctype html><title>page</title>")
    mkdirSync(join(directory, "assets"))
    writeFileSync(join(directory, "assets/page-1.js.gz"), gzipSync("start()"))
    return () => rmSync(directory, { recursive: true })
  })

  it("findPage returns the first folder that contains the page", () => {
    expect(findPage([join(directory, "nowhere"), directory])).toBe(directory)
    expect(findPage([join(directory, "nowhere")])).toBeUndefined()
  })

  it("serves the page, prints the address of the page, and rejects API requests without the token", async () => {
    const running = start(["playground", "--json", "--no-open", "--page", directory])
    await running.printed("\n")
    const [line] = objects(running.output().stdout)
    expect(line).toEqual({
      listening: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
      url: expect.any(String),
      rcon: false
    })
    const { origin } = new URL(String(line!["url"]))
    expect(await (await fetch(origin)).text()).toContain("<title>page</title>")
    for (const encoding of ["gzip", "identity"]) {
      // As in the published program, the file on the disk is compressed. If a client does not accept gzip, the command decompresses the
      // file.
      const script = await fetch(`${origin}/assets/page-1.js`, { headers: { "accept-encoding": encoding } })
      expect([script.headers.get("content-encoding") ?? "identity", await script.text()]).toEqual([encoding, "start()"])
    }
    expect((await fetch(`${origin}/api/status`)).status).toBe(403)
    running.child.kill("SIGINT")
    expect((await running.ended).exitCode).toBe(130)
  })

  it("explains that the port is in use", async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve))
    const { port } = taken.address() as AddressInfo
    const { exitCode, stderr } = await run(["playground", "--port", String(port), "--page", directory])
    taken.close()
    expect(stderr).toMatch(/The playground cannot listen: .+ is in use \(EADDRINUSE\): another program/)
    expect(exitCode).toBe(1)
  })

  it("rejects a public address without --allow", async () => {
    const { exitCode, stderr } = await run(["playground", "--bind", "0.0.0.0", "--page", directory])
    expect(stderr).toMatch(/is reachable from other hosts\. Use --allow/)
    expect(exitCode).toBe(2)
  })
})
