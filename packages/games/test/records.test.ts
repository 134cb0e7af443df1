import { type TheirGame, games as theirGames } from "gamedig"
import type { GoldSourceInfoReply } from "@sourcewire/protocol"
import { describe, expect, it } from "vitest"
import { findGames, findGame, identify, likelyQueryPorts } from "../src/index.ts"
import type { Source } from "../src/Source.ts"
import { games } from "../src/records/games.ts"
import { DIFFERENCES, LEFT_OUT, type PortTable, portTables } from "./portTables.ts"
import { info } from "./replies.ts"

/** gamedig's names of the protocols that use A2S. */
const A2S = new Set(["valve", "goldsrc", "dayz", "sdtd", "toxikk"])
const theirs = Object.entries(theirGames).filter(([, { options }]) => A2S.has(options.protocol))

/** The port that gamedig queries first if the user specifies no port. */
const theirPort = ({ options }: TheirGame): number => {
  const offset = options.port_query_offset ?? 0
  return options.port_query ?? (options.port ?? 27_015) + (typeof offset === "number" ? offset : offset[0]!)
}

/**
 * These games do not support A2S, and gamedig lists a port of another query protocol for them. The test does not compare this port with
 * our game port.
 */
const WITH_OTHER_QUERY_PORT = new Set(["palworld", "squad", "terraria"])

/** The ports in gamedig's table: the query port of a game that supports A2S, and the game port of any other game. */
const gamedig: PortTable = Object.fromEntries([
  ...theirs.map(([id, game]) => [id, theirPort(game)]),
  ...games.flatMap(({ id, instead }) => {
    const { port, port_query = port } = theirGames[id]?.options ?? {}
    return instead === null || WITH_OTHER_QUERY_PORT.has(id) ? [] : [[id, port ?? port_query]]
  })
])
const tables = Object.entries({ ...portTables, gamedig } as Readonly<Record<string, PortTable>>)

/**
 * Returns the port that the tests compare with the tables: our first query port, or our game port if the game cannot be queried with A2S
 * or our record lists no query ports.
 */
const ourPort = (id: string): number | null => {
  const game = findGame(id)!
  return game.queryPorts.length === 0 || (game.instead !== null && id !== "squad")
    ? game.port
    : likelyQueryPorts(game)[0]!
}

describe("the records", () => {
  it("contain each id and each alias once", () => {
    const all = games.flatMap(({ aliases, id }) => [id, ...aliases])
    expect(all.filter((one, i) => all.indexOf(one) !== i)).toEqual([])
    expect(all.filter((one) => !/^[a-z0-9]+$/.test(one))).toEqual([])
  })

  it("contain every game in the tables of other programs, except for the games in LEFT_OUT", () => {
    expect(theirs.length).toBe(138)
    const missing = tables.flatMap(([source, table]) =>
      Object.keys(table).flatMap((id) => (games.some((game) => game.id === id) ? [] : [`${source} ${id}`]))
    )
    expect(missing).toEqual(Object.keys(LEFT_OUT))
  })

  it("contain the same ports as the tables of other programs, except for the games in DIFFERENCES", () => {
    const different = tables.flatMap(([source, table]) =>
      Object.entries(table).flatMap(([id, port]) =>
        Object.hasOwn(LEFT_OUT, `${source} ${id}`) || ourPort(id) === port ? [] : [`${source} ${id}`]
      )
    )
    expect(different.toSorted()).toEqual(Object.keys(DIFFERENCES))
  })

  it("a reason in DIFFERENCES contains the word `candidate` if and only if our record lists the table's port as a candidate", () => {
    for (const [difference, reason] of Object.entries(DIFFERENCES)) {
      const [source, id] = difference.split(" ") as [string, string]
      const port = tables.find(([name]) => name === source)![1][id]!
      const isCandidate = likelyQueryPorts(findGame(id)!).includes(port)
      const isDocumented = /candidate/.test(reason)
      expect([difference, isCandidate]).toEqual([difference, isDocumented])
    }
  })

  it("list a table as a source of our port if and only if the table contains the same port", () => {
    const wrong = games.flatMap(({ id, sources }) => {
      const confirmed = tables.flatMap(([source, table]) => (table[id] === ourPort(id) ? [source as Source] : []))
      return confirmed.toSorted().join() === sources.ports.toSorted().join() ? [] : [[id, confirmed, sources.ports]]
    })
    expect(wrong).toEqual([])
    const unconfirmed = games.filter(({ sources }) => sources.ports.length === 0).map(({ id }) => id)
    // No table contains these games. Our records of SiN 1 and rFactor contain no port, so the only candidate is the default port 27015.
    expect(unconfirmed).toEqual(["sin1", "rfactor", "terraria"])
    for (const id of ["sin1", "rfactor"]) expect(findGame(id)).toMatchObject({ port: null, queryPorts: [] })
  })

  it("contain the app ids of more than 90 % of the games", () => {
    const known = games.filter(({ appIds }) => appIds.length > 0)
    expect(known.length / games.length).toBeGreaterThan(0.9)
  })

  it("games that were added in November 2026 without a recording have one app id each, and two sources for this id", () => {
    const added = {
      americantrucksimulator: 270_880,
      aneurismiv: 2_773_280,
      aska: 1_898_300,
      astrocolony: 1_614_550,
      beastsofbermuda: 719_890,
      blackwake: 420_290,
      exfil: 860_020,
      groundbreach: 16_900,
      humanitz: 1_766_060,
      lastoasis: 903_950,
      miscreated: 299_740,
      nebulous: 887_570,
      nightofthedead: 1_377_380,
      noonesurvived: 1_963_370,
      pavlovvr: 555_160,
      plainsofpain: 2_218_970,
      renown: 1_488_310,
      sbox: 590_830,
      stationeers: 544_550,
      stormworks: 573_090,
      subsistence: 418_030,
      tf2classified: 3_545_060,
      vein: 1_857_950,
      wreckfest: 228_380
    }
    for (const [id, app] of Object.entries(added)) {
      const game = findGame(id)
      expect([id, game?.appIds, game?.sources.appIds.length]).toEqual([id, [app], 2])
      expect(identify(info({ appId: app, folder: "x" }))?.id).toBe(id)
    }
    expect(findGame("eye")?.appIds).toEqual([91_700])
    expect(findGame("groundbreach")?.name).toBe("GROUND BRANCH")
    expect(findGame("exfil")?.name).toBe("EXFIL")
  })
})

describe("finding a game", () => {
  it("searches ids, aliases, names and app ids", () => {
    expect(findGame("RUST")?.name).toBe("Rust")
    expect(findGame("gmod")?.id).toBe("garrysmod")
    expect(findGame("no such game")).toBeUndefined()
    expect(findGames("counter-strike").map(({ id }) => id)).toContain("counterstrike2")
    expect(findGames("252490").map(({ id }) => id)).toEqual(["rust"])
    expect(findGames()).toEqual(games)
    for (const text of ["counter strike source", "CounterStrikeSource", " Counter-Strike: Source "]) {
      expect(findGames(text).map(({ id }) => id)).toEqual(["css"])
    }
    expect(findGames("counter strike sauce")).toEqual([])
  })
})

describe("the ports to query", () => {
  const ports = (id: string, port?: number): ReadonlyArray<number> => likelyQueryPorts(findGame(id)!, port)

  it("are the likely query ports of the game, followed by the given port if this port is not one of them", () => {
    expect(ports("valheim")).toEqual([2457])
    expect(ports("valheim", 3000)).toEqual([3001, 3000])
    expect(ports("arma3", 65_535)).toEqual([65_535])
    expect(ports("vrising")).toEqual([9877, 27_016, 9891])
    expect(ports("conanexiles", 7777)).toEqual([27_015, 7777])
    expect(ports("teamfortress2", 27_016)).toEqual([27_016])
    expect(ports("rust")).toEqual([28_017, 28_016, 28_015])
    expect(ports("rust", 28_017)).toContain(28_017)
    expect(ports("unturned", 27_015)).toEqual([27_015, 27_016])
    expect(ports("insurgencysandstorm", 27_131)).toContain(27_131)
    expect(ports("sin1")).toEqual([27_015])
    expect(ports("sin1", 22_450)).toEqual([22_450])
  })

  it("begin with the given port if the game has a fixed query port and the given port is not the usual game port", () => {
    expect(ports("ase", 27_016)).toEqual([27_016, 27_015])
    expect(ports("ase", 7777)).toEqual([27_015, 7777])
  })
})

describe("a server without an app id of its own", () => {
  const id = (appId: number, folder: string, protocol = 17) => identify(info({ appId, folder, protocol }))?.id

  it("is identified by its folder", () => {
    expect(id(220, "cstrike")).toBe("css")
    expect(id(70, "cstrike", 48)).toBe("counterstrike16")
    expect(id(70, "cstrike", 47)).toBe("counterstrike16")
    expect(id(70, "valve", 48)).toBe("hld")
    expect(id(70, "esf", 48)).toBe("earthsspecialforces")
    expect(id(220, "dod")).toBe("dods")
    expect(id(70, "dod", 48)).toBe("dod")
    expect(id(218, "gesource")).toBe("goldeneyesource")
    expect(id(70, "unknown", 48)).toBeUndefined()
    expect(id(220, "unknown")).toBeUndefined()
  })

  it.each([
    ["cstrike", 17, "css"],
    ["cstrike", 46, "css"],
    ["cstrike", 47, "counterstrike16"],
    ["cstrike", 48, "counterstrike16"],
    ["cstrike", 49, "css"],
    ["dod", 48, "dod"],
    ["dod", 17, "dods"],
    // Only one game has the folder `valve`, and only one game has the folder `garrysmod`, so the protocol does not matter.
    ["valve", 17, "hld"],
    ["garrysmod", 48, "garrysmod"]
  ])("is identified by the folder %s and the protocol %i if the app id is 0", (folder, protocol, expected) => {
    expect(id(0, folder, protocol)).toBe(expected)
  })

  it("is a GoldSource game if it replies in GoldSource's dialect", () => {
    const { appId: _, version: __, ...reply } = info({ folder: "cstrike", protocol: 46 })
    const goldSource = { ...reply, _tag: "GoldSourceInfoReply" } as unknown as GoldSourceInfoReply
    expect(identify(goldSource)?.id).toBe("counterstrike16")
  })

  it("is not identified if the folder and the app id belong to different engines", () => {
    expect(id(70, "garrysmod", 48)).toBeUndefined()
    expect(id(220, "valve")).toBeUndefined()
  })

  it("is identified by its folder, but the folder of a server with an app id of its own is ignored", () => {
    expect(id(240, "unknown")).toBe("css")
    expect(id(999_999, "cstrike")).toBeUndefined()
  })
})

describe("a game that earlier versions did not identify", () => {
  it.each([
    ["citadel", 487_120, "Citadel"],
    ["lifeisfeudal", 290_080, "x"],
    ["rfactor", 339_790, "x"],
    ["sin1", 1309, "SiN 1"],
    ["sinepisodes", 1300, "SE1"]
  ])("is identified now: %s", (id, appId, folder) => {
    expect(identify(info({ appId, folder }))?.id).toBe(id)
  })
})

describe("a game with the app id and folder of an older game", () => {
  const cs = (version: string) => identify(info({ appId: 730, folder: "csgo", version }))?.id

  it("is identified if the server reports the first version of the newer game, or a later version", () => {
    expect(findGame("counterstrike2")?.versionFrom).toBe("1.39")
    expect(cs("1.39")).toBe("counterstrike2")
    expect(cs("1.38.8.1")).toBe("csgo")
    expect(cs("1.39.0.1")).toBe("counterstrike2")
    expect(cs("1.100")).toBe("counterstrike2")
    expect(cs("2")).toBe("counterstrike2")
    expect(cs("0.40")).toBe("csgo")
    expect(cs("")).toBe("csgo")
  })
})
