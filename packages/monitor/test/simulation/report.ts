/** What a simulation found, as the tables of a page. */
import type { Outcome, PhaseOutcome, SimulationOptions } from "./simulate.ts"

/** A run, and what it took. */
export interface SeedOutcome {
  readonly seed: number
  readonly outcome: Outcome
  readonly cpuSeconds: number
  readonly peakBytes: number
}

const MARK = "<!-- measured -->"

const whole = (number: number): string => Math.round(number).toLocaleString("en-GB").replaceAll(",", " ")
const seconds = (ms: number): string => (ms / 1000).toFixed(1)
const row = (cells: ReadonlyArray<string | number>): string => `| ${cells.join(" | ")} |`

/** Of the runs the one that did worst, per phase. */
const worst = (outcomes: ReadonlyArray<SeedOutcome>, phase: number): PhaseOutcome => {
  const all = outcomes.map(({ outcome }) => outcome.phases[phase]!)
  const most = (of: (one: PhaseOutcome) => number): number => Math.max(...all.map(of))
  return {
    ...all[0]!,
    unaskedMs: most(({ unaskedMs }) => unaskedMs),
    twice: most(({ twice }) => twice),
    moves: most(({ moves }) => moves),
    foreign: most(({ foreign }) => foreign),
    waiting: { asks: most(({ waiting }) => waiting.asks), writes: most(({ waiting }) => waiting.writes) },
    slices: [Math.min(...all.map(({ slices }) => slices[0])), most(({ slices }) => slices[1])],
    ages: {
      half: most(({ ages }) => ages.half),
      most: most(({ ages }) => ages.most),
      oldest: most(({ ages }) => ages.oldest)
    }
  }
}

/** The page with the tables of these runs in place of those of as many servers; what stands above its mark stays. */
export const report = (
  page: string,
  command: string,
  { intervalMs, runners, targets }: Pick<SimulationOptions, "intervalMs" | "runners" | "targets">,
  outcomes: ReadonlyArray<SeedOutcome>
): string => {
  const title = `${whole(targets)} servers`
  const [text, measured = ""] = page.split(MARK)
  const others = measured
    .split(/^(?=### )/m)
    .filter((part) => part.startsWith("### ") && !part.startsWith(`### ${title}`))
  const [first] = outcomes as [SeedOutcome]
  const phases = first.outcome.phases.map((_, phase) => worst(outcomes, phase))
  const broken = outcomes.flatMap(({ outcome, seed }) => outcome.broken.map((problem) => `- seed ${seed}: ${problem}`))
  const tables = [
    `### ${title}`,
    "",
    `Each server is queried every ${intervalMs / 1000} s, by ${runners} instances: \`${command}\`. Each column has the worst value of all seeds.`,
    "",
    "| event | queries | longest delay of a query, s | slices with a new owner | servers queried twice in a round | rows of other owners | waiting queries | waiting changes | slices per instance | age of stored results, s: median, 99 %, oldest |",
    "|---|---|---|---|---|---|---|---|---|---|",
    ...phases.map(({ ages, asked, foreign, moves, slices, twice, unaskedMs, waiting, what }) =>
      row([
        what,
        whole(asked),
        seconds(unaskedMs),
        whole(moves),
        whole(twice),
        foreign,
        whole(waiting.asks),
        whole(waiting.writes),
        slices.join("–"),
        [ages.half, ages.most, ages.oldest].map(seconds).join(", ")
      ])
    ),
    "",
    "| seed | virtual time, s | queries | stored changes | CPU time (about), s | peak memory so far, MB |",
    "|---|---|---|---|---|---|",
    ...outcomes.map(({ cpuSeconds, outcome, peakBytes, seed }) =>
      row([
        seed,
        whole(outcome.virtualSeconds),
        whole(outcome.asked),
        whole(outcome.changes),
        whole(cpuSeconds),
        whole(peakBytes / 1e6)
      ])
    ),
    "",
    broken.length === 0 ? "All conditions were met." : ["These conditions were not met:", "", ...broken].join("\n"),
    ""
  ]
  return `${text!}${[MARK, tables.join("\n").trim(), ...others.map((part) => part.trim())].join("\n\n")}\n`
}
