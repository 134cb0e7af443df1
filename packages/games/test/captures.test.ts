import { describe, expect, it } from "vitest"
import { findGame, identify, readFacts, summary } from "../src/index.ts"
import { readers } from "../src/facts/readers.ts"
import { games } from "../src/records/games.ts"
import { type Recorded, recorded } from "./captures.ts"

/** Ids of servers to which the collection of captures assigns a wrong game, and the ids of their actual games. */
const MISLABELLED: Readonly<Record<string, string>> = {
  "clansuite-cs16": "cscz",
  "gameq-conanexiles-3": "ase",
  "gameq-grav-1": "svencoop",
  "gameq-hl2dm-1": "fof"
}
/** Some names of games in the collection of captures, and the ids of these games in our records. */
const LABELS: Readonly<Record<string, string>> = { hl2dm: "hl2d", sevendaystodie: "sdtd" }

const queried = recorded.filter(
  (server): server is Recorded & Required<Pick<Recorded, "info">> =>
    server.info?._tag === "InfoReply" || server.info?._tag === "GoldSourceInfoReply"
)

const hash = (value: unknown): string => Number(value).toString(16).padStart(8, "0")

interface Expected {
  readonly version: number
  readonly overflow: number
  readonly signatures?: ReadonlyArray<string>
  readonly mods?: ReadonlyArray<{ readonly hash: number; readonly name: string; readonly steamId?: number }>
}

describe.runIf(recorded.length > 0)("recorded servers", () => {
  it("include more than 80 servers with a reply to INFO", () => {
    expect(queried.length).toBeGreaterThan(80)
  })

  it.each(queried.map((server) => [server.id, server] as const))(
    "%s is identified as a server of the expected game",
    (id, server) => {
      const expected = MISLABELLED[id] ?? LABELS[server.label] ?? findGame(server.label)?.id
      expect(identify(server.info)?.id).toBe(expected)
    }
  )

  it.each(queried.map((server) => [server.id, server] as const))(
    "%s has a summary that JSON can represent",
    (_, server) => {
      const sum = summary("192.0.2.7:27015", server)
      expect(JSON.parse(JSON.stringify(sum))).toEqual(sum)
      expect(readFacts(identify(server.info), server).malformed).toBeUndefined()
    }
  )

  it.each(
    recorded.flatMap((server) => {
      const { expectedRules, info, label, rules } = server
      const block = expectedRules?.bohemia
      return info === undefined || rules === undefined || block === undefined || label !== "arma3"
        ? []
        : [[server.id, { info, rules }, block as unknown as Expected] as const]
    })
  )("%s has the expected mods and keys", (_, answer, expected) => {
    const block = readFacts(findGame("arma3"), answer).bohemia!
    expect(block).toMatchObject({ version: expected.version, overflow: expected.overflow })
    expect(block.trailing).toBeUndefined()
    if (expected.signatures !== undefined) expect(block.signatures).toEqual(expected.signatures)
    if (expected.mods === undefined) return
    expect(block.mods.map((mod) => [mod.hash, mod.name ?? ""])).toEqual(
      expected.mods.map((mod) => [hash(mod.hash), mod.name])
    )
    for (const [i, { steamId }] of expected.mods.entries()) {
      if (steamId !== undefined) expect(block.mods[i]?.id).toBe(String(steamId))
    }
  })

  it("have summaries with correct values, even if INFO contains wrong values", () => {
    const sum = (id: string) =>
      summary(
        "192.0.2.7",
        queried.find((server) => server.id === id)!
      )
    expect(sum("dart-rust")).toMatchObject({ players: 396, maxPlayers: 425, queue: 0, mode: "rust" })
    expect(sum("gameq-squad-1")).toMatchObject({ players: 77, maxPlayers: 80, password: false, mode: "AAS" })
    expect(sum("gameq-batt1944-1")).toMatchObject({ name: "[NF]AU BoltSnipers (RELEASE-11126)", players: 11 })
    expect(sum("gameq-dow-2")).toMatchObject({ map: "dow_kaysersberg_SunnyAfternoon", version: "1.0.3.3" })
    expect(sum("valheim-ravenhold").version).toBe("1.0.7")
    expect(sum("gameq-zomboid-1").mods).toHaveLength(5)
    expect(sum("gameq-spaceengineers-2").mods).toHaveLength(9)
    expect(sum("gameq-atlas-1").mods).toHaveLength(4)
    expect(sum("a2srs-dayz-51-38-89-140-2302").mods).toHaveLength(12)
    expect(sum("gameq-arma3-4old1").mods).toHaveLength(11)
  })

  it("include a server for each folder, each app id and each reader that has a capture as its source in our data", () => {
    const seen = queried.map(({ info }) => ({
      folder: info.folder,
      app: info._tag === "InfoReply" ? info.appId : 0
    }))
    const unseen = games
      .filter(({ sources }) => sources.folders.includes("capture") || sources.appIds.includes("capture"))
      .flatMap(({ appIds, folders, id, sources }) =>
        [
          ...(sources.folders.includes("capture")
            ? folders.filter((one) => !seen.some(({ folder }) => folder === one))
            : []),
          ...(sources.appIds.includes("capture")
            ? appIds.slice(0, 1).filter((one) => !seen.some(({ app }) => app === one))
            : [])
        ].map((fact) => [id, fact])
      )
    expect(unseen).toEqual([])
    const known = new Set(queried.map(({ info }) => identify(info)?.reader))
    const claimed = Object.entries(readers).filter(([, reader]) => reader.reported !== true)
    expect(claimed.filter(([name]) => !known.has(name as keyof typeof readers)).map(([name]) => name)).toEqual([])
  })
})
