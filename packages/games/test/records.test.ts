import { type TheirGame, games as theirGames } from "gamedig"
import { describe, expect, it } from "vitest"
import { findGames, gameOf, queryPortsOf } from "../src/index.ts"
import { games } from "../src/records/games.ts"

/** gamedig's protocols that ask A2S. */
const A2S = new Set(["valve", "goldsrc", "dayz", "sdtd", "toxikk"])
const theirs = Object.entries(theirGames).filter(([, { options }]) => A2S.has(options.protocol))

/** Where gamedig asks first, without a port. */
const theirPort = ({ options }: TheirGame): number => {
  const offset = options.port_query_offset ?? 0
  return options.port_query ?? (options.port ?? 27_015) + (typeof offset === "number" ? offset : offset[0]!)
}

describe("the records", () => {
  it("have every id once, aliases included", () => {
    const all = games.flatMap(({ aliases, id }) => [id, ...aliases])
    expect(all.filter((one, i) => all.indexOf(one) !== i)).toEqual([])
    expect(all.filter((one) => !/^[a-z0-9]+$/.test(one))).toEqual([])
  })

  it("have every game that gamedig asks by A2S, at the port where gamedig asks", () => {
    expect(theirs.length).toBe(138)
    const wrong = theirs.flatMap(([id, game]) => {
      const ours = gameOf(id)
      const port = ours === undefined ? undefined : queryPortsOf(ours)[0]
      return ours?.instead === null && port === theirPort(game) ? [] : [[id, port, theirPort(game)]]
    })
    expect(wrong).toEqual([])
  })

  it("have app ids for nine of ten of them", () => {
    const known = theirs.filter(([id]) => (gameOf(id)?.appIds.length ?? 0) > 0)
    expect(known.length / theirs.length).toBeGreaterThan(0.9)
  })
})

describe("finding a game", () => {
  it("goes by id, alias, name and app id", () => {
    expect(gameOf("RUST")?.name).toBe("Rust")
    expect(gameOf("gmod")?.id).toBe("garrysmod")
    expect(gameOf("no such game")).toBeUndefined()
    expect(findGames("counter-strike").map(({ id }) => id)).toContain("counterstrike2")
    expect(findGames("252490").map(({ id }) => id)).toEqual(["rust"])
    expect(findGames()).toEqual(games)
  })
})

describe("the ports to ask", () => {
  const ports = (id: string, port?: number): ReadonlyArray<number> => queryPortsOf(gameOf(id)!, port)

  it("are the game's own, then what is given", () => {
    expect(ports("valheim")).toEqual([2457])
    expect(ports("valheim", 3000)).toEqual([3001, 3000])
    expect(ports("arma3", 65_535)).toEqual([65_535])
    expect(ports("vrising")).toEqual([27_016, 27_030])
    expect(ports("conanexiles", 7777)).toEqual([27_015, 7777])
    expect(ports("teamfortress2", 27_016)).toEqual([27_016])
  })
})
