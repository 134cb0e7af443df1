/** The errors of the Promise API. The stack of an error contains the line of the call, and the message names the invalid option. */
import { once } from "node:events"
import { type AddressInfo, createServer } from "node:net"
import { describe, expect, it } from "vitest"
import { connect, logs, rcon, scan, ScanBudget, ScanProgress } from "../src/index.ts"
import { closedPort, udpServer } from "./udpServer.ts"

const readFrames = (error: unknown): ReadonlyArray<string> => (error as Error).stack!.split("\n    at ").slice(1)

async function callerFunction(call: () => Promise<unknown>): Promise<unknown> {
  try {
    await call()
  } catch (error) {
    return error
  }
  throw new Error("did not fail")
}

describe("the stack of an error begins with the calling function", () => {
  it("when a query times out, when an option of a query is unknown, and when a port is closed", async () => {
    await using server = await udpServer(() => [])
    await using client = await connect()
    const calls: ReadonlyArray<readonly [tag: string, call: () => Promise<unknown>]> = [
      ["Timeout", async () => await client.info(server.address, { timeoutMs: 50 })],
      ["InvalidOption", async () => await client.info(server.address, { timeout: 50 } as never)],
      ["PortClosed", async () => await client.info(`127.0.0.1:${await closedPort()}`)]
    ]
    for (const [tag, call] of calls) {
      const error = await callerFunction(call)
      expect(error).toMatchObject({ _tag: tag })
      expect(readFrames(error)[0]).toContain("promiseErrors.test.ts")
    }
  })

  it("when an option of `rcon`, `connect` or `logs` is missing, unknown or invalid", async () => {
    const calls: ReadonlyArray<readonly [name: string, call: () => Promise<unknown>]> = [
      ["rcon without options", async () => await rcon("127.0.0.1:1", undefined as never)],
      ["rcon without a password", async () => await rcon("127.0.0.1:1", {} as never)],
      ["rcon", async () => await rcon("127.0.0.1:1", { password: "x", engine: "none" as never })],
      ["connect", async () => await connect({ timeout: 5 } as never)],
      ["logs", async () => await logs({ prt: 5 } as never)]
    ]
    const others: Array<string> = []
    for (const [name, call] of calls) {
      const error = await callerFunction(call)
      expect(error).toMatchObject({ _tag: "InvalidOption" })
      if (readFrames(error)[0]?.includes("promiseErrors.test.ts") !== true)
        others.push(`${name}: ${readFrames(error)[0]}`)
    }
    expect(others).toEqual([])
  })
})

describe("the options of the Promise API", () => {
  it("must contain a password for RCON", async () => {
    await expect(rcon("127.0.0.1:1", {} as never)).rejects.toMatchObject({
      _tag: "InvalidOption",
      option: "password",
      message: 'password must be a text, as in { password: "secret" }.'
    })
  })

  it("are rejected if the function `random` throws an error", async () => {
    const random = (): number => {
      throw new Error("no dice")
    }
    const expected = { _tag: "InvalidOption", option: "random", message: expect.stringContaining("no dice") }
    await expect(connect({ random })).rejects.toMatchObject(expected)
    await expect(rcon("127.0.0.1:1", { password: "x", random })).rejects.toMatchObject(expected)
    await expect(scan([], "info", { random })[Symbol.asyncIterator]().next()).rejects.toMatchObject(expected)
  })

  it("cause the error InvalidOption in each call in which `random` throws, and in no other call", async () => {
    let isBroken = false
    const random = (): number => {
      if (isBroken) throw new Error("no dice")
      return 0.5
    }
    const expected = { _tag: "InvalidOption", option: "random", message: expect.stringContaining("no dice") }
    await using server = await udpServer(() => [])
    await using client = await connect({ random, timeoutMs: 600_000 })
    const calls = [client.info, client.players, client.query, client.ping, client.handshake]
    isBroken = true
    for (const call of calls) await expect(call(server.address)).rejects.toMatchObject(expected)
    isBroken = false
    await expect(client.info(server.address, { timeoutMs: 50 })).rejects.toMatchObject({ _tag: "Timeout" })
    const broken = scan([server.address, "127.0.0.1:9"], "info", {
      random: () => {
        if (isBroken) throw new Error("no dice")
        isBroken = true
        return 0.5
      }
    })
    const read = async (): Promise<void> => {
      for await (const { _tag } of broken) expect.unreachable(`a target has ${_tag}`)
    }
    await expect(read()).rejects.toMatchObject(expected)
  })

  it("cause the error InvalidOption in an RCON command if `random` throws after the connection is lost", async () => {
    let draws = 0
    const random = (): number => {
      if (draws++ > 0) throw new Error("no dice")
      return 0.5
    }
    const tcpServer = createServer((socket) => {
      socket.on("error", () => undefined)
      // The server accepts the password, and closes the connection at the next packet.
      socket.once("data", (data) => {
        const id = data.readInt32LE(4)
        const accepted = Buffer.alloc(14)
        accepted.writeInt32LE(10, 0)
        accepted.writeInt32LE(id, 4)
        accepted.writeInt32LE(2, 8)
        socket.write(accepted, () => socket.once("data", () => socket.destroy()))
      })
    })
    tcpServer.listen(0, "127.0.0.1")
    await once(tcpServer, "listening")
    const { port } = tcpServer.address() as AddressInfo
    const session = await rcon(`127.0.0.1:${port}`, { password: "x", engine: "source", random })
    await expect(session.exec("status")).rejects.toMatchObject({ _tag: "ConnectionClosed" })
    await expect(session.exec("status")).rejects.toMatchObject({ _tag: "InvalidOption", option: "random" })
    await session.close()
    tcpServer.close()
  })

  it("can contain a `ScanBudget` and a `ScanProgress` from the transport package", async () => {
    const [budget, progress] = [new ScanBudget({ rate: 1000 }), new ScanProgress()]
    await using server = await udpServer(() => [])
    for await (const result of scan(server.address, "info", { budget, progress, timeoutMs: 100 })) {
      expect(result._tag).toBe("Failed")
    }
    expect(progress.done).toBe(1)
  })
})
