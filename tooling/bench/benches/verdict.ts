/**
 * Measures the share of fake servers that `--verdict` finds in generated lists, and the CPU time, memory and datagrams that `--verdict`
 * needs.
 */
import { FAKE_KINDS, HONEST_KINDS, ServerList, type ServerListOptions } from "@sourcewire/emulator/machines"
import { type Conditions, judge, observations } from "../../../packages/verdict/test/generatedList.ts"
import { Survey } from "../../../packages/verdict/src/index.ts"
import { overSockets } from "../verdict/overSockets.ts"
import { type Measured, bench, note, verdict } from "../Bench.ts"

const LOSS: Conditions = { loss: 0.1, slowMs: 3000 }
const MAPS: ServerListOptions = { mapSeconds: 60, reconnects: true }

const RUNS: ReadonlyArray<readonly [title: string, conditions: Conditions, list: ServerListOptions]> = [
  ["one observation", { observations: 1 }, {}],
  ["two observations", {}, {}],
  ["two, 10 % loss, slow servers", LOSS, {}],
  ["two, map change between", {}, MAPS],
  ["two, all of these", LOSS, MAPS]
]

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`

const detection = (options: { readonly manyPorts: number; readonly seed: number }): Measured => {
  const outcomes = RUNS.map(([title, conditions, list]) => {
    note(`  ${title} …\n`)
    return judge({ ...options, ...list }, conditions)
  })
  const share = (kind: (typeof FAKE_KINDS)[number] | (typeof HONEST_KINDS)[number]) =>
    outcomes.map((outcome) => {
      const { contradicted, servers } = outcome.get(kind)!
      return contradicted / servers
    })
  const rows = [...HONEST_KINDS, ...FAKE_KINDS].map((kind) => [
    kind,
    (HONEST_KINDS as ReadonlyArray<string>).includes(kind) ? "honest" : "fake",
    outcomes[0]!.get(kind)!.servers,
    ...share(kind).map(percent)
  ])
  const honest = HONEST_KINDS.every((kind) => share(kind).every((value) => value === 0))
  const fakes = FAKE_KINDS.every((kind) =>
    share(kind)
      .slice(1)
      .every((value) => value >= 0.99)
  )
  return {
    table: [["kind", "is", "servers", ...RUNS.map(([title]) => title)], ...rows],
    notes: [
      verdict("Limit: no honest server has a strong finding.", honest),
      verdict(
        "Limit: after two observations, at least 99 % of the fake servers of each kind have a strong finding.",
        fakes
      ),
      "The two observations of a server are at least 60 s apart. In the runs with a map change, all servers change their map between the observations. The players of honest servers reconnect, so that their play times start again."
    ]
  }
}

const cost = (options: { readonly manyPorts: number; readonly seed: number }): Measured => {
  const list = new ServerList(options)
  const measureTime = (use: () => void): number => {
    const begun = process.cpuUsage()
    use()
    const { system, user } = process.cpuUsage(begun)
    return (user + system) / 1e6
  }
  note("  generating only …\n")
  let count = 0
  const generating = measureTime(() => {
    for (const _ of observations(list)) count++
  })
  globalThis.gc?.()
  const before = process.memoryUsage()
  const survey = new Survey()
  note("  collecting …\n")
  const collecting = measureTime(() => {
    for (const observation of observations(list)) survey.add(observation)
  })
  let strong = 0
  note("  judging …\n")
  const judging = measureTime(() => {
    for (const { contradicted } of survey.verdicts()) if (contradicted) strong++
  })
  globalThis.gc?.()
  const after = process.memoryUsage()
  const used = after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers
  return {
    table: [
      ["servers", "observations", "with a strong finding", "processor time per server", "memory per server", "memory"],
      [
        list.size,
        count,
        strong,
        `${(((collecting - generating + judging) / list.size) * 1e6).toFixed(1)} µs`,
        `${(used / list.size).toFixed(0)} bytes`,
        `${(used / 2 ** 20).toFixed(0)} MiB`
      ]
    ],
    notes: [
      "The CPU time includes the two observations and the verdict. It does not include the network and the generation of the list.",
      "For each of the two observations, `--verdict` sends the same datagrams as a scan that queries INFO and PLAYER. In addition, it sends one handshake request to each server with players."
    ]
  }
}

export default bench({
  title: "Findings about fake servers",
  about: `\`ServerList\` of \`@sourcewire/emulator/machines\` generates lists with honest servers and with ${FAKE_KINDS.length} kinds of fake servers. The honest servers include ${HONEST_KINDS.length - 1} kinds of servers that look unusual. The kinds of fake servers come from public reports; we chose how often each occurs. Except in the last part, the replies are generated in the same process and not sent over sockets.`,
  options: { entries: 1_280_000, sockets: 1_280_000, seed: 1 },
  nodeFlags: ["--expose-gc", "--max-old-space-size=6000"],
  parts: ({ entries, seed, sockets }) => {
    const others = 1800 + 400 * (FAKE_KINDS.length - 1)
    const fakesOfEachKind = sockets > 100_000 ? 400 : 100
    return {
      detection: {
        title: "Servers with a strong finding",
        about:
          "The list contains 223,300 fake servers of one kind at 203 addresses. It also contains servers of all other kinds.",
        measure: async () => detection({ seed, manyPorts: Math.min(223_300, Math.max(0, entries - others)) })
      },
      cost: {
        title: "Cost",
        about: `The list has ${entries.toLocaleString("en")} entries. About 1,800 of them are honest, as in the report ValveSoftware/Source-1-Games #5101.`,
        measure: async () => cost({ seed, manyPorts: Math.max(0, entries - others) })
      },
      sockets: {
        title: "Over sockets",
        about: `The built program scans a list of ${sockets.toLocaleString("en")} entries with and without verdicts. The servers run in another process on the same machine. This process has one socket per port. Each socket receives the datagrams for all addresses.`,
        measure: () =>
          overSockets({
            seed,
            honest: Math.min(1800, sockets),
            fakesOfEachKind,
            manyPorts: Math.max(0, sockets - 1800 - fakesOfEachKind * (FAKE_KINDS.length - 1)),
            manyPortsHosts: Math.min(203, Math.max(1, Math.floor(sockets / 3000)))
          })
      }
    }
  }
})
