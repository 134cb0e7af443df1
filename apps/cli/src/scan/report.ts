/** How a scan is doing, and how it went: the line at the bottom of the terminal and the summary, both on standard error. */
import { type ScanProgress, type ScanQuery, type ScanResult } from "@sourcewire/core"
import type { Answered } from "@sourcewire/core/machines"
import { bar, counted, duration, milliseconds, plural } from "../view/quantities.ts"
import { errorOf } from "./resultLine.ts"

const BAR_COLUMNS = 16
/** Rates of the last so many ms are shown: long enough to be calm, short enough to be true. */
const RATE_WINDOW_MS = 3000

const rounded = (count: number): string => counted(Math.round(count))

const roundTrips = (progress: ScanProgress): string => {
  const times = [0.5, 0.95, 0.99].map((share) => progress.rttMs(share))
  return times.some((time) => time === undefined)
    ? "–"
    : times.map((time) => milliseconds(time!).replace(" ms", "")).join("/")
}

/** Follows a scan. Times in ms of one clock. */
export class Report {
  private readonly progress: ScanProgress
  private readonly total: number | undefined
  private readonly startedAt: number
  /** Errors by tag. */
  private readonly failures = new Map<string, number>()
  /** Targets that this machine could not ask, and why the last of them. */
  private unasked = 0
  private why = ""
  private readonly marks: Array<{ readonly at: number; readonly done: number }> = []

  /** `total` counts targets, where it is known. */
  constructor(progress: ScanProgress, total: number | undefined, now: number) {
    this.progress = progress
    this.total = total
    this.startedAt = now
  }

  /** The line, in fewer words where the terminal has fewer columns. */
  line(now: number, columns: number): string {
    const { answered, dropped, duplicates, inFlight, refused } = this.progress
    const { total } = this
    const done = this.progress.done + duplicates
    const perSecond = this.rate(now, done)
    const times = roundTrips(this.progress)
    const end = [
      ...(total === undefined || perSecond === 0 ? [] : [`ETA ${duration(Math.max(0, total - done) / perSecond)}`]),
      ...(dropped === 0 ? [] : [`${rounded(dropped)} dropped here`]),
      ...(refused === 0 ? [] : [`${rounded(refused)} not sent here`])
    ]
    const long = [
      total === undefined || total === 0
        ? `${rounded(done)} done`
        : `${bar(done, total, BAR_COLUMNS).join("")} ${rounded(done)} of ${rounded(total)}`,
      `${rounded(answered)} answered`,
      `${rounded(perSecond)}/s`,
      `${rounded(inFlight)} in flight`,
      `RTT ${times} ms`,
      ...end
    ].join(" · ")
    if (long.length < columns) return long
    return [
      total === undefined ? rounded(done) : `${rounded(done)}/${rounded(total)}`,
      `${rounded(answered)} ok`,
      `${rounded(perSecond)}/s`,
      `${rounded(inFlight)} open`,
      `${times} ms`,
      ...end
    ].join(" · ")
  }

  take(result: ScanResult<ScanQuery>): void {
    const why = whyUnasked(result)
    if (why !== undefined) {
      this.unasked++
      this.why = why
    }
    if (result._tag !== "Failed") return
    const { _tag } = errorOf(result)
    this.failures.set(_tag, (this.failures.get(_tag) ?? 0) + 1)
  }

  /** Whether some target could not be asked, or not for all. */
  get hasUnasked(): boolean {
    return this.unasked > 0
  }

  /** The summary; its last line says who could not be asked. `checkpoint` is the file that keeps those for another time. */
  summary(now: number, checkpoint: string | undefined): ReadonlyArray<string> {
    const { failures, progress, unasked } = this
    const { answered, done, dropped, duplicates, failed, received, refused, resent, sent } = progress
    const seconds = (now - this.startedAt) / 1000
    const why = [...failures].sort((a, b) => b[1] - a[1]).map(([tag, count]) => `${rounded(count)} ${tag}`)
    return [
      `${plural(done, "server")} in ${seconds.toFixed(1)} s (${rounded(done / Math.max(seconds, 0.001))}/s): ${rounded(answered)} answered, ${rounded(failed)} failed${why.length === 0 ? "" : ` (${why.join(", ")})`}${duplicates === 0 ? "" : `, ${rounded(duplicates)} named twice`}`,
      `${rounded(sent)} datagrams sent, ${rounded(received)} received; ${rounded(resent)} servers answered only when asked again; round trips 50/95/99 %: ${roundTrips(this.progress)} ms`,
      ...(dropped === 0
        ? []
        : [
            `This system dropped ${rounded(dropped)} datagrams because our receive queue was full: raise net.core.rmem_max, or lower --concurrency.`
          ]),
      ...(refused === 0
        ? []
        : [
            `This machine did not send ${plural(refused, "datagram")} at the first try; what was not sent was tried again.`
          ]),
      ...(unasked === 0
        ? []
        : [
            `${plural(unasked, "server")} could not be asked, so nothing is known about ${unasked === 1 ? "it" : "them"}. ${this.why}${checkpoint === undefined ? "" : ` Not noted as done in ${checkpoint}: the same command asks again.`}`
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

const faultOf = (error: { readonly message: string } | undefined): string | undefined =>
  error !== undefined && "local" in error ? error.message : undefined

/** Why this machine could not ask, in a sentence; `undefined` where it could. */
export const whyUnasked = (result: ScanResult<ScanQuery>): string | undefined => {
  if (result._tag === "Failed") return faultOf(result.error)
  const { errors } = result as Partial<Answered<"all">>
  return faultOf(errors?.players) ?? faultOf(errors?.rules)
}
