/** A message for the operator. */
export interface MonitorEvent {
  readonly level: "info" | "warn" | "error"
  /** What it is about, as in `store` or `webhook`. */
  readonly event: string
  readonly message: string
}
