// Decoding only: ours against a hand-written decoder and other libraries, interleaved, each run a fresh process. Prints a table of
// ratios; with --write it goes to docs/benchmarks/decode.md too.
//
//   pnpm bench [--rounds N] [--write]
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { libraries } from "./decode/libraries.mjs"
import { note, options, report, turns, verdict } from "./report.ts"

const { rounds, write } = options({ rounds: 3 })
const CASES = { info: "INFO", players: "64 players", rules: "120 rules in 5 fragments" }
const names = Object.keys(libraries)
const one = fileURLToPath(new URL("decode/one.mjs", import.meta.url))

const runs = []
for (const name of turns(names, rounds)) {
  for (const what of Object.keys(CASES)) {
    const { status, stderr, stdout } = spawnSync(process.execPath, [one, name, what], { encoding: "utf8" })
    if (status !== 0) console.error(`${name}, ${what}: ${stderr.slice(0, 200)}`)
    runs.push({ name, what, ...(status === 0 ? JSON.parse(stdout) : {}) })
    note(".")
  }
}
note("\n")

const figure = (name, what) => {
  const results = runs.filter((run) => run.name === name && run.what === what)
  if (results.some(({ perSecond }) => perSecond === undefined)) {
    return results.some(({ wrong }) => wrong) ? "wrong" : "unsupported"
  }
  // Whatever else runs on the machine, and a compiler that guesses badly, only ever make it slower.
  return Math.max(...results.map(({ perSecond }) => perSecond))
}

const HAND = "hand-written"
const peers = names.filter((name) => name !== "sourcewire" && name !== HAND)
const fastestPeer = (what) =>
  Math.max(...peers.map((name) => figure(name, what)).filter((value) => typeof value === "number"))

const cell = (name, what) => {
  const value = figure(name, what)
  return typeof value === "number" ? (Number(figure(HAND, what)) / value).toFixed(2) : value
}

report({
  file: "decode.md",
  title: "Decoding",
  about: `Time per decode as a ratio to the hand-written decoder of the same run: smaller is better. ${rounds} interleaved rounds, each measurement in a process of its own, the best counts. Made by \`pnpm bench --write\`.`,
  table: [
    ["decoder", "how", ...Object.values(CASES)],
    ...names.map((name) => [
      name,
      runs.find((run) => run.name === name).kind ?? "",
      ...Object.keys(CASES).map((what) => cell(name, what))
    ])
  ],
  notes: Object.entries(CASES).map(([what, title]) => {
    const ours = Number(figure("sourcewire", what))
    const [ratio, peer] = [Number(figure(HAND, what)) / ours, fastestPeer(what) / ours]
    const text = `${title}: ${ratio.toFixed(2)}× the hand-written decoder (at most 1.50), ${peer.toFixed(2)}× the fastest peer (at most 0.50)`
    return verdict(text, ratio <= 1.5 && peer <= 0.5)
  }),
  write
})
