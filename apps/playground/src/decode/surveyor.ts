/** Explains datagrams without blocking the page. A few datagrams are explained immediately, and many datagrams in a worker. */
import { countBytes } from "@sourcewire/ui/bytes"
import { type Explained, type ToExplain, explain } from "../explain/explain.ts"
import type { Capture } from "./captureFile.ts"

/** A task of the worker: the datagrams to explain, or the file to read. */
export type Task = ToExplain | { readonly file: Uint8Array }

export interface Done {
  readonly explained?: Explained
  readonly capture?: Capture | undefined
}

/** Maximum number of bytes that are explained without the worker. Even a slow computer explains this many bytes within a frame. */
const MAX_DIRECT_BYTES = 64 * 1024

let worker: Worker | undefined
/** The functions that receive the worker's results, in the order of the tasks. */
const waiting: Array<(done: Done) => void> = []

const runTask = (task: Task): Promise<Done> =>
  new Promise((resolve) => {
    if (worker === undefined) {
      worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" })
      worker.addEventListener("message", ({ data }: MessageEvent<Done>) => waiting.shift()?.(data))
    }
    waiting.push(resolve)
    worker.postMessage(task)
  })

export const explainAside = async (task: ToExplain): Promise<Explained> => {
  if (countBytes(task.datagrams) <= MAX_DIRECT_BYTES) return explain(task)
  return (await runTask(task)).explained ?? { rows: [], diagnoses: [] }
}

/** The datagrams of a capture file, read in the worker. `undefined` if the file is not a capture. */
export const readCaptureAside = async (file: Uint8Array): Promise<Capture | undefined> =>
  (await runTask({ file })).capture
