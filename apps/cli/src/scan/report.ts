/**
 * Reports the progress of a scan in a line at the bottom of the terminal, and prints a summary. The progress line and the summary are
 * printed on standard error.
 */
import { type ScanProgress, type ScanQuery, type ScanResult } from "@sourcewire/core"
import type { Answered } from "@sourcewire/core/scan"
import { bar, counted, duration, milliseconds, plural, some } from "../view/quantities.ts"
import { findError } from "./resultLine.ts"

const BAR_COLUMNS = 16
/**
 * The displayed rate is the average over this time, in ms. If the time were shorter, the displayed rate would vary too much. If it were
 * longer, the user would see changes of the rate too late.
 */
const RATE_WINDOW_MS = 3000

const rounded = (count: number): string => counted(Math.round(count))

const roundTrips = (progress: ScanProgress): string => {
  const times = [0.5, 0.95, 0.99].map((share) => progress.rttMs(share))
  return times.some((time) => time === undefined)
    ? "–"
    : times.map((time) => milliseconds(time!).replace(" ms", "")).join("/")
}

/**
 * Reports a scan of `total` targets. `total` is `undefined` if the number of targets is unknown. All times that the caller passes must be
 * read from the same clock, in ms.
 */
export const makeReport = (progress: ScanProgress, total: number | undefined, startedAt: number) => {
  /** Number of failed targets, by the tag of the error. */
  const failures = new Map<string, number>()
  /**
   * Number of targets for which this host could not send all requests. For the last of these targets, `lastReason` explains why this host
   * could not send a request.
   */
  let notQueried = 0
  let lastReason = ""
  let marks: ReadonlyArray<{ readonly at: number; readonly done: number }> = []

  const rate = (now: number, done: number): number => {
    const recent = [...marks, { at: now, done }]
    marks = recent.filter(({ at }, i) => i >= recent.length - 2 || now - at <= RATE_WINDOW_MS)
    const [first] = marks
    return now === first!.at ? 0 : ((done - first!.done) * 1000) / (now - first!.at)
  }

  return {
    /** Returns the progress line. If the full line does not fit on the terminal, some details are omitted. */
    line: (now: number, columns: number): string => {
      const { answered, dropped, duplicates, inFlight, refused } = progress
      const done = progress.done + duplicates
      const perSecond = rate(now, done)
      const times = roundTrips(progress)
      const left = total === undefined || perSecond === 0 ? undefined : Math.max(0, total - done) / perSecond
      const end = some(
        left !== undefined && `ETA ${duration(left)}`,
        dropped > 0 && `${rounded(dropped)} dropped by this host`,
        refused > 0 && `${rounded(refused)} not sent by this host`
      )
      const long = [
        total === undefined || total === 0
          ? `${rounded(done)} done`
          : `${bar(done, total, BAR_COLUMNS).join("")} ${rounded(done)} of ${rounded(total)}`,
        `${rounded(answered)} responded`,
        `${rounded(perSecond)}/s`,
        `${rounded(inFlight)} in flight`,
        `RTT ${times} ms`,
        ...end
      ].join(" · ")
      if (long.length < columns) return long
      const count = total === undefined ? rounded(done) : `${rounded(done)}/${rounded(total)}`
      const short = [count, `${rounded(answered)} ok`, `${rounded(perSecond)}/s`]
      return [...short, `${times} ms`, ...end].join(" · ")
    },

    take: (result: ScanResult<ScanQuery>): void => {
      const why = explainNotQueried(result)
      if (why !== undefined) {
        notQueried++
        lastReason = why
      }
      if (result._tag !== "Failed") return
      const { _tag } = findError(result)
      failures.set(_tag, (failures.get(_tag) ?? 0) + 1)
    },

    /** Whether there is a target for which this host could not send all requests. */
    hasUnqueriedTargets: () => notQueried > 0,

    /**
     * Returns the lines of the summary. `checkpoint` is the name of the checkpoint file. If this host could not send all requests for some
     * targets, the last line contains the number of these targets. If there is a checkpoint file, this line also says how to query these
     * targets again.
     */
    summary: (now: number, checkpoint: string | undefined): ReadonlyArray<string> => {
      const { answered, done, dropped, duplicates, failed, received, refused, resent, sent } = progress
      const seconds = (now - startedAt) / 1000
      const tags = [...failures].sort((a, b) => b[1] - a[1]).map(([tag, count]) => `${rounded(count)} ${tag}`)
      const why = tags.length === 0 ? "" : ` (${tags.join(", ")})`
      const twice = duplicates === 0 ? "" : `, ${plural(duplicates, "duplicate")}`
      const noted =
        checkpoint === undefined
          ? ""
          : ` ${checkpoint} lists all targets that could not be queried: to query them again, repeat the command.`
      return some(
        `${plural(done, "target")} in ${seconds.toFixed(1)} s (${rounded(done / Math.max(seconds, 0.001))}/s): ${rounded(answered)} responded, ${rounded(failed)} failed${why}${twice}`,
        `${rounded(sent)} datagrams sent, ${rounded(received)} received; ${rounded(resent)} responded only to a retransmission; RTT 50/95/99 %: ${roundTrips(progress)} ms`,
        dropped > 0 &&
          `This system dropped ${rounded(dropped)} datagrams because the receive queue was full. Raise net.core.rmem_max, or lower --concurrency.`,
        refused > 0 && `This host could not send ${plural(refused, "datagram")} at the first attempt, and tried again.`,
        notQueried > 0 &&
          `${plural(notQueried, "target")} could not be queried, so ${notQueried === 1 ? "its" : "their"} state is unknown. ${lastReason}${noted}`
      )
    }
  }
}

const localFault = (error: { readonly message: string } | undefined): string | undefined =>
  error !== undefined && "local" in error ? error.message : undefined

/** Explains why this host could not send all requests for the target of `result`. Returns `undefined` if all requests were sent. */
export const explainNotQueried = (result: ScanResult<ScanQuery>): string | undefined => {
  if (result._tag === "Failed") return localFault(result.error)
  const { errors } = result as Partial<Answered<"all">>
  return localFault(errors?.players) ?? localFault(errors?.rules)
}
