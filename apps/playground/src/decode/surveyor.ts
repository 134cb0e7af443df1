/** Runs the survey where it does not hold up the page: at once when it is short, else on a worker. */
import type { Encoding } from "@sourcewire/protocol"
import { type Row, survey } from "../analysis/survey.ts"
import type { Datagram } from "../bytes/Datagram.ts"
import type { Capture } from "./captureFile.ts"

/** What the worker is asked: to survey datagrams, or to read a file first. */
export type Task =
  | { readonly id: number; readonly datagrams: ReadonlyArray<Datagram>; readonly encoding: Encoding }
  | { readonly id: number; readonly file: Uint8Array }

/** What it answers. */
export interface Done {
  readonly id: number
  readonly rows?: ReadonlyArray<Row>
  readonly capture?: Capture | undefined
}

/** Bytes that are surveyed within a frame, also on a slow machine. */
const AT_ONCE_BYTES = 64 * 1024

let worker: Worker | undefined
let count = 0
const waiting = new Map<number, (done: Done) => void>()

type Given<T> = T extends unknown ? Omit<T, "id"> : never

const ask = (task: Given<Task>): Promise<Done> =>
  new Promise((resolve) => {
    if (worker === undefined) {
      worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" })
      worker.addEventListener("message", ({ data }: MessageEvent<Done>) => {
        waiting.get(data.id)?.(data)
        waiting.delete(data.id)
      })
    }
    const id = ++count
    waiting.set(id, resolve)
    worker.postMessage({ id, ...task })
  })

/** The rows of a list of datagrams. */
export const surveyAside = async (
  datagrams: ReadonlyArray<Datagram>,
  encoding: Encoding
): Promise<ReadonlyArray<Row>> => {
  const bytes = datagrams.reduce((sum, datagram) => sum + datagram.bytes.length, 0)
  if (bytes <= AT_ONCE_BYTES) return survey(datagrams, encoding)
  return (await ask({ datagrams, encoding })).rows ?? []
}

/** The datagrams of a capture file; `undefined` when it is none. */
export const readCaptureAside = async (file: Uint8Array): Promise<Capture | undefined> => (await ask({ file })).capture
