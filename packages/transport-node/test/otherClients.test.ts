/**
 * Other programs query our servers, and must return the same results as our client: `quakestat` (Debian's package qstat) and `gamedig`
 * (npm). The tests omit cases that `quakestat` or `gamedig` does not support. quakestat does not support bzip2, drops non-ASCII characters,
 * and fails with 300 players. gamedig reads the number of players from one byte, which is too small for the 300 players of the profile
 * `rust`. gamedig also does not support servers that have only the old dialect of INFO. quakestat's flag `-hls` sends a query from 1998. A
 * proxy does not reply to this query, so the tests with a proxy omit this flag.
 *
 * @module
 */
import { assert, describe, it } from "@effect/vitest"
import type { ServerAnswer } from "@sourcewire/core"
import type { Player } from "@sourcewire/protocol"
import { type profiles, startServer } from "@sourcewire/emulator"
import { GameDig } from "gamedig"
import { execFile, spawnSync } from "node:child_process"
import { promisify } from "node:util"
import { layer } from "../src/effect.ts"
import { connect } from "../src/index.ts"
import { proxied } from "./proxied.ts"

type Read = (port: number, ours: ServerAnswer) => Promise<void>

type ProfileName = keyof typeof profiles

/** Calls `read` with the port of an emulated server, and with the result of our client for this server. */
const compare = async (profile: ProfileName, read: Read): Promise<void> => {
  await using server = await startServer({ transport: layer, profile })
  await using client = await connect()
  await read(server.port, await client.query(`127.0.0.1:${server.port}`))
}

/** Calls `read` with the port of a proxy, and with the result of our client for the game server behind the proxy. */
const compareProxied = async (profile: ProfileName, read: Read): Promise<void> => {
  await using server = await startServer({ transport: layer, profile })
  const address = `127.0.0.1:${server.port}`
  await using front = await proxied(address)
  await using client = await connect()
  await read(Number(front.address.split(":")[1]), await client.query(address))
}

const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text)

interface Quakestat {
  readonly status: string
  readonly name: string
  readonly map: string
  readonly gametype: string
  readonly numplayers: number
  readonly maxplayers: number
  readonly rules: Readonly<Record<string, string>>
  readonly players: ReadonlyArray<{ readonly name: string; readonly score: number }>
}

const quakestat = async (flag: string, port: number): Promise<Quakestat> => {
  const args = ["-nocfg", "-json", "-utf8", "-R", "-P", "-timeout", "5", flag, `127.0.0.1:${port}`]
  const { stdout } = await promisify(execFile)("quakestat", args)
  const [server] = JSON.parse(stdout) as [Quakestat]
  return server
}

const isMissing = spawnSync("quakestat", ["-v"]).error !== undefined

// If quakestat is not installed, these cases fail in CI, and are skipped elsewhere.
describe.skipIf(isMissing && process.env["CI"] === undefined)("quakestat", () => {
  const compareResults =
    (flag: string): Read =>
    async (port, { info, players, rules, legacy }) => {
      const theirs = await quakestat(flag, port)
      const { folder, map, maxPlayers, name } = legacy ?? info
      assert.deepInclude(theirs, { status: "online", name, map, gametype: folder, maxplayers: maxPlayers })
      assert.strictEqual(theirs.numplayers, info.players)
      assert.deepInclude(theirs.rules, Object.fromEntries((rules?.rules ?? []).map((rule) => [rule.name, rule.value])))
      // With -a2s, quakestat reverses the order of players.
      const order = flag === "-a2s" ? theirs.players.toReversed() : theirs.players
      assert.deepEqual(...withSupportedNames(order, players?.players ?? []))
    }

  it.each<readonly [flag: string, profile: ProfileName]>([
    ["-a2s", "css"],
    ["-a2s", "cs16"],
    ["-a2s", "ship"],
    ["-a2s", "xash3d"],
    ["-a2s", "hltv"],
    ["-hls", "cs16"]
  ])("with the flag %s, returns the same results as our client for the profile %s", (flag, profile) =>
    compare(profile, compareResults(flag))
  )

  it.each<ProfileName>(["css", "cs16", "ship", "xash3d", "hltv"])(
    "with the flag -a2s, returns the same results through a proxy as our client without the proxy, for the profile %s",
    (profile) => compareProxied(profile, compareResults("-a2s"))
  )
})

/**
 * Returns the players that quakestat reports, and the players that our client reports. If quakestat cannot show the name of a player, the
 * name is empty in both lists.
 */
const withSupportedNames = (theirs: Quakestat["players"], ours: ReadonlyArray<Player>) => {
  const mine = ours.map(({ name, score }) => ({ name: isAscii(name) ? name : "", score }))
  return [theirs.map(({ name, score }, i) => ({ name: mine[i]?.name === "" ? "" : name, score })), mine] as const
}

const gamedig = (port: number) =>
  GameDig.query({
    type: "protocol-valve",
    host: "127.0.0.1",
    port,
    givenPortOnly: true,
    requestRules: true,
    requestRulesRequired: true,
    requestPlayers: true,
    requestPlayersRequired: true
  })

describe("gamedig", () => {
  const compareResults: Read = async (port, { info, players, rules }) => {
    const theirs = await gamedig(port)
    const { folder, game, map, maxPlayers, name } = info
    assert.deepInclude(theirs, { name, map, numplayers: info.players, maxplayers: maxPlayers })
    assert.deepInclude(theirs.raw, { folder, game })
    assert.deepEqual(theirs.raw.rules, Object.fromEntries((rules?.rules ?? []).map((rule) => [rule.name, rule.value])))
    assert.deepEqual(
      theirs.raw.players.map(({ name, score, time }) => ({ name, score, time })),
      (players?.players ?? []).map(({ name, score, duration }) => ({ name, score, time: duration }))
    )
  }
  const readable: ReadonlyArray<ProfileName> = ["css", "tf2", "cs16", "ship", "xash3d"]

  it.each(readable)("returns the same results as our client for the profile %s", (profile) =>
    compare(profile, compareResults)
  )
  it.each(readable)(
    "returns the same results through a proxy as our client without the proxy, for the profile %s",
    (profile) => compareProxied(profile, compareResults)
  )
})
