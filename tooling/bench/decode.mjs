// Decoding only: ours against hand-written decoders and other libraries, interleaved, each run a fresh process. Prints a table of
// ratios; with --write it goes to docs/benchmarks/decode.md too.
//
//   pnpm bench [--rounds N] [--write]
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { libraries } from "./decode/libraries.mjs"
import { report } from "./report.mjs"

const rounds = Number(process.argv[process.argv.indexOf("--rounds") + 1]) || 3
const CASES = { info: "INFO", players: "64 players", rules: "120 rules in 5 fragments" }
const names = Object.keys(libraries)
const one = fileURLToPath(new URL("decode/one.mjs", import.meta.url))

const runs = new Map()
for (let round = 0; round < rounds; round++) {
  for (const what of Object.keys(CASES)) {
    for (let i = 0; i < names.length; i++) {
      const name = names[(i + round) % names.length]
      const child = spawnSync(process.execPath, [one, name, what], { encoding: "utf8" })
      const key = `${name}/${what}`
      const result = child.status === 0 ? JSON.parse(child.stdout) : { failed: child.stderr.slice(0, 200) }
      if (result.failed !== undefined) console.error(`${key}: ${result.failed}`)
      runs.set(key, [...(runs.get(key) ?? []), result])
      process.stderr.write(".")
    }
  }
}
process.stderr.write("\n")

const figure = (name, what) => {
  const results = runs.get(`${name}/${what}`)
  if (results.some(({ perSecond }) => perSecond === undefined)) {
    return results.some(({ wrong }) => wrong) ? "wrong" : "unsupported"
  }
  // Whatever else runs on the machine, and a compiler that guesses badly, only ever make it slower.
  return Math.max(...results.map(({ perSecond }) => perSecond))
}

const hands = names.filter((name) => name.startsWith("hand-written"))
const limit = (what) => Math.max(...hands.map((name) => figure(name, what)))
const peers = names.filter((name) => name !== "sourcewire" && !hands.includes(name))
const bestPeer = (what) =>
  Math.max(...peers.map((name) => figure(name, what)).filter((value) => typeof value === "number"))

const cell = (name, what) => {
  const value = figure(name, what)
  return typeof value === "number" ? (limit(what) / value).toFixed(2) : value
}

const table = [
  ["decoder", "how", ...Object.values(CASES)],
  ...names.map((name) => [
    name,
    runs.get(`${name}/info`)[0].kind ?? "",
    ...Object.keys(CASES).map((what) => cell(name, what))
  ])
]

const verdicts = Object.keys(CASES).map((what) => {
  const ratio = limit(what) / figure("sourcewire", what)
  const peer = bestPeer(what) / figure("sourcewire", what)
  return `${CASES[what]}: ${ratio.toFixed(2)}× the best hand-written decoder (at most 1.50), ${peer.toFixed(2)}× the fastest peer (at most 0.50)${
    ratio <= 1.5 && peer <= 0.5 ? "" : "  MISSED"
  }`
})

report({
  file: "docs/benchmarks/decode.md",
  title: "Decoding",
  about: `Time per decode as a ratio to the best hand-written decoder of the same run: smaller is better. ${rounds} interleaved rounds, each measurement in a process of its own, the best counts. Made by \`pnpm bench --write\`.`,
  table,
  notes: verdicts,
  write: process.argv.includes("--write")
})
if (verdicts.some((line) => line.endsWith("MISSED"))) process.exitCode = 1
