import { parseFaults } from "@sourcewire/emulator/machines"
import * as Result from "effect/Result"
import { PRESETS, groupFaults, findPreset, listSwitches } from "../../src/query/presets.ts"
import { describe, expect, it } from "vitest"
import type { ListResult } from "../../bridge/Api.ts"
import { OFFERED } from "../../engine/querying.ts"
import { addressesIn, arrange } from "../../src/query/listing.ts"
import { formatCounts, roundTrip } from "../../src/query/Cards.tsx"
import { sseData } from "../../src/network/bridge.ts"
import { type WatchSample, MAX_SAMPLES, outages, withSample } from "../../src/query/watching.ts"

const result = (target: string, name: string, map: string, players: number, rttMs: number): ListResult =>
  ({ target, rttMs, summary: { name, map, players, game: "" } }) as unknown as ListResult

const all: ReadonlyArray<ListResult> = [
  result("a:1", "Alpha", "de_dust2", 3, 9),
  { target: "b:1", error: { _tag: "Timeout", message: "no answer" } },
  result("c:1", "Gamma", "cp_well", 12, 1),
  result("d:1", "beta", "de_nuke", 0, 5)
]

const targets = (rows: ReadonlyArray<ListResult>) => rows.map((row) => row.target[0]).join("")

describe("presets of faults", () => {
  it("are recognized by the faults and their values, in any order", () => {
    expect(findPreset({})).toBe("")
    expect(findPreset({ rechallenge: "1", "drop-first": "1" })).toBe("DDoS filter")
    expect(findPreset({ loss: "0.5" })).toBe("own")
    expect(new Set(Object.keys(PRESETS).map((title) => findPreset(PRESETS[title]!)))).toEqual(
      new Set(Object.keys(PRESETS))
    )
  })

  it("contain only existing faults", () => {
    for (const values of Object.values(PRESETS)) {
      expect(Result.isSuccess(parseFaults(listSwitches(values).filter((name) => name !== "compress")))).toBe(true)
    }
  })
})

it("every fault is in exactly one group", () => {
  const grouped = groupFaults(OFFERED.faults).flatMap(([, faults]) => faults.map(({ name }) => name))
  expect(grouped.toSorted()).toEqual(OFFERED.faults.map(({ name }) => name).toSorted())
})

describe("the counts of a server", () => {
  it("are shown as one text: players, bots and waiting players", () => {
    const headline = { game: "", name: "", map: "", mode: null, version: null, password: false }
    expect(formatCounts({ ...headline, players: 300, maxPlayers: 350, bots: 1, queue: 12 })).toBe(
      "300 of 350, 1 bot, 12 waiting to join"
    )
    expect(formatCounts({ ...headline, players: 0, maxPlayers: 32, bots: 0, queue: 0 })).toBe("0 of 32")
  })
})

describe("a list of servers", () => {
  it.each([
    ["players", true, "cadb"],
    ["players", false, "dacb"],
    ["rttMs", false, "cdab"],
    ["name", false, "adcb"],
    ["map", true, "dacb"],
    ["target", true, "dcba"]
  ] as const)("can be sorted by %s, descending: %s", (column, down, order) => {
    expect(targets(arrange(all, "", { column, down }))).toBe(order)
  })

  it("shows only rows that contain every word of the filter", () => {
    const order = { column: "target", down: false } as const
    expect(targets(arrange(all, "DE_", order))).toBe("ad")
    expect(targets(arrange(all, "de_ beta", order))).toBe("d")
    expect(targets(arrange(all, "timeout", order))).toBe("b")
  })

  it("can be entered with spaces, commas, semicolons, line breaks and comments between the addresses", () => {
    expect(addressesIn("a:1, b:2\n# comment c:3\n[::1]:4;a:1\t d")).toEqual(["a:1", "b:2", "[::1]:4", "d"])
  })
})

describe("a watch", () => {
  it("stores a limited number of results, and drops the oldest results", () => {
    let looks: ReadonlyArray<WatchSample> = []
    for (let at = 0; at < MAX_SAMPLES + 50; at++) looks = withSample(looks, { at })
    expect(looks).toHaveLength(MAX_SAMPLES)
    expect(looks[0]!.at).toBe(50)
  })

  it("contains outages, which begin at the last reply and end at the last query without a reply", () => {
    const lost = (at: number) => ({ at, isLost: true as const })
    expect(outages([{ at: 10 }, { at: 11 }, lost(15), lost(19), { at: 20 }, lost(24)])).toEqual([
      [11, 19],
      [20, 24]
    ])
    expect(outages([lost(3)])).toEqual([[3, 3]])
  })
})

describe("a round-trip time", () => {
  it("is marked with ≈ if it is ambiguous", () => {
    expect(roundTrip({ rttMs: 12.345 }, 2)).toBe("12.35 ms")
    expect(roundTrip({ rttMs: 289, rttAmbiguous: true }, 1)).toBe("≈289.0 ms")
  })
})

describe("server-sent events", () => {
  const read = async (chunks: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk))
        controller.close()
      }
    })
    const data: Array<string> = []
    for await (const one of sseData(body)) data.push(one)
    return data
  }
  const text = ': hello\n\nevent: message\ndata: {"a":\ndata: 1}\n\nid: 7\r\ndata:x\r\n\r\ndata: é\n\ndata: cut'

  it("are the same for any division of the response into chunks", async () => {
    const whole = ['{"a":\n1}', "x", "é"]
    expect(await read([text])).toEqual(whole)
    expect(await read(text.split(""))).toEqual(whole)
    for (let at = 1; at < text.length; at++) expect(await read([text.slice(0, at), text.slice(at)])).toEqual(whole)
  })
})
