/** Colours of the cells in a state strip. Each cell stands for a period. Its colour depends on the states of the server in this period. */

/**
 * For each state: how many milliseconds of a period the server was in this state. If the sum of these numbers is less than the length of
 * the period, the server was not monitored in the rest of the period.
 */
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

/** The text that the legend shows for the colour of each grade, in the order of the legend. */
export const GRADES: Readonly<Record<Grade, string>> = {
  good: "up",
  partly: "partly down",
  silent: "down",
  muted: "muted or maintenance",
  unmonitored: "not monitored"
}
