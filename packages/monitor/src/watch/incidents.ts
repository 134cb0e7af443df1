/** Incidents: periods in which a target is down, from its first failed check until it replies again. */

/** The period and the cause of an incident. */
export interface Incident {
  /** When the first failed check of the incident began, in milliseconds since 1970. The target and this time identify the incident. */
  readonly from: number
  /** When the state of the target became `down`, because `downAfter` consecutive checks had failed. */
  readonly noticedAt: number
  /** When the target replied again; `undefined` while the target is down. */
  readonly to?: number
  /** The tag of the last error. */
  readonly reason: string
  /** The message of the last error. */
  readonly message: string
  /** Players and map of the last reply before the incident. */
  readonly players?: number
  readonly map?: string
  /** Whether the target was muted at `noticedAt`. */
  readonly isMuted: boolean
  /** If the group of the target has `locations`, the error at each location. */
  readonly locations?: ReadonlyArray<{ readonly location: string; readonly reason: string }> | undefined
}
