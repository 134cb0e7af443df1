/** A message for the operator. */
export interface MonitorEvent {
  readonly level: "info" | "warn" | "error"
  /** The topic, such as `store` or `webhook`. */
  readonly event: string
  readonly message: string
}
