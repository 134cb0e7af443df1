/** Checks the replies that our RCON client receives from servers of other authors. */
import { AuthenticationFailed } from "@sourcewire/core"
import { decode } from "@sourcewire/protocol"
import { rcon as connectRcon } from "@sourcewire/transport-node"
import * as Result from "effect/Result"
import { once } from "node:events"
import type { EventEmitter } from "node:events"
import type { AddressInfo, Server } from "node:net"
import { startDarkPlaces } from "./darkPlaces.ts"
import { startQuake3 } from "./quake3.ts"
import { rconClients } from "./rconClients.ts"
import { type Comparison, type Reasons, type Row, cells } from "./report.ts"
import { debianVersion, npmVersion, require } from "./versions.ts"

const PASSWORD = "correct-horse"

const check = (part: string, isRight: boolean): Comparison => ({ part, amount: part, differs: isRight ? [] : [part] })

const isRefused = async (port: number): Promise<boolean> => {
  const failure: unknown = await connectRcon(`127.0.0.1:${port}`, { password: "wrong", engine: "auto" }).catch(
    (error: unknown) => error
  )
  return failure instanceof AuthenticationFailed
}

const LONG = "0123456789".repeat(3000)

const rconServer = async (): Promise<ReadonlyArray<Comparison>> => {
  interface Running extends EventEmitter {
    readonly connect: () => void
    readonly getSocketServer: () => Server
  }
  const { RCONServer } = require("rcon-server") as { readonly RCONServer: new (options: object) => Running }
  const server = new RCONServer({ port: 0, host: "127.0.0.1", password: PASSWORD, clientLimit: 10 })
  server.on(
    "commandRequest",
    ({ body, resolve }: { readonly body: string; readonly resolve: (text: string) => void }) =>
      resolve(body === "long" ? LONG : body === "none" ? "" : `You said ${body}`)
  )
  server.connect()
  await once(server, "listening")
  const { port } = server.getSocketServer().address() as AddressInfo
  const session = await connectRcon(`127.0.0.1:${port}`, { password: PASSWORD, engine: "auto" })
  const many = await Promise.all(["a", "b", "c"].map((command) => session.exec(command)))
  const checks = [
    check("login", session.engine === "source"),
    check("a reply", (await session.exec("hello")) === "You said hello"),
    check("no reply", (await session.exec("none")) === ""),
    check("a reply of 30 kB in one packet", (await session.exec("long")) === LONG),
    check("parallel commands", many.join() === "You said a,You said b,You said c"),
    check("wrong password", await isRefused(port))
  ]
  await session.close()
  server.getSocketServer().close()
  return checks
}

const quake3 = async (): Promise<ReadonlyArray<Comparison>> => {
  await using server = await startQuake3(PASSWORD)
  const tags = new Set<string>()
  const session = await connectRcon(`127.0.0.1:${server.port}`, {
    password: PASSWORD,
    engine: "auto",
    trace: ({ bytes, direction, transport }) => {
      if (direction !== "received" || transport !== "udp") return
      const message = decode(bytes)
      tags.add(Result.isSuccess(message) ? message.success._tag : "none")
    }
  })
  const ours = await session.exec("echo hello there")
  const list = await session.exec("cvarlist")
  const [, total] = /(\d+) total cvars/.exec(list) ?? []
  const lines = list.split("\n").filter((line) => /^[ A-Za-z]{7,} *\S+ "/.test(line))
  await session.exec("set sourcewire 4711")
  const value = await session.exec("sourcewire")
  await session.close()
  const other = rconClients().find(({ program }) => program === "rcon")!
  const theirs = await other.open(server.port, PASSWORD, "quake")
  const sameText = (await theirs.exec("echo hello there")).trim() === ours.trim()
  await theirs.close()
  return [
    check("login", session.engine === "quake"),
    check("a reply", ours.trim() === "hello there" && sameText),
    check("a complete list in several datagrams", total !== undefined && lines.length >= Number(total)),
    check("a variable that was set", value.includes('"4711')),
    check("decoded as QuakePrint", tags.size === 1 && tags.has("QuakePrint")),
    check("wrong password", await isRefused(server.port))
  ]
}

const darkPlaces = async (): Promise<ReadonlyArray<Comparison>> => {
  await using server = await startDarkPlaces(PASSWORD)
  const session = await connectRcon(`127.0.0.1:${server.port}`, { password: PASSWORD, engine: "auto" })
  const ours = await session.exec("echo hello there")
  const list = await session.exec("cvarlist")
  const [, total] = /(\d+) cvar\(s\)/.exec(list) ?? []
  const lines = list.split("\n").filter((line) => /^\S+ is "/.test(line))
  await session.exec("set sourcewire 4711")
  const value = await session.exec("sourcewire")
  await session.close()
  const other = rconClients().find(({ program }) => program === "rcon")!
  const theirs = await other.open(server.port, PASSWORD, "darkplaces")
  const isSame = (await theirs.exec("echo hello there")).trim() === ours.trim()
  await theirs.close()
  return [
    check("login", session.engine === "quake"),
    check("a reply", ours.trim() === "hello there" && isSame),
    check("a complete list in several datagrams", lines.length === Number(total)),
    check("a variable that was set", value.includes('"4711"'))
  ]
}

/** The rows of the page for all servers of other authors. */
export const compareServers = async (reasons: Reasons): Promise<ReadonlyArray<Row>> => {
  const client = "RCON client"
  return [
    {
      program: "rcon-server",
      version: npmVersion("rcon-server"),
      from: "npm",
      with: client,
      ...cells(await rconServer(), `rcon-server, ${client}`, reasons)
    },
    {
      program: "ioquake3",
      version: debianVersion("ioquake3-server"),
      from: "Debian",
      with: client,
      ...cells(await quake3(), `ioquake3, ${client}`, reasons)
    },
    {
      program: "DarkPlaces",
      version: debianVersion("darkplaces-server"),
      from: "Debian",
      with: client,
      ...cells(await darkPlaces(), `DarkPlaces, ${client}`, reasons)
    }
  ]
}
