/** Colours of the cells in a state strip. The colour of a cell depends on the states in which the server was. */

/** Milliseconds of a period in which a server was in each state. In the rest of the period, the server was not monitored. */
export interface Times {
  readonly upMs: number
  readonly downMs: number
  readonly mutedMs: number
}

export type Grade = "good" | "partly" | "silent" | "muted" | "unmonitored"

export const chooseGrade = ({ downMs, mutedMs, upMs }: Times): Grade => {
  if (upMs + downMs === 0) return mutedMs > 0 ? "muted" : "unmonitored"
  return downMs === 0 ? "good" : upMs === 0 ? "silent" : "partly"
}

/** The names of the colours, in the order of the legend. */
export const GRADES: Readonly<Record<Grade, string>> = {
  good: "up",
  partly: "partly down",
  silent: "down",
  muted: "muted or maintenance",
  unmonitored: "not monitored"
}
