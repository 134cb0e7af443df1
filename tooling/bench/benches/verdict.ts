/** Measures the share of fake servers that `--verdict` finds in generated lists, and the cost of findings. */
import { FAKE_KINDS, HONEST_KINDS, ServerList } from "@sourcewire/emulator/machines"
import { type Conditions, judge, observations } from "../../../packages/verdict/test/generatedList.ts"
import { Survey } from "../../../packages/verdict/src/index.ts"
import { overSockets } from "../verdict/overSockets.ts"
import { type Measured, bench, note, verdict } from "../Bench.ts"

const RUNS: ReadonlyArray<readonly [title: string, conditions: Conditions]> = [
  ["one observation", { observations: 1 }],
  ["two observations", {}],
  ["two, 10 % loss, slow servers", { loss: 0.1, slowMs: 3000 }]
]

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`

const detection = (options: { readonly manyPorts: number; readonly seed: number }): Measured => {
  const outcomes = RUNS.map(([title, conditions]) => {
    note(`  ${title} …\n`)
    return judge(options, conditions)
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
      verdict("Limit: at least 99 % of each kind of fake have a strong finding after two observations.", fakes)
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
      "Processor time is that of both observations and of the verdict, without making the list and without the network.",
      "A scan with players sends the same datagrams twice as `--verdict` does, and `--verdict` adds one handshake request to servers with players."
    ]
  }
}

export default bench({
  title: "Findings about fake servers",
  about:
    "Lists made by `ServerList` of `@sourcewire/emulator/machines`: honest servers, 16 kinds of which look odd, and 9 kinds of fakes. The kinds of fakes follow public reports; how often each occurs is our choice. The replies come from memory, except in the last part.",
  options: { entries: 1_280_000, sockets: 12_000, seed: 1 },
  nodeFlags: ["--expose-gc", "--max-old-space-size=6000"],
  parts: ({ entries, seed, sockets }) => {
    const others = 1800 + 400 * (FAKE_KINDS.length - 1)
    return {
      detection: {
        title: "Servers with a strong finding",
        about: "A list with 223,300 ports at 203 addresses beside the other kinds.",
        measure: async () => detection({ seed, manyPorts: Math.min(223_300, Math.max(0, entries - others)) })
      },
      cost: {
        title: "Cost",
        about: `A list of ${entries.toLocaleString("en")} entries, about 1,800 of them honest, as in ValveSoftware/Source-1-Games #5101.`,
        measure: async () => cost({ seed, manyPorts: Math.max(0, entries - others) })
      },
      sockets: {
        title: "Over sockets",
        about: `The built program on a list of ${sockets.toLocaleString("en")} entries: each server needs a socket, so a machine cannot run a million. Time, memory and datagrams with and without verdicts.`,
        measure: () =>
          overSockets({
            seed,
            honest: Math.min(1800, sockets),
            fakesOfEachKind: 100,
            manyPorts: Math.max(0, sockets - 1800 - 100 * (FAKE_KINDS.length - 1)),
            manyPortsHosts: Math.max(1, Math.floor(sockets / 3000))
          })
      }
    }
  }
})
