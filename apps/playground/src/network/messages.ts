/** Messages between the page and its worker: the requests of the bridge's API, each with a number, because there are no connections. */

export interface Order {
  readonly id: number
  readonly method: "GET" | "POST" | "DELETE" | "STOP"
  readonly path: string
  readonly body?: unknown
}

export type Report =
  | { readonly id: number; readonly event: unknown }
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly failure: string }
