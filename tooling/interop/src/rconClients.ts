/** RCON clients of other authors, with a common interface. */
import { execFile } from "node:child_process"
import type { EventEmitter } from "node:events"
import { setTimeout as sleep } from "node:timers/promises"
import { promisify } from "node:util"
import { debianVersion, npmVersion, require } from "./versions.ts"

/** A session that has logged in. */
export interface Session {
  readonly exec: (command: string) => Promise<string>
  readonly close: () => Promise<unknown> | void
}

/**
 * An RCON client of another author, and the protocols that this client supports. `open` logs in to a server on a port of 127.0.0.1, and
 * rejects if the login fails.
 */
export interface RconClient {
  readonly program: string
  readonly version: string
  readonly from: "npm" | "Debian"
  readonly engines: ReadonlyArray<"source" | "goldsource" | "quake">
  readonly open: (
    port: number,
    password: string,
    engine: "source" | "goldsource" | "quake" | "darkplaces"
  ) => Promise<Session>
}

const HOST = "127.0.0.1"

const rconClient = (): RconClient => ({
  program: "rcon-client",
  version: npmVersion("rcon-client"),
  from: "npm",
  engines: ["source"],
  open: async (port, password) => {
    const { Rcon } = await import("rcon-client")
    const session = await Rcon.connect({ host: HOST, port, password })
    return { exec: (command) => session.send(command), close: () => session.end() }
  }
})

const rconSrcds = (): RconClient => {
  interface Connection {
    readonly authenticate: (password: string) => Promise<boolean>
    readonly execute: (command: string) => Promise<string | boolean>
    readonly disconnect: () => Promise<void>
  }
  const { default: Rcon } = require("rcon-srcds") as { readonly default: new (options: object) => Connection }
  return {
    program: "rcon-srcds",
    version: npmVersion("rcon-srcds"),
    from: "npm",
    engines: ["source"],
    open: async (port, password) => {
      const connection = new Rcon({ host: HOST, port, encoding: "utf8", timeout: 2000 })
      await connection.authenticate(password)
      return {
        exec: async (command) => String(await connection.execute(command)),
        close: () => connection.disconnect()
      }
    }
  }
}

/**
 * The client `rcon` emits each part of a reply as an event. If no further part arrives within this time (in ms), the reply is considered
 * complete.
 */
const QUIET_MS = 300
const LONGEST_REPLY_MS = 5000

/**
 * Restores the text of a reply that the client `rcon` received over UDP. The client removes the first and the last character of a datagram,
 * and therefore returns `rint\nTEXT` for the datagram `print\nTEXT\n`. From `rint\nTEXT`, this function restores `TEXT\n`.
 */
const ofPrint = (text: string): string => (text.length < "rint\n".length ? "" : `${text.slice("rint\n".length)}\n`)

const nodeRcon = (): RconClient => {
  interface Connection extends EventEmitter {
    readonly connect: () => void
    readonly send: (command: string) => void
    readonly disconnect: () => void
  }
  const Rcon = require("rcon") as new (host: string, port: number, password: string, options: object) => Connection
  return {
    program: "rcon",
    version: npmVersion("rcon"),
    from: "npm",
    engines: ["source", "goldsource", "quake"],
    open: async (port, password, engine) => {
      const connection = new Rcon(HOST, port, password, {
        tcp: engine === "source",
        challenge: engine === "goldsource"
      })
      let received = ""
      let receivedAt = Infinity
      connection.on("response", (text: string) => {
        received += engine === "quake" ? ofPrint(text) : text.replace(/\0+$/, "")
        receivedAt = performance.now()
      })
      await new Promise<void>((resolve, reject) => {
        connection.on("auth", resolve).on("error", reject)
        connection.connect()
      })
      return {
        exec: async (command) => {
          received = ""
          receivedAt = Infinity
          connection.send(command)
          const until = performance.now() + LONGEST_REPLY_MS
          while (performance.now() < Math.min(until, receivedAt + QUIET_MS)) await sleep(20)
          return received
        },
        close: () => connection.disconnect()
      }
    }
  }
}

const rconclt = (): RconClient => {
  const run = promisify(execFile)
  const exec = async (port: number, password: string, command: string): Promise<string> =>
    (await run("rconclt", ["-t", "3", `${password}@${HOST}:${port}`, ...command.split(" ")])).stdout
  return {
    program: "rconclt",
    version: debianVersion("rcon"),
    from: "Debian",
    engines: ["source"],
    open: async (port, password) => {
      await exec(port, password, "echo in")
      return { exec: (command) => exec(port, password, command), close: () => {} }
    }
  }
}

export const rconClients = (): ReadonlyArray<RconClient> => [rconClient(), rconSrcds(), nodeRcon(), rconclt()]
