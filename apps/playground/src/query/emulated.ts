/** The emulated servers that the bridge runs for this page. */
import type { Emulated } from "../../bridge/Api.ts"
import { signal } from "@preact/signals"
import { explain, request } from "./bridge.ts"

export const emulated = signal<ReadonlyArray<Emulated>>([])

export const complaint = signal<string | undefined>(undefined)

const update = async (change: () => Promise<ReadonlyArray<Emulated>>): Promise<void> => {
  try {
    emulated.value = await change()
    complaint.value = undefined
  } catch (error) {
    complaint.value = explain(error)
  }
}

export const refresh = (): Promise<void> => update(() => request("GET", "/servers"))

export const start = (profile: string, faults: ReadonlyArray<string>, count: number): Promise<void> =>
  update(() => request("POST", "/servers", { profile, faults, count }))

export const stop = (id?: string): Promise<void> =>
  update(() => request("DELETE", id === undefined ? "/servers" : `/servers/${id}`))
