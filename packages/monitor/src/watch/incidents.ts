/** Incidents: a target is down from its first turn without an answer until it answers again. */

/** Whether, since when and why a target was down. */
export interface Incident {
  /** When the first turn without an answer began, in ms since 1970. With the target, this identifies the incident. */
  readonly from: number
  /** When so many turns had failed that the target counted as down. */
  readonly noticedAt: number
  /** When it answered again; `undefined` while it is down. */
  readonly to?: number
  /** Why there was no answer: the tag of the error, and its sentence. */
  readonly reason: string
  readonly message: string
  /** Players and map of its last answer before. */
  readonly players?: number
  readonly map?: string
  /** Whether it was muted when the incident was noticed. */
  readonly isMuted: boolean
  /** What each location said, if locations query the target. */
  readonly locations?: ReadonlyArray<{ readonly location: string; readonly reason: string }> | undefined
}
