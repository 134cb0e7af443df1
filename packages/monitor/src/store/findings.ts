/** Compares the stored findings with new findings. */
import type { Strength } from "@sourcewire/verdict"
import type { Observed } from "../watch/observe.ts"

/** A finding about a target. It does not contain the texts that all findings of its kind share. */
export interface CurrentFinding {
  /**
   * A kind of finding that `@sourcewire/verdict` defines. If a newer program has stored the finding, this program may not know its kind.
   */
  readonly kind: string
  readonly strength: Strength
  readonly observed: string
}

export interface StoredFinding extends CurrentFinding {
  readonly target: number
  /** When the finding was first and last observed. */
  readonly from: number
  readonly seenAt: number
  /** The end of the finding: the time when it was last observed. `undefined` while the finding applies. */
  readonly to?: number
}

/** The result of a check of one target: all findings that apply to the target now. */
export interface Judgement {
  readonly target: number
  readonly findings: ReadonlyArray<CurrentFinding>
  /** The kinds that were checked. Findings of kinds that were not checked do not change. */
  readonly kinds: ReadonlySet<string>
}

/** The rows of findings to write, and the changes to report. */
interface ComparedFindings {
  readonly rows: ReadonlyArray<StoredFinding>
  readonly changes: ReadonlyArray<Observed & { readonly target: number }>
}

/**
 * Compares the new findings with the stored findings, and returns the rows to write and the changes to report. `open` contains the stored
 * findings that have not ended. If `judgements` contains no judgement of a target, the stored findings about this target do not change. A
 * change is reported only if a strong finding of a target is new, or if a finding of a target is no longer strong.
 */
export const compareFindings = (
  open: ReadonlyArray<StoredFinding>,
  judgements: ReadonlyArray<Judgement>,
  atMs: number,
  endAfterMs: number
): ComparedFindings => {
  const rows: Array<StoredFinding> = []
  const changes: Array<ComparedFindings["changes"][number]> = []
  /**
   * The time of the next change of the target. Each change of a target is 1 ms later than the previous change, because two changes of the
   * same field must have different times.
   */
  let at = atMs
  const note = (target: number, from: string, to: string): void =>
    void changes.push({ target, at: at++, field: "finding", from, to })
  const openByTarget = Map.groupBy(open, ({ target }) => target)
  for (const { findings, kinds, target } of judgements) {
    at = atMs
    const before = new Map(openByTarget.get(target)?.map((one) => [one.kind, one]))
    for (const found of findings) {
      const known = before.get(found.kind)
      before.delete(found.kind)
      rows.push({ target, ...found, from: known?.from ?? atMs, seenAt: atMs })
      const [wasStrong, isStrong] = [known?.strength === "strong", found.strength === "strong"]
      if (wasStrong !== isStrong) note(target, wasStrong ? found.kind : "", isStrong ? found.kind : "")
    }
    for (const known of before.values()) {
      if (!kinds.has(known.kind) || atMs - known.seenAt < endAfterMs) continue
      rows.push({ ...known, to: known.seenAt })
      if (known.strength === "strong") note(target, known.kind, "")
    }
  }
  return { rows, changes }
}
