/** Runs the survey where it does not hold up the page: at once when it is short, else on a worker. */
import type { Encoding } from "@sourcewire/protocol"
import { type Row, survey } from "@sourcewire/ui/analysis"
import { type Datagram, sizeOf } from "@sourcewire/ui/bytes"
import type { Capture } from "./captureFile.ts"

/** What the worker is asked: to survey datagrams, or to read a file first. */
export type Task =
  | { readonly datagrams: ReadonlyArray<Datagram>; readonly encoding: Encoding }
  | { readonly file: Uint8Array }

export interface Done {
  readonly rows?: ReadonlyArray<Row>
  readonly capture?: Capture | undefined
}

/** Bytes that are surveyed within a frame, also on a slow machine. */
const AT_ONCE_BYTES = 64 * 1024

let worker: Worker | undefined
/** Who waits for it, in the order in which it does its tasks. */
const waiting: Array<(done: Done) => void> = []

const ask = (task: Task): Promise<Done> =>
  new Promise((resolve) => {
    if (worker === undefined) {
      worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" })
      worker.addEventListener("message", ({ data }: MessageEvent<Done>) => waiting.shift()?.(data))
    }
    waiting.push(resolve)
    worker.postMessage(task)
  })

export const surveyAside = async (
  datagrams: ReadonlyArray<Datagram>,
  encoding: Encoding
): Promise<ReadonlyArray<Row>> => {
  if (sizeOf(datagrams) <= AT_ONCE_BYTES) return survey(datagrams, encoding)
  return (await ask({ datagrams, encoding })).rows ?? []
}

/** The datagrams of a capture file; `undefined` when it is none. */
export const readCaptureAside = async (file: Uint8Array): Promise<Capture | undefined> => (await ask({ file })).capture
