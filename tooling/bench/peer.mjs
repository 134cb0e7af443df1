// Queries servers with another library, to compare it with our clients. The command is `node peer.mjs NAME …` (see contract.mjs). This
// program uses only the library's public API. If the library can retry queries, the program enables these retries.
import { createRequire } from "node:module"
import process from "node:process"
import { run, scanByAsking } from "./contract.mjs"

const split = (target) => {
  const colon = target.lastIndexOf(":")
  return { host: target.slice(0, colon), port: Number(target.slice(colon + 1)) }
}

const countRules = (rules) => (Array.isArray(rules) ? rules.length : Object.keys(rules ?? {}).length)

/** For each library, a function that queries a target. The kind `info` means only INFO, and `all` means INFO, PLAYER and RULES. */
const asks = {
  gamedig:
    ({ GameDig }) =>
    async (target, kind, { attempts, timeoutMs }) => {
      const all = kind === "all"
      const state = await GameDig.query({
        type: "protocol-valve",
        ...split(target),
        givenPortOnly: true,
        socketTimeout: timeoutMs,
        attemptTimeout: 10 * timeoutMs,
        maxRetries: attempts,
        requestPlayers: all,
        requestRules: all
      })
      return { name: state.name, players: state.players.length, rules: countRules(state.raw.rules) }
    },
  "source-server-query":
    (query) =>
    async (target, kind, { timeoutMs }) => {
      const { host, port } = split(target)
      const { name } = await query.info(host, port, timeoutMs)
      if (kind === "info") return { name }
      const players = await query.players(host, port, timeoutMs)
      return { name, players: players.length, rules: (await query.rules(host, port, timeoutMs)).length }
    },
  "steam-server-query":
    ({ queryGameServerInfo, queryGameServerPlayer, queryGameServerRules }) =>
    async (target, kind, { attempts, timeoutMs }) => {
      const { name } = await queryGameServerInfo(target, attempts, timeoutMs)
      if (kind === "info") return { name }
      const { players } = await queryGameServerPlayer(target, attempts, timeoutMs)
      const { rules } = await queryGameServerRules(target, attempts, timeoutMs)
      return { name, players: players.length, rules: rules.length }
    },
  "@fabricio-191/valve-server-query":
    ({ Server }) =>
    async (target, kind, { timeoutMs }) => {
      const { host, port } = split(target)
      const options = { ip: host, port, timeout: timeoutMs, enableWarns: false }
      if (kind === "info") return { name: (await Server.getInfo(options)).name }
      const server = await Server(options)
      try {
        const { name } = await server.getInfo()
        const players = await server.getPlayers()
        return { name, players: players.length, rules: countRules(await server.getRules()) }
      } finally {
        server.disconnect()
      }
    }
}

const [name] = process.argv.splice(2, 1)
// One library adds a listener for each query. Without the next line, Node would print warnings about the number of listeners.
process.removeAllListeners("warning")
// One of the libraries does not handle its rejected promises. Without the next line, such a rejection would end this process.
process.on("unhandledRejection", () => undefined)
await run(scanByAsking(asks[name](createRequire(import.meta.url)(name))))
