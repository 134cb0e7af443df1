import { startServer } from "@sourcewire/emulator"
import { HandshakeResponder, inFront } from "@sourcewire/server/machines"
import { layer } from "@sourcewire/transport-node/effect"
import { describe, expect, it } from "vitest"
import { objects, run, start } from "./runCli.ts"
import { udpServer } from "./udpServer.ts"

const ascii = (text: string): string => Buffer.from(text, "latin1").toString("hex")
const STEAM_ID = "8967452301004001"

/** Returns the client's challenge from a handshake request in the format of Source 2013. */
const numberIn = (request: string): string => request.slice(10, 18)

/**
 * Starts a server that calls `reply` for each request, and sends the returned reply. If `reply` returns `undefined`, the server does not
 * reply.
 */
const answering = (reply: (request: string, text: string) => string | undefined) =>
  udpServer((request) => {
    const given = reply(request, Buffer.from(request.slice(8), "hex").toString("latin1"))
    return given === undefined ? [] : [given]
  })

const serveHandshake = () =>
  startServer({
    transport: layer,
    intercept: inFront(
      new HandshakeResponder({
        steamId: "90071997434128265",
        vac: true,
        rest: Uint8Array.from("connect", (c) => c.charCodeAt(0))
      })
    )
  })

describe("handshake", () => {
  it("with --json, prints the reply as JSON", async () => {
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
          steamId: "90071997434128265",
          vac: true,
          rest: "636f6e6e656374"
        },
        form: "source",
        authProtocol: 3,
        authProtocolName: "steam",
        steamId: "90071997434128265",
        vac: true
      }
    ])
    expect(exitCode).toBe(0)
  })

  it("shows the challenge, the authentication and all other fields of the reply", async () => {
    await using server = await serveHandshake()
    const { exitCode, stdout } = await run(["handshake", `127.0.0.1:${server.port}`])
    expect(stdout).toMatch(/Server challenge +-?\d+ \(0x[0-9a-f]{8}\)/)
    expect(stdout).toMatch(/Authentication +steam \(3\)/)
    expect(stdout).toMatch(/Encryption key +none/)
    expect(stdout).toMatch(/Form +Source 2013/)
    expect(stdout).toMatch(/SteamID +90071997434128265/)
    expect(stdout).toMatch(/VAC +on/)
    expect(stdout).toMatch(/63 6f 6e 6e 65 63 74 +connect/)
    expect(exitCode).toBe(0)
  })

  it("if the reply contains only a challenge, shows the challenge", async () => {
    await using server = await udpServer(() => ["ffffffff4107000000"])
    const { exitCode, stdout } = await run(["handshake", server.address])
    expect(stdout).toMatch(/Challenge +7 \(0x00000007\)/)
    expect(stdout).toMatch(/does not support the handshake/)
    expect(exitCode).toBe(0)
  })

  it("reads the short reply of a SourceTV relay", async () => {
    await using server = await answering((hex, text) =>
      text.startsWith("q") && !text.startsWith("qconnect")
        ? `ffffffff4133494f5a01000000${numberIn(hex)}02000000`
        : undefined
    )
    const { exitCode, stdout } = await run(["handshake", "--json", server.address])
    expect(objects(stdout)).toMatchObject([
      {
        ok: true,
        form: "source",
        authProtocol: 2,
        authProtocolName: "hashed-cd-key",
        handshake: { serverChallenge: 1 }
      }
    ])
    expect(objects(stdout)[0]).not.toHaveProperty("steamId")
    expect(exitCode).toBe(0)
  })

  it("sends a second request if a CS:GO server replies with connect-retry", async () => {
    const replyTo = (context: string) =>
      `ffffffff4105f8e70d030000000000${STEAM_ID}01${ascii(`${context}\0`)}be350000${ascii("public\0")}01ffffffffffffffff000000`
    await using server = await answering((_, text) => {
      if (text === "qconnect0x00000000\0") return replyTo("connect-retry")
      return text === "qconnect0x0DE7F805\0" ? replyTo("connect0x0DE7F805") : undefined
    })
    const { stdout } = await run(["handshake", "--json", server.address])
    expect(objects(stdout)).toMatchObject([
      {
        ok: true,
        form: "csgo",
        steamId: "90071997434128265",
        vac: true,
        authProtocolName: "steam",
        lobbyType: "public",
        passwordRequired: true,
        handshake: { _tag: "CsgoHandshakeChallenge", context: "connect0x0DE7F805", lobbyId: "18446744073709551615" }
      }
    ])
    const card = await run(["handshake", "--form", "csgo", server.address])
    expect(card.stdout).toMatch(/Lobby type +public/)
    expect(card.stdout).toMatch(/Password +required/)
    expect(card.exitCode).toBe(0)
  })

  it("shows the address to which a fake server redirects players", async () => {
    await using server = await answering(() => `ffffffff39${ascii("ConnectRedirectAddress:192.0.2.7:27016\0")}`)
    const { exitCode, stdout } = await run(["handshake", "--json", server.address])
    expect(objects(stdout)).toMatchObject([{ ok: true, redirect: "192.0.2.7:27016" }])
    expect(exitCode).toBe(0)
    expect((await run(["handshake", server.address])).stdout).toMatch(/Join instead +192\.0\.2\.7:27016/)
  })

  it("reads the text reply of a GoldSource server", async () => {
    await using server = await answering((_, text) =>
      text.startsWith("getchallenge steam")
        ? `ffffffff${ascii("A00000000 352753098 3 72057598332895232 0\n\0")}`
        : undefined
    )
    const { stdout } = await run(["handshake", "--json", server.address])
    expect(objects(stdout)).toMatchObject([
      {
        ok: true,
        form: "goldsource",
        steamId: "72057598332895232",
        vac: false,
        handshake: { serverChallenge: 352753098 }
      }
    ])
    expect((await run(["handshake", server.address])).stdout).toMatch(/does not reply to Source's handshake/)
  })

  it("reports that a server replies to queries, but not to the handshake", async () => {
    await using server = await answering((_, text) => {
      if (text.startsWith("getchallenge")) return `ffffffff${ascii("challenge -378436140 0")}`
      return text.startsWith("TSource")
        ? `ffffffff4931${ascii("n\0m\0f\0g\0")}00000010056c6c0000${ascii("0.21\0")}`
        : undefined
    })
    const { exitCode, stdout } = await run(["handshake", "--json", "--timeout", "800", server.address])
    expect(objects(stdout)).toMatchObject([
      {
        ok: false,
        error: {
          _tag: "Timeout",
          alive: true,
          message: expect.stringContaining("replies to queries (A2S_INFO), but not to this handshake")
        }
      }
    ])
    expect(exitCode).toBe(1)
  })

  it("shows the reason for a rejection, but not the client's challenge, which the reply also contains", async () => {
    await using server = await answering(
      (hex) => `ffffffff39${numberIn(hex)}${ascii("#GameUI_ServerRejectOldVersion\0")}`
    )
    const { stderr, stdout } = await run(["handshake", server.address])
    expect(stdout + stderr).toContain("The server refused the request: #GameUI_ServerRejectOldVersion")
  })

  it("succeeds with an emulated server", async () => {
    const serving = start(["serve", "--json", "--port", "0"])
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

  it("exits with 3 if the server rejects the request", async () => {
    await using server = await udpServer(() => ["ffffffff3953657276657220697320726573746172742e0a00"])
    const { exitCode, stdout } = await run(["handshake", "--json", server.address])
    expect(objects(stdout)).toMatchObject([{ ok: false, error: { _tag: "Refused", text: "Server is restart." } }])
    expect(exitCode).toBe(3)
  })

  it("exits with 2 if the address is invalid", async () => {
    const { exitCode, stderr } = await run(["handshake", "not an address"])
    expect(stderr).toMatch(/is not an address/)
    expect(exitCode).toBe(2)
  })
})
