import { startServer } from "@sourcewire/emulator"
import { HandshakeResponder, inFront } from "@sourcewire/server/machines"
import { layer } from "@sourcewire/transport-node/effect"
import { describe, expect, it } from "vitest"
import { objects, run, start } from "./runCli.ts"
import { udpServer } from "./udpServer.ts"

const serveHandshake = () =>
  startServer({
    transport: layer,
    intercept: inFront(new HandshakeResponder({ rest: Uint8Array.from("connect", (c) => c.charCodeAt(0)) }))
  })

describe("handshake", () => {
  it("prints the reply as JSON", async () => {
    await using server = await serveHandshake()
    const address = `127.0.0.1:${server.port}`
    const { exitCode, stdout } = await run(["handshake", "--json", address])
    expect(objects(stdout)).toEqual([
      {
        address,
        ok: true,
        rttMs: expect.any(Number),
        handshake: {
          _tag: "HandshakeChallenge",
          serverChallenge: expect.any(Number),
          clientChallenge: expect.any(Number),
          authProtocol: 3,
          encryptionKeySize: 0,
          encryptionKey: "",
          rest: "636f6e6e656374"
        },
        authProtocolName: "steam"
      }
    ])
    expect(exitCode).toBe(0)
  })

  it("shows challenge, authentication and what follows", async () => {
    await using server = await serveHandshake()
    const { exitCode, stdout } = await run(["handshake", `127.0.0.1:${server.port}`])
    expect(stdout).toMatch(/Server challenge +-?\d+ \(0x[0-9a-f]{8}\)/)
    expect(stdout).toMatch(/Authentication +steam \(3\)/)
    expect(stdout).toMatch(/Encryption key +none/)
    expect(stdout).toMatch(/63 6f 6e 6e 65 63 74 +connect/)
    expect(exitCode).toBe(0)
  })

  it("shows a plain challenge where there is nothing else", async () => {
    await using server = await udpServer(() => ["ffffffff4107000000"])
    const { exitCode, stdout } = await run(["handshake", server.address])
    expect(stdout).toMatch(/Challenge +7 \(0x00000007\)/)
    expect(stdout).toMatch(/does not take part/)
    expect(exitCode).toBe(0)
  })

  it("is understood by `serve`", async () => {
    const serving = start(["serve", "--port", "0"])
    await serving.printed("\n")
    const { exitCode, stdout } = await run([
      "handshake",
      "--json",
      String(objects(serving.output().stdout)[0]!["listening"])
    ])
    expect(objects(stdout)).toMatchObject([{ ok: true, handshake: { _tag: "HandshakeChallenge" } }])
    expect(exitCode).toBe(0)
    serving.child.kill("SIGINT")
    await serving.ended
  })

  it("reports a refusal", async () => {
    await using server = await udpServer(() => ["ffffffff3953657276657220697320726573746172742e0a00"])
    const { exitCode, stdout } = await run(["handshake", "--json", server.address])
    expect(objects(stdout)).toMatchObject([{ ok: false, error: { _tag: "Refused", text: "Server is restart." } }])
    expect(exitCode).toBe(1)
  })

  it("says what is wrong with an address", async () => {
    const { exitCode, stderr } = await run(["handshake", "not an address"])
    expect(stderr).toMatch(/is not an address/)
    expect(exitCode).toBe(2)
  })
})
