/**
 * RCON servers that never stop sending: floods, single bytes, or small parts. Each client runs in a separate process. The command of the
 * client must end within its time limit, and the memory of the process must grow by less than 64 MiB.
 */
import { encode } from "@sourcewire/protocol"
import {
  AUTH,
  AUTH_RESPONSE,
  encodePacket,
  EXEC_COMMAND,
  RESPONSE_VALUE,
  SourceRconFramer
} from "@sourcewire/protocol/wire"
import type { SourceRconPacket } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import { execFile } from "node:child_process"
import { createSocket } from "node:dgram"
import * as net from "node:net"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"

const program = fileURLToPath(new URL("./rconUnderFlood.ts", import.meta.url))
const TIMEOUT_MS = 1000
const TOTAL_MS = 2000
/** The total time limit in the tests in which `timeoutMs` must end the command. */
const NEVER_MS = 50_000
const MEBIBYTE = 1024 * 1024

interface Hostile extends AsyncDisposable {
  readonly port: number
}

const bytes = (text: string) => new TextEncoder().encode(text)
const packet = (id: number, type: number, body = ""): Buffer =>
  Buffer.from(encodePacket({ id, type, body: bytes(body) }))

/** Starts a TCP server that calls `onPacket` for each packet from a client. */
const overTcp = (onPacket: (packet: SourceRconPacket, socket: net.Socket) => void): Promise<Hostile> =>
  new Promise((resolve) => {
    const sockets = new Set<net.Socket>()
    const server = net.createServer((socket) => {
      const framer = new SourceRconFramer()
      sockets.add(socket)
      socket.on("error", () => {})
      socket.on("data", (data: Uint8Array) => {
        for (const one of framer.push(data)) onPacket(one, socket)
      })
    })
    server.listen(0, "127.0.0.1", () =>
      resolve({
        port: (server.address() as net.AddressInfo).port,
        [Symbol.asyncDispose]: async () => {
          for (const socket of sockets) socket.destroy()
          await new Promise((closed) => server.close(closed))
        }
      })
    )
  })

/** Sends the bytes again and again, as fast as the client accepts them. */
const flood = (socket: net.Socket, piece: Buffer): void => {
  const block = Buffer.concat(Array.from({ length: Math.ceil(MEBIBYTE / piece.length) }, () => piece))
  const sendMore = (): void => {
    while (socket.writable && socket.write(block)) continue
  }
  socket.on("drain", sendMore)
  sendMore()
}

/** Sends the bytes every 0.3 s, without end. */
const drip = (socket: net.Socket, piece: Uint8Array): void => {
  const timer = setInterval(() => socket.write(piece), 300)
  socket.on("close", () => clearInterval(timer))
}

/** Sends the size field of a packet of 64 kB, and then the rest of the packet byte by byte. */
const dripPacket = (socket: net.Socket): void => {
  socket.write(Uint8Array.of(0, 0, 1, 0))
  drip(socket, Uint8Array.of(1))
}

type AfterLogin = (socket: net.Socket, id: number) => void

const afterLogin = (act: AfterLogin) => (): Promise<Hostile> =>
  overTcp(({ id, type }, socket) => {
    if (type === AUTH) socket.write(packet(id, AUTH_RESPONSE))
    else if (type === EXEC_COMMAND) act(socket, id)
  })

const insteadOfLoginResult = (act: AfterLogin) => (): Promise<Hostile> => overTcp(({ id }, socket) => act(socket, id))

/**
 * Returns a function that starts a UDP server. The server replies to requests for a challenge, and sends endless datagrams after a command.
 */
const overUdp = (burst: (send: (datagram: Uint8Array) => void) => void, everyMs: number) => (): Promise<Hostile> =>
  new Promise((resolve) => {
    const socket = createSocket("udp4")
    let timer: NodeJS.Timeout | undefined
    socket.on("message", (request, { address, port }) => {
      const send = (datagram: Uint8Array): void => socket.send(datagram, port, address)
      if (!request.includes("challenge")) timer ??= setInterval(() => burst(send), everyMs)
      else send(Result.getOrThrow(encode({ _tag: "RconChallengeReply", challenge: 7 })))
    })
    socket.bind(0, "127.0.0.1", () =>
      resolve({
        port: socket.address().port,
        [Symbol.asyncDispose]: async () => {
          clearInterval(timer)
          await new Promise<void>((closed) => socket.close(closed))
        }
      })
    )
  })

const print = (text: string): Uint8Array => Result.getOrThrow(encode({ _tag: "PrintReply", text }))
const times = (count: number, act: () => void): void => {
  for (let i = 0; i < count; i++) act()
}

/** Each entry describes the behaviour of a server, the result that the client must get, and the time limit of the command. */
const HOSTILE: ReadonlyArray<{
  readonly name: string
  readonly engine: "goldsource" | "source"
  readonly start: () => Promise<Hostile>
  readonly ended: RegExp
  readonly limitMs: number
}> = [
  {
    name: "floods with parts of the reply",
    engine: "source",
    start: afterLogin((socket, id) => flood(socket, packet(id, RESPONSE_VALUE, "x".repeat(4000)))),
    ended: /^LimitExceeded$/,
    limitMs: TOTAL_MS
  },
  {
    name: "floods with empty parts of the reply",
    engine: "source",
    start: afterLogin((socket, id) => flood(socket, packet(id, RESPONSE_VALUE))),
    ended: /^LimitExceeded$/,
    limitMs: TOTAL_MS
  },
  {
    name: "floods with replies that have another id",
    engine: "source",
    start: afterLogin((socket) => flood(socket, packet(-7, RESPONSE_VALUE, "chatter"))),
    ended: /^Timeout$/,
    limitMs: TOTAL_MS
  },
  {
    name: "slowly sends the bytes of one packet",
    engine: "source",
    start: afterLogin(dripPacket),
    ended: /^Timeout$/,
    limitMs: TOTAL_MS
  },
  {
    name: "sends small parts of the reply without end",
    engine: "source",
    start: afterLogin((socket, id) => drip(socket, packet(id, RESPONSE_VALUE, "more\n"))),
    ended: /^Timeout$/,
    limitMs: TOTAL_MS
  },
  {
    name: "floods with packets instead of sending the login result",
    engine: "source",
    start: insteadOfLoginResult((socket) => flood(socket, packet(9, RESPONSE_VALUE, "not yet"))),
    ended: /^Timeout$/,
    limitMs: TIMEOUT_MS
  },
  {
    name: "slowly sends bytes instead of the login result",
    engine: "source",
    start: insteadOfLoginResult(dripPacket),
    ended: /^Timeout$/,
    limitMs: TIMEOUT_MS
  },
  {
    name: "floods with parts of the reply",
    engine: "goldsource",
    start: overUdp((send) => times(200, () => send(print("x".repeat(1300)))), 1),
    ended: /^(Timeout|LimitExceeded)$/,
    limitMs: TOTAL_MS
  },
  {
    name: "floods with datagrams that are not replies",
    engine: "goldsource",
    start: overUdp((send) => times(200, () => send(bytes("\u007f\u007f\u007f\u007fnoise"))), 1),
    ended: /^Timeout$/,
    limitMs: TIMEOUT_MS
  },
  {
    name: "sends small parts of the reply without end",
    engine: "goldsource",
    start: overUdp((send) => send(print("more\n")), 60),
    ended: /^Timeout$/,
    limitMs: TOTAL_MS
  }
]

interface Ended {
  readonly ended: string
  readonly tookMs: number
  readonly grownBytes: number
}

describe("a client with a server that never stops sending", () => {
  it.each(HOSTILE)(
    "ends in time with limited memory if a $engine server $name",
    async ({ ended, engine, limitMs, start }) => {
      await using server = await start()
      const args = [
        program,
        `127.0.0.1:${server.port}`,
        engine,
        String(TIMEOUT_MS),
        String(limitMs === TOTAL_MS ? TOTAL_MS : NEVER_MS)
      ]
      const { stdout } = await promisify(execFile)(process.execPath, args)
      const outcome = JSON.parse(stdout) as Ended
      expect(outcome.ended).toMatch(ended)
      // On a busy host, timers are late. Therefore five times the limit is allowed.
      expect(outcome.tookMs).toBeLessThan(limitMs * 5)
      expect(outcome.grownBytes).toBeLessThan(64 * MEBIBYTE)
    }
  )
})
