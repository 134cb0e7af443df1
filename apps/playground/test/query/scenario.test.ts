import { describe, expect, it } from "vitest"
import { readScenario, scenarioText } from "../../src/query/scenario.ts"

const server = (profile: string, ...faults: ReadonlyArray<string>) => ({ id: "", address: "", profile, faults })

describe("the description of emulated servers in a URL", () => {
  it("contains the profile, the faults and the count of the servers, without percent-encoded characters", () => {
    const text = scenarioText([
      server("css", "drop-first=2", "loss=0.25", "bad-checksum", "seed=7"),
      server("rust"),
      server("rust"),
      server("css")
    ])
    expect(text).toBe("css_drop-first-2_loss-0.25_bad-checksum_seed-7 rust*2 css")
    expect(new URLSearchParams({ e: text }).toString()).toBe(`e=${text.replaceAll(" ", "+")}`)
    expect(readScenario(text)).toEqual([
      { profile: "css", faults: ["drop-first=2", "loss=0.25", "bad-checksum", "seed=7"], count: 1 },
      { profile: "rust", faults: [], count: 2 },
      { profile: "css", faults: [], count: 1 }
    ])
  })
})
