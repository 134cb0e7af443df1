/**
 * Explains datagrams without blocking the page. If the datagrams have few bytes, they are explained directly. Otherwise, a worker explains
 * them.
 */
import { countBytes } from "@sourcewire/ui/bytes"
import { type Explained, type ToExplain, explain } from "../explain/explain.ts"
import type { Capture } from "./captureFile.ts"

/** A task of the worker: the datagrams to explain, or the file to read. */
export type Task = ToExplain | { readonly file: Uint8Array }

export interface Done {
  readonly explained?: Explained
  readonly capture?: Capture | undefined
}

/**
 * Maximum number of bytes that are explained without the worker. Even a slow computer explains these bytes before the browser draws the
 * next frame.
 */
const MAX_DIRECT_BYTES = 64 * 1024

let worker: Worker | undefined
/**
 * For each task of the worker that has no result yet: the function that receives the result. The functions are in the order in which the
 * tasks were sent.
 */
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

/** Reads a capture file in the worker. The result is `undefined` if the file is not a capture. */
export const readCaptureAside = async (file: Uint8Array): Promise<Capture | undefined> =>
  (await runTask({ file })).capture
