/** Compares the speed of our decoders with the speed of a hand-written decoder and of other libraries. */
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { bench, note, turns, verdict } from "../Bench.ts"
import { libraries } from "../decode/libraries.mjs"

const CASES = { info: "INFO", players: "64 players", rules: "120 rules in 5 fragments" }
const cases = Object.keys(CASES) as ReadonlyArray<keyof typeof CASES>
const HAND = "hand-written"
const OURS = "sourcewire"
const names = Object.keys(libraries)
const one = fileURLToPath(new URL("../decode/one.mjs", import.meta.url))

/** The output of `one.mjs`. */
interface Run {
  readonly kind?: string
  readonly perSecond?: number
  readonly wrong?: boolean
}

const runOnce = (name: string, what: string): Run => {
  const { status, stderr, stdout } = spawnSync(process.execPath, [one, name, what], { encoding: "utf8" })
  if (status !== 0) note(`\n${name}, ${what}: ${stderr.slice(0, 200)}\n`)
  note(".")
  return status === 0 ? (JSON.parse(stdout) as Run) : {}
}

/**
 * Returns the result of the fastest run, because disturbances (other programs on the machine, a compiler that optimizes badly) only make
 * runs slower.
 */
const fastest = (runs: ReadonlyArray<Run>): number | "wrong" | "unsupported" => {
  if (runs.some(({ wrong }) => wrong === true)) return "wrong"
  if (runs.some(({ perSecond }) => perSecond === undefined)) return "unsupported"
  return Math.max(...runs.map(({ perSecond }) => perSecond!))
}

const measure = async (rounds: number) => {
  const runs = new Map(names.map((name) => [name, new Map(cases.map((what): [string, Array<Run>] => [what, []]))]))
  for (const name of turns(names, rounds)) {
    for (const what of cases) runs.get(name)!.get(what)!.push(runOnce(name, what))
  }
  const figure = (name: string, what: string) => fastest(runs.get(name)!.get(what)!)
  const cell = (name: string, what: string): string => {
    const value = figure(name, what)
    return typeof value === "number" ? (Number(figure(HAND, what)) / value).toFixed(2) : value
  }
  const peers = names.filter((name) => name !== OURS && name !== HAND)
  return {
    table: [
      ["decoder", "how", ...Object.values(CASES)],
      ...names.map((name) => [
        name,
        runs.get(name)!.get("info")![0]?.kind ?? "",
        ...cases.map((what) => cell(name, what))
      ])
    ],
    notes: cases.map((what) => {
      const ours = Number(figure(OURS, what))
      const fastestPeer = Math.max(
        ...peers.map((name) => figure(name, what)).filter((value) => typeof value === "number")
      )
      const [ratio, peer] = [Number(figure(HAND, what)) / ours, fastestPeer / ours]
      const text = `${CASES[what]}: ${ratio.toFixed(2)}× the hand-written decoder (at most 1.50), ${peer.toFixed(2)}× the fastest other library (at most 0.50)`
      return verdict(text, ratio <= 1.5 && peer <= 0.5)
    })
  }
}

export default bench({
  title: "Decoding",
  about:
    "The time to decode a reply, divided by the time that a hand-written decoder needs on the same machine. Smaller is better.",
  options: { rounds: 3 },
  parts: ({ rounds }) => ({
    decode: {
      title: "Decoding",
      about: `In each of ${rounds} rounds, all libraries are measured one after the other. The figure of a library is that of its fastest round. Each measurement runs in a separate process.`,
      measure: () => measure(rounds)
    }
  })
})
