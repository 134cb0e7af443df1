// The measured decoders, by the name of the library. Each library has three functions: `info` decodes the INFO reply and returns the
// server's name. `players` and `rules` decode the other replies and return the number of entries. The caller checks these values. If the
// decoder of a library cannot be called separately, the library's socket is replaced by an object that replies at once, and the library is
// measured through its public API. The result of such a library includes the cost of promises. In the table, the column `how` in the row of
// such a library contains "socket replaced".
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import * as fixtures from "./fixtures.mjs"

const load = createRequire(import.meta.url)

const ours = async () => {
  const {
    InfoReply,
    join: joinFragments,
    PlayersReply,
    RulesReply
  } = /** @type {any} */ (await import("@sourcewire/protocol/wire"))
  return {
    kind: "public API",
    info: () => InfoReply.decode(fixtures.info).success.name,
    players: () => PlayersReply.decode(fixtures.players).success.players.length,
    rules: () => RulesReply.decode(joinFragments(fixtures.ruleFragments).success.bytes).success.rules.length
  }
}

const hand = async () => {
  const decoders = await import("./hand.mjs")
  return {
    kind: "hand-written",
    info: () => decoders.info(fixtures.info).name,
    players: () => decoders.players(fixtures.players).length,
    rules: () => decoders.rules(fixtures.ruleFragments).length
  }
}

/** Path of a file that a package does not export. */
const inside = (name, file) => fileURLToPath(new URL(`../node_modules/${name}/${file}`, import.meta.url))

const gamedig = async () => {
  const root = dirname(dirname(load.resolve("gamedig")))
  const { default: Valve } = await import(pathToFileURL(join(root, "protocols/valve.js")).href)
  const { Results } = await import(pathToFileURL(join(root, "lib/Results.js")).href)
  const answering = (datagrams) => {
    const query = new Valve()
    query.options = { requestPlayers: true, requestRules: true }
    query.udpSend = async (_, onReply) => {
      let result
      for (const datagram of datagrams) result = onReply(datagram)
      return result
    }
    return query
  }
  const info = answering([fixtures.info])
  const players = answering([fixtures.players])
  const rules = answering(fixtures.ruleFragments)
  return {
    kind: "socket replaced",
    info: async () => {
      const results = new Results()
      await info.queryInfo(results)
      return results.name
    },
    players: async () => {
      const results = new Results()
      await players.queryPlayers(results)
      return results.raw.players.length
    },
    rules: async () => {
      const results = new Results()
      await rules.queryRules(results)
      return Object.keys(results.raw.rules).length
    }
  }
}

const sourceServerQuery = async () => {
  const { SourceQuerySocket } = load("source-server-query")
  const answering = (datagram) => {
    const query = new SourceQuerySocket()
    query.solicit = async () => datagram
    return query
  }
  const info = answering(fixtures.info)
  const players = answering(fixtures.players)
  return {
    kind: "socket replaced",
    info: async () => (await info.info("1", 1)).name,
    players: async () => (await players.players("1", 1)).length
  }
}

const steamServerQuery = async () => {
  let reply
  load(inside("steam-server-query", "lib/promiseSocket.js")).PromiseSocket = class {
    async send() {
      return reply
    }
    closeSocket() {}
  }
  const { queryGameServerInfo, queryGameServerPlayer } = load("steam-server-query")
  return {
    kind: "socket replaced",
    info: async () => {
      reply = fixtures.info
      return (await queryGameServerInfo("1:1")).name
    },
    players: async () => {
      reply = fixtures.players
      return (await queryGameServerPlayer("1:1")).players.length
    }
  }
}

const valveServerQuery = async () => {
  const parsers = load(inside("@fabricio-191/valve-server-query", "lib/utils/parsers.js"))
  const meta = { appID: 240, protocol: 17, multiPacketResponseIsGoldSource: false }
  return {
    kind: "inner module",
    info: () => parsers.serverInfo(fixtures.info.subarray(4)).name,
    players: () => parsers.playersInfo(fixtures.players.subarray(4), meta, { enableWarns: false }).length,
    rules: () => {
      const parts = fixtures.ruleFragments
        .map((fragment) => parsers.multiPacketResponse(fragment, meta))
        .sort((a, b) => a.packets.current - b.packets.current)
      return Object.keys(parsers.serverRules(Buffer.concat(parts.map(({ payload }) => payload)).subarray(4))).length
    }
  }
}

export const libraries = {
  sourcewire: ours,
  "hand-written": hand,
  gamedig,
  "source-server-query": sourceServerQuery,
  "steam-server-query": steamServerQuery,
  "valve-server-query": valveServerQuery
}

export const expected = { info: fixtures.NAME, players: 64, rules: 120 }
