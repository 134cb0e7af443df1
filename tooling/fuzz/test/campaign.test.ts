/**
 * Checks that the fuzzer finds planted errors, minimises failing inputs, can repeat a campaign with the same inputs, and limits the steps
 * of instrumented sources.
 */
import { describe, expect, it } from "vitest"
import { campaign, runOne } from "../src/engine/campaign.ts"
import { Counters } from "../src/engine/Counters.ts"
import { instrument } from "../src/engine/instrument.ts"
import { minimise } from "../src/engine/minimise.ts"
import type { Target } from "../src/Target.ts"

/** Instruments and loads plain JavaScript, in the same way as a campaign does with our sources. */
const load = async (source: string, counters: Counters): Promise<(bytes: Uint8Array) => void> => {
  Object.assign(globalThis, { __sourcewireFuzz: counters })
  const code = instrument(source, counters.blockOf("planted.ts"))
  const module: unknown = await import(`data:text/javascript,${encodeURIComponent(code)}#${Math.random()}`)
  return (module as { default: (bytes: Uint8Array) => void }).default
}

const makeTarget = (run: (bytes: Uint8Array) => void): Target => ({
  name: "planted",
  holds: "nothing is planted",
  covers: /planted/,
  weight: 1,
  events: false,
  steering: 0,
  maxBytes: 64,
  baseSteps: 100,
  stepsPerByte: 10,
  seeds: () => [[new Uint8Array(12)]],
  run: ([bytes = new Uint8Array()]) => run(bytes)
})

const NESTED = `export default (bytes) => {
  if (bytes[3] === 0x53) {
    if (bytes[5] === 0x57) bytes[7] === 0x21 && (() => { throw new RangeError("planted") })()
  }
}`

describe("a campaign", () => {
  it("finds an error that random inputs would almost never cause, and minimises the failing input", async () => {
    const counters = new Counters()
    const planted = await load(NESTED, counters)
    let isFound = false
    const target = makeTarget((bytes) => {
      try {
        planted(bytes)
      } catch (error) {
        isFound = true
        throw error
      }
    })
    const { failures } = await campaign(target, 1, counters, (runs) => isFound || runs >= 400_000)
    expect(failures.map(({ error }) => error.message)).toEqual(["planted"])
    const { input } = await minimise(target, failures[0]!, counters)
    expect([...input[0]!]).toEqual([0, 0, 0, 0x53, 0, 0x57, 0, 0x21])
  })

  it("uses the same inputs for the same seed, and other inputs for another seed", async () => {
    const counters = new Counters()
    const inputs: Array<string> = []
    const count = await load(
      "export default (bytes) => { for (const byte of bytes) if (byte > 9) bytes[0] = 1 }",
      counters
    )
    const target = makeTarget((bytes) => {
      inputs.push(bytes.join())
      count(bytes)
    })
    const runCampaign = async (seed: number): Promise<string> => {
      inputs.length = 0
      await campaign(target, seed, counters, (runs) => runs >= 500)
      return inputs.join(" ")
    }
    const first = await runCampaign(7)
    expect(await runCampaign(7)).toBe(first)
    expect(await runCampaign(8)).not.toBe(first)
  })

  it.each([
    ["an endless loop", "export default () => { for (;;); }"],
    ["an endless recursion", "const down = () => down(); export default () => down()"],
    [
      "a loop that catches the error about its steps",
      "export default () => { for (let i = 0; i < 5000; i++) try { i } catch {} }"
    ]
  ])("stops %s when the budget of steps is used up", async (_, source) => {
    const counters = new Counters()
    const { error } = await runOne(makeTarget(await load(source, counters)), [new Uint8Array(4)], counters)
    expect(error?.name).toBe("Hang")
  })
})

describe("instrumented code", () => {
  it.each([
    "export default (a) => a ? a > 1 ? 'many' : 'one' : 'none'",
    "export default (a) => ({ a, b: a ?? 2, c: a?.d || (a, 3) })",
    "export default (a) => { if (a) return 1; else if (a === 0) return 2; return 3 }",
    "export default (a) => { let n = 0; do n++; while (n < a); for (const k in { a }) n += k.length; return n }",
    "export default (a) => { switch (a) { case 1: return 'x'; case 2: { return 'y' } default: } return 'z' }",
    "export default (a) => { let b = 0; b ||= a; b &&= b + 1\n ;[b] = [b]; label: for (;;) break label; return b }",
    "class A { #x = 1; get x() { return this.#x } static of = () => new A() } export default (a) => [A.of().x, a]",
    "export default (a) => { try { a.b.c } catch { return 'caught' } finally { a = 1 } return a }",
    "export default (a) => [...(function* () { for (let i = 0; i < 3; i++) yield i ? i : a })()]"
  ])("returns the same values as the original code: %s", async (source) => {
    const counters = new Counters()
    const plain: unknown = await import(`data:text/javascript,${encodeURIComponent(source)}`)
    const before = (plain as { default: (a: unknown) => unknown }).default
    const after = (await load(source, counters)) as (a: unknown) => unknown
    for (const a of [0, 1, 2, undefined, null, "text"]) expect(after(a)).toEqual(before(a))
    expect(counters.reached(counters.nothing(), /planted/).all).toBeGreaterThan(0)
  })
})
