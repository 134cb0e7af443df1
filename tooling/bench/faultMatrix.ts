/**
 * The fault matrix: our client against our responder over a network in memory, in virtual time, with every combination of faults; then
 * a machine with few descriptors, scans that note on a bad disk how far they are, and RCON through a proxy that cuts, stalls and
 * resets. Prints tables; with --write they go to docs/benchmarks/fault-matrix.md too.
 *
 *     pnpm bench:faults [--queries N] [--write]
 *
 * Exits with 1 when there was a wrong result or a round trip given for a fact that is none, when more than one query in a thousand
 * failed with a tenth lost each way, when one failed for want of descriptors, or when a resumed scan left anybody out.
 */
import type { DiskFaults } from "./faultMatrix/BadDisk.ts"
import { simulateCheckpoints } from "./faultMatrix/checkpoint.ts"
import { simulateDescriptors } from "./faultMatrix/descriptors.ts"
import { type Faults, simulate, Tally } from "./faultMatrix/simulate.ts"
import { type ProxyFaults, simulateRcon } from "./faultMatrix/rcon.ts"
import { note, options, report } from "./report.ts"

/** Queries per cell of the table of single faults. */
const { queries, write } = options({ queries: 8000 })

const LOSSES = [0, 0.05, 0.1, 0.2, 0.3]

const OTHERS: ReadonlyArray<readonly [name: string, faults: Faults]> = [
  ["nothing else, 25 ms each way", { delayMs: 25, jitterMs: 10 }],
  ["duplication 30 %", { delayMs: 25, jitterMs: 10, duplicate: 0.3 }],
  ["reordering 30 %, up to 100 ms", { delayMs: 25, jitterMs: 10, reorder: 0.3, reorderMs: 100 }],
  ["50 to 90 ms each way", { delayMs: 50, jitterMs: 40 }],
  ["150 to 250 ms each way", { delayMs: 150, jitterMs: 100 }],
  ["450 ms each way", { delayMs: 450 }],
  ["corruption 5 %", { delayMs: 25, jitterMs: 10, corrupt: 0.05 }],
  ["corruption 5 %, no checksum", { delayMs: 25, jitterMs: 10, corrupt: 0.05, withoutChecksum: true }],
  ["forgeries with 50 %", { delayMs: 25, jitterMs: 10, forgery: 0.5, spoof: 0.5 }],
  ["1 send in 5 refused by the own machine", { delayMs: 25, jitterMs: 10, refuse: 0.2 }],
  ["timers up to 300 ms late", { delayMs: 25, jitterMs: 10, lateTimersMs: 300 }],
  ["stopped for 400 ms in every second", { delayMs: 25, jitterMs: 10, stoppedMs: 400 }],
  [
    "all of these, with checksum",
    {
      delayMs: 50,
      jitterMs: 40,
      duplicate: 0.3,
      reorder: 0.3,
      corrupt: 0.05,
      forgery: 0.5,
      spoof: 0.5,
      refuse: 0.2,
      lateTimersMs: 300,
      stoppedMs: 400
    }
  ]
]

const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(3)} %`

const row = (name: string, loss: number, tally: Tally): ReadonlyArray<string | number> => [
  `${loss * 100} %`,
  name,
  tally.queries,
  percent(tally.right + tally.altered, tally.queries),
  tally.wrong,
  tally.altered,
  tally.untrue,
  percent(tally.guessed, tally.queries - tally.failed),
  (tally.sent / (tally.queries - tally.failed)).toFixed(2),
  (tally.best / tally.queries).toFixed(2)
]

const failures: Array<string> = []
/** What must never be. */
const judge = ({ untrue, wrong }: Tally, where: string): void => {
  if (wrong > 0) failures.push(`${wrong} wrong results ${where}`)
  if (untrue > 0) failures.push(`${untrue} untrue round trips ${where}`)
}

const rows: Array<ReadonlyArray<string | number>> = []
let seed = 1
for (const loss of LOSSES) {
  for (const [name, faults] of OTHERS) {
    const tally = simulate({ ...faults, loss }, queries, seed++)
    rows.push(row(name, loss, tally))
    judge(tally, `with ${loss * 100} % loss and ${name}`)
  }
  note(".")
}

// The criterion gets a run of its own, large enough to tell 1 in 1000 from 2.
const judged = simulate({ delayMs: 25, jitterMs: 10, loss: 0.1 }, 5 * queries, 99)
if (judged.failed > judged.queries / 1000) failures.push(`${judged.failed} of ${judged.queries} failed with 10 % loss`)

/** Every combination of these, with fewer queries each. */
const ALTERNATIVES: ReadonlyArray<ReadonlyArray<Faults>> = [
  LOSSES.map((loss) => ({ loss })),
  [{}, { duplicate: 0.3 }],
  [{}, { reorder: 0.3 }],
  [
    { delayMs: 5, jitterMs: 1 },
    { delayMs: 50, jitterMs: 40 },
    { delayMs: 150, jitterMs: 100 }
  ],
  [{}, { corrupt: 0.05 }],
  [{}, { forgery: 0.5, spoof: 0.5 }]
]
const combinations = ALTERNATIVES.reduce((made, faults) =>
  made.flatMap((one) => faults.map((other) => ({ ...one, ...other })))
)
const cross = new Tally()
for (const faults of combinations) simulate(faults, Math.ceil(queries / 10), seed++, cross)
judge(cross, "in the combinations")

const told: Array<string> = []
const tell = (text: string, holds: boolean): void => {
  told.push(text)
  if (!holds) failures.push(text)
  note(".")
}

for (const [name, scarcity] of [
  ["one descriptor for sockets", { descriptors: 1 }],
  ["64 descriptors", { descriptors: 64 }],
  ["one descriptor, after none for 2 s", { descriptors: 1, noneForMs: 2000 }]
] as const) {
  const answered = await simulateDescriptors(scarcity, queries)
  tell(
    `${queries} calls at once of one client with ${name}, 2 % loss: ${answered} answered (must be all).`,
    answered === queries
  )
}

const DISKS: ReadonlyArray<readonly [name: string, faults: DiskFaults]> = [
  ["nothing", {}],
  ["no room for 1 write in 3, half of it written", { full: 0.3 }],
  ["read-only 1 time in 3", { readOnly: 0.3 }],
  ["1 flush in 3 failing", { failing: 0.3 }],
  ["the power failing at 1 call in 50", { powerless: 0.02 }],
  ["all of these, less often", { full: 0.1, readOnly: 0.1, failing: 0.1, powerless: 0.02 }]
]
for (const [name, faults] of DISKS) {
  const tally = await simulateCheckpoints(faults, Math.ceil(queries / 40), seed++)
  const { again, broken, powerFailures, skipped, targets, unsaid } = tally
  tell(
    `Scans that are interrupted again and again, with a checkpoint on a disk with ${name}: of ${targets} targets ${skipped} left out and ${broken} times no checkpoint (must be 0), ${percent(again, targets)} asked again, ${unsaid} of them without a word (must be 0); ${powerFailures} power failures.`,
    skipped + broken + unsaid === 0
  )
}

const PROXIES: ReadonlyArray<ProxyFaults> = [
  { name: "nothing" },
  { name: "segments of 1 to 7 bytes", segmentBytes: 7 },
  { name: "segments of up to 600 bytes, half stall up to 30 ms", segmentBytes: 600, stall: { share: 0.5, ms: 30 } },
  { name: "a reset in place of 1 segment in 50", segmentBytes: 2000, reset: 0.02 },
  { name: "all three", segmentBytes: 400, stall: { share: 0.2, ms: 20 }, reset: 0.01 }
]
for (const proxy of PROXIES) {
  const tally = await simulateRcon(proxy, proxy.stall === undefined ? 250 : 60, seed++)
  const { commands, failed, resets, right, wrong } = tally
  tell(
    `RCON through a proxy, ${proxy.name}: of ${commands} commands ${right} right, ${wrong} wrong, ${failed} ended with an error after ${resets} resets.`,
    wrong === 0 && (proxy.reset !== undefined || failed === 0)
  )
}
note("\n")

report({
  file: "fault-matrix.md",
  title: "Fault matrix",
  about: `Our client against our responder with default settings, over the network of \`@sourcewire/core/testing\` in virtual time: INFO, PLAYER and RULES in turn of servers that challenge and that don't, with replies that are whole, split in three layouts, or compressed. Nothing is known of a server before its query. Loss is that of each direction, everything else befalls each datagram by itself. Sent counts the client's datagrams per success; best is what a client would send on average that notices every loss at once. Made by \`pnpm bench:faults --write\`.`,
  table: [
    ["loss", "besides", "queries", "succeeded", "wrong", "altered", "untrue", "guessed", "sent", "best"],
    ...rows
  ],
  notes: [
    `10 % loss each way, ${judged.queries} queries: ${percent(judged.right, judged.queries)} succeeded (at least 99.9 %).`,
    `All ${combinations.length} combinations of loss, duplication, reordering, three delays, corruption and forgeries, ${cross.queries} queries: ${cross.wrong} wrong and ${cross.untrue} untrue (must be 0), ${percent(cross.right, cross.queries)} succeeded.`,
    "Wrong is an answer that the server did not give. Forgeries are whole replies and challenges from the server's address with another port, and from its port with another address; they are never taken. One who can send from address and port of the server can forge an answer: the protocol has nothing against that.",
    "Altered is an answer with a byte changed on the way that nothing in it could tell: the protocol has a checksum (CRC32) for compressed replies only, and there none got through. UDP's own checksum finds every change of one byte, so such a datagram is lost rather than delivered; without checksum stands for networks that switch it off.",
    "Untrue is a round trip that is given for a fact and that the network cannot have made. Guessed are the answers whose round trip is marked as a guess (`rttAmbiguous`), since they could belong to more than one transmission; of those that succeeded.",
    "Where a round trip takes 300 to 500 ms, the first retransmissions leave before the answer can be there, which costs datagrams.",
    ...told
  ],
  failures,
  write
})
