/** Incidents: a target is down from its first failed turn until it replies again. */

/** A period in which a target was down, and why. */
export interface Incident {
  /** When the first failed turn began, in milliseconds since 1970. Together with the target, this identifies the incident. */
  readonly from: number
  /** When enough turns had failed to count the target as down. */
  readonly noticedAt: number
  /** When it replied again; `undefined` while it is down. */
  readonly to?: number
  /** The error: its tag and its message. */
  readonly reason: string
  readonly message: string
  /** Players and map of its last reply before. */
  readonly players?: number
  readonly map?: string
  /** Whether it was muted when the incident was noticed. */
  readonly isMuted: boolean
  /** The state at each location, if locations query the target. */
  readonly locations?: ReadonlyArray<{ readonly location: string; readonly reason: string }> | undefined
}
