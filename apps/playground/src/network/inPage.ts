/**
 * The network that exists only in this page. A worker runs the emulated servers of this network. The code of the worker is loaded on first
 * use.
 */
import type { Order, Report } from "./messages.ts"
import { type Network, NetworkError } from "./Network.ts"

let worker: Worker | undefined
let nextId = 0
/** For each request, by its number: the function that receives the reports about this request. */
const receivers = new Map<number, (report: Report) => void>()

const send = (order: Order): void => {
  if (worker === undefined) {
    worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" })
    worker.addEventListener("message", ({ data }: MessageEvent<Report>) => receivers.get(data.id)?.(data))
    worker.addEventListener("error", () => {
      const failure = "The emulated servers could not be loaded. Reload the page."
      for (const [id, receive] of receivers) receive({ id, failure })
    })
  }
  worker.postMessage(order)
}

const request: Network["request"] = <A>(method: "GET" | "POST" | "DELETE", path: string, body?: unknown) =>
  new Promise<A>((resolve, reject) => {
    const id = nextId++
    receivers.set(id, (report) => {
      receivers.delete(id)
      if ("failure" in report) reject(new NetworkError(report.failure))
      else if ("result" in report) resolve(report.result as A)
    })
    send({ id, method, path, body })
  })

async function* stream<A>(path: string, body: unknown, signal: AbortSignal): AsyncGenerator<A> {
  const id = nextId++
  const reports: Array<Report> = []
  let wake = (): void => {}
  receivers.set(id, (report) => {
    reports.push(report)
    wake()
  })
  const stop = (): void => {
    send({ id, method: "STOP", path })
    wake()
  }
  signal.addEventListener("abort", stop)
  send({ id, method: "POST", path, body })
  try {
    for (;;) {
      signal.throwIfAborted()
      const report = reports.shift()
      if (report === undefined) await new Promise<void>((resolve) => (wake = resolve))
      else if ("event" in report) yield report.event as A
      else if ("failure" in report) throw new NetworkError(report.failure)
      else return
    }
  } finally {
    signal.removeEventListener("abort", stop)
    receivers.delete(id)
    send({ id, method: "STOP", path })
  }
}

export const inPage: Network = { request, stream }
