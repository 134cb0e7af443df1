/** Query clients of other authors, with a common interface. */
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { debianVersion, npmVersion, require } from "./versions.ts"

/** The fields of INFO that a client returns. */
export type Info = Readonly<
  Partial<Record<"name" | "map" | "folder" | "game" | "players" | "maxPlayers" | "bots" | "version", string | number>>
>

export interface Player {
  readonly name: string
  readonly score: number
}

/** The parts of a server's data that a client reads. The client reads each part with a separate call. */
export interface Reading {
  readonly info: () => Promise<Info>
  readonly players: () => Promise<ReadonlyArray<Player>>
  readonly rules: () => Promise<Readonly<Record<string, string>>>
}

/** A query client of another author. Its function `read` queries a server on a port of 127.0.0.1. */
export interface QueryClient {
  readonly program: string
  readonly version: string
  readonly from: "npm" | "Debian"
  readonly read: (port: number) => Reading
}

const HOST = "127.0.0.1"
const TIMEOUT_MS = 2000

/** Returns a function that calls `query` only once, and always returns the result of this call. */
const atOnce = <A>(query: () => Promise<A>): (() => Promise<A>) => {
  let asked: Promise<A> | undefined
  return () => (asked ??= query())
}

interface GameDigState {
  readonly name: string
  readonly map: string
  readonly numplayers: number
  readonly maxplayers: number
  readonly raw: {
    readonly folder: string
    readonly game: string
    readonly numbots: number
    readonly version: string
    readonly rules: Readonly<Record<string, string>>
    readonly players: ReadonlyArray<Player>
  }
}

const gamedig = (): QueryClient => {
  const { GameDig } = require("gamedig") as {
    readonly GameDig: { readonly query: (options: object) => Promise<GameDigState> }
  }
  return {
    program: "gamedig",
    version: npmVersion("gamedig"),
    from: "npm",
    read: (port) => {
      const state = atOnce(() =>
        GameDig.query({
          type: "protocol-valve",
          host: HOST,
          port,
          givenPortOnly: true,
          socketTimeout: TIMEOUT_MS,
          requestRules: true,
          requestRulesRequired: true,
          requestPlayers: true,
          requestPlayersRequired: true
        })
      )
      return {
        info: async () => {
          const { map, maxplayers, name, numplayers, raw } = await state()
          const { folder, game, numbots, version } = raw
          return { name, map, folder, game, players: numplayers, maxPlayers: maxplayers, bots: numbots, version }
        },
        players: async () => (await state()).raw.players.map(({ name, score }) => ({ name, score })),
        rules: async () => (await state()).raw.rules
      }
    }
  }
}

interface NamedValue {
  readonly name: string
  readonly value: string
}

const byName = (rules: ReadonlyArray<NamedValue>): Readonly<Record<string, string>> =>
  Object.fromEntries(rules.map(({ name, value }) => [name, value]))

const sourceServerQuery = (): QueryClient => {
  interface Socket {
    readonly info: (host: string, port: number, timeout: number) => Promise<Readonly<Record<string, string | number>>>
    readonly players: (host: string, port: number, timeout: number) => Promise<ReadonlyArray<Player>>
    readonly rules: (host: string, port: number, timeout: number) => Promise<ReadonlyArray<NamedValue>>
  }
  const { SourceQuerySocket } = require("source-server-query") as { readonly SourceQuerySocket: new () => Socket }
  return {
    program: "source-server-query",
    version: npmVersion("source-server-query"),
    from: "npm",
    read: (port) => ({
      info: async () => {
        const info = await new SourceQuerySocket().info(HOST, port, TIMEOUT_MS)
        const { bots, folder, game, map, max_players, name, players, version } = info
        return { name, map, folder, game, players, maxPlayers: max_players, bots, version } as Info
      },
      players: async () =>
        (await new SourceQuerySocket().players(HOST, port, TIMEOUT_MS)).map(({ name, score }) => ({ name, score })),
      rules: async () => byName(await new SourceQuerySocket().rules(HOST, port, TIMEOUT_MS))
    })
  }
}

const steamServerQuery = (): QueryClient => {
  const client = require("steam-server-query") as {
    readonly queryGameServerInfo: (at: string, attempts: number, timeout: number) => Promise<Required<Info>>
    readonly queryGameServerPlayer: (
      at: string,
      attempts: number,
      timeout: number
    ) => Promise<{ readonly players: ReadonlyArray<Player> }>
    readonly queryGameServerRules: (
      at: string,
      attempts: number,
      timeout: number
    ) => Promise<{ readonly rules: ReadonlyArray<NamedValue> }>
  }
  return {
    program: "steam-server-query",
    version: npmVersion("steam-server-query"),
    from: "npm",
    read: (port) => {
      const at = `${HOST}:${port}`
      return {
        info: async () => {
          const info = await client.queryGameServerInfo(at, 1, TIMEOUT_MS)
          const { bots, folder, game, map, maxPlayers, name, players, version } = info
          return { name, map, folder, game, players, maxPlayers, bots, version }
        },
        players: async () =>
          (await client.queryGameServerPlayer(at, 1, TIMEOUT_MS)).players.map(({ name, score }) => ({ name, score })),
        rules: async () => byName((await client.queryGameServerRules(at, 1, TIMEOUT_MS)).rules)
      }
    }
  }
}

const valveServerQuery = (): QueryClient => {
  interface Opened {
    readonly getInfo: () => Promise<{
      readonly name: string
      readonly map: string
      readonly folder: string
      readonly game: string
      readonly version?: string
      readonly players: { readonly online: number; readonly max: number; readonly bots: number }
    }>
    readonly getPlayers: () => Promise<ReadonlyArray<Player>>
    readonly getRules: () => Promise<Readonly<Record<string, string | number | boolean>>>
    readonly disconnect: () => void
  }
  const { Server } = require("@fabricio-191/valve-server-query") as {
    readonly Server: (options: object) => Promise<Opened>
  }
  return {
    program: "@fabricio-191/valve-server-query",
    version: npmVersion("@fabricio-191/valve-server-query"),
    from: "npm",
    read: (port) => {
      const opened = atOnce(() => Server({ ip: HOST, port, timeout: TIMEOUT_MS, enableWarns: false }))
      return {
        info: async () => {
          const { folder, game, map, name, players, version } = await (await opened()).getInfo()
          const { bots, max, online } = players
          const info = { name, map, folder, game, players: online, maxPlayers: max, bots }
          return version === undefined ? info : { ...info, version }
        },
        players: async () => (await (await opened()).getPlayers()).map(({ name, score }) => ({ name, score })),
        rules: async () =>
          Object.fromEntries(
            Object.entries(await (await opened()).getRules()).map(([name, value]) => [name, String(value)])
          )
      }
    }
  }
}

const quakestat = (): QueryClient => ({
  program: "quakestat",
  version: debianVersion("qstat"),
  from: "Debian",
  read: (port) => {
    interface QuakestatServer {
      readonly status: string
      readonly name: string
      readonly map: string
      readonly gametype: string
      readonly numplayers: number
      readonly maxplayers: number
      readonly rules: Readonly<Record<string, string>>
      readonly players: ReadonlyArray<Player>
    }
    const state = atOnce(async () => {
      const args = ["-nocfg", "-json", "-utf8", "-R", "-P", "-timeout", "5", "-a2s", `${HOST}:${port}`]
      const [server] = JSON.parse((await promisify(execFile)("quakestat", args)).stdout) as [QuakestatServer]
      if (server.status !== "online") throw new Error(server.status)
      return server
    })
    return {
      info: async () => {
        const { gametype, map, maxplayers, name, numplayers } = await state()
        return { name, map, folder: gametype, players: numplayers, maxPlayers: maxplayers }
      },
      // quakestat lists the players in the reverse of the order in the server's reply.
      players: async () => (await state()).players.map(({ name, score }) => ({ name, score })).toReversed(),
      rules: async () => (await state()).rules
    }
  }
})

export const queryClients = (): ReadonlyArray<QueryClient> => [
  gamedig(),
  sourceServerQuery(),
  steamServerQuery(),
  valveServerQuery(),
  quakestat()
]
