/**
 * Messages between the page and its worker. The page sends the same requests as to the bridge's API, and the worker sends reports about
 * these requests. All requests share one channel. Therefore each report contains the number of the request that it is about.
 */

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
