/**
 * How a scan is doing, and how it went: the line at the bottom of the terminal and the summary, both on standard error.
 *
 * @module
 */
import type { ScanProgress } from "@sourcewire/core"
import { duration, milliseconds, plural } from "../view/quantities.ts"

const BAR_COLUMNS = 16
/** Rates of the last so many ms are shown: long enough to be calm, short enough to be true. */
const RATE_WINDOW_MS = 3000

const grouped = (count: number): string => Math.round(count).toLocaleString("en-US")

const roundTrips = (progress: ScanProgress): string => {
  const times = [0.5, 0.95, 0.99].map((share) => progress.rttMs(share))
  return times.some((time) => time === undefined)
    ? "–"
    : times.map((time) => milliseconds(time!).replace(" ms", "")).join("/")
}

const bar = (share: number): string => {
  const full = Math.round(Math.min(1, share) * BAR_COLUMNS)
  return `${"█".repeat(full)}${"░".repeat(BAR_COLUMNS - full)}`
}

/** Follows a scan. Times in ms of one clock. */
export class Report {
  private readonly progress: ScanProgress
  private readonly total: number | undefined
  private readonly startedAt: number
  private readonly marks: Array<{ readonly at: number; readonly done: number }> = []

  /** `total` counts targets, where it is known. */
  constructor(progress: ScanProgress, total: number | undefined, now: number) {
    this.progress = progress
    this.total = total
    this.startedAt = now
  }

  /** The line, in fewer words where the terminal has fewer columns. */
  line(now: number, columns: number): string {
    const { answered, dropped, duplicates, inFlight } = this.progress
    const { total } = this
    const done = this.progress.done + duplicates
    const perSecond = this.rate(now, done)
    const times = roundTrips(this.progress)
    const end = [
      ...(total === undefined || perSecond === 0 ? [] : [`ETA ${duration(Math.max(0, total - done) / perSecond)}`]),
      ...(dropped === 0 ? [] : [`${grouped(dropped)} dropped here`])
    ]
    const long = [
      total === undefined || total === 0
        ? `${grouped(done)} done`
        : `${bar(done / total)} ${grouped(done)} of ${grouped(total)}`,
      `${grouped(answered)} answered`,
      `${grouped(perSecond)}/s`,
      `${grouped(inFlight)} in flight`,
      `RTT ${times} ms`,
      ...end
    ].join(" · ")
    if (long.length < columns) return long
    return [
      total === undefined ? grouped(done) : `${grouped(done)}/${grouped(total)}`,
      `${grouped(answered)} ok`,
      `${grouped(perSecond)}/s`,
      `${grouped(inFlight)} open`,
      `${times} ms`,
      ...end
    ].join(" · ")
  }

  /** The summary. `failures` counts errors by tag. */
  summary(now: number, failures: ReadonlyMap<string, number>): ReadonlyArray<string> {
    const { answered, done, dropped, duplicates, failed, received, resent, sent } = this.progress
    const seconds = (now - this.startedAt) / 1000
    const why = [...failures].sort((a, b) => b[1] - a[1]).map(([tag, count]) => `${grouped(count)} ${tag}`)
    return [
      `${plural(done, "server")} in ${seconds.toFixed(1)} s (${grouped(done / Math.max(seconds, 0.001))}/s): ${grouped(answered)} answered, ${grouped(failed)} failed${why.length === 0 ? "" : ` (${why.join(", ")})`}${duplicates === 0 ? "" : `, ${grouped(duplicates)} named twice`}`,
      `${grouped(sent)} datagrams sent, ${grouped(received)} received; ${grouped(resent)} servers answered only when asked again; round trips 50/95/99 %: ${roundTrips(this.progress)} ms`,
      ...(dropped === 0
        ? []
        : [
            `This system dropped ${grouped(dropped)} datagrams because our receive queue was full: raise net.core.rmem_max, or lower --concurrency.`
          ])
    ]
  }

  private rate(now: number, done: number): number {
    this.marks.push({ at: now, done })
    while (this.marks.length > 2 && now - this.marks[0]!.at > RATE_WINDOW_MS) this.marks.shift()
    const [first] = this.marks as [{ readonly at: number; readonly done: number }]
    return now === first.at ? 0 : ((done - first.done) * 1000) / (now - first.at)
  }
}
