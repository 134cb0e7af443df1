/** The faults in the form for emulated servers: groups of faults, and presets, which are named combinations of faults. */
import type { Status } from "../../bridge/Api.ts"

/** The values of the faults in the form. A value is `on`, or a number as text. */
export type FaultValues = Readonly<Record<string, string>>

export const PRESETS: Readonly<Record<string, FaultValues>> = {
  // With this seed, the emulator drops the first reply.
  "packet loss": { loss: "0.4", seed: "8" },
  "bad Wi-Fi": { loss: "0.15", delay: "20", jitter: "80", duplicate: "0.05", reorder: "0.3" },
  "server does not respond": { loss: "1" },
  "overloaded host": { loss: "0.05", delay: "400", jitter: "900" },
  "challenge loop": { rechallenge: "1000" },
  "DDoS filter": { "drop-first": "1", rechallenge: "1" },
  "truncated replies": { truncate: "60" },
  "engine of 2007": { truncate: "1260" },
  "last fragment is missing": { "wrong-id": "on" },
  "wrong checksum": { compress: "on", "bad-checksum": "on" },
  "spoofed replies": { spoof: "on" },
  "you are banned": { ban: "on" }
}

/**
 * Returns the title of the preset that has exactly these faults and values. If no preset matches, returns `own`. If there are no faults,
 * returns an empty text.
 */
export const findPreset = (faults: FaultValues): string => {
  const spelt = (values: FaultValues): string => JSON.stringify(Object.entries(values).toSorted())
  if (Object.keys(faults).length === 0) return ""
  return Object.keys(PRESETS).find((title) => spelt(PRESETS[title]!) === spelt(faults)) ?? "own"
}

type Fault = Status["faults"][number]

const GROUPS: ReadonlyArray<readonly [title: string, names: ReadonlyArray<string>]> = [
  ["Network", ["loss", "drop-first", "delay", "jitter", "duplicate"]],
  ["Fragments of split replies", ["reorder", "truncate", "compress", "bad-checksum", "wrong-id", "foreign-fragment"]],
  ["Challenges", ["rechallenge", "same-challenge"]]
]

/** Divides the faults into groups, so that each fault is in exactly one group. */
export const groupFaults = (
  faults: ReadonlyArray<Fault>
): ReadonlyArray<readonly [title: string, faults: ReadonlyArray<Fault>]> => {
  const grouped = new Set(GROUPS.flatMap(([, names]) => names))
  return [
    ...GROUPS.map(([title, names]) => [title, faults.filter(({ name }) => names.includes(name))] as const),
    ["Other", faults.filter(({ name }) => !grouped.has(name))]
  ]
}

/** Converts the values of the form to switches of the emulator. */
export const listSwitches = (faults: FaultValues): ReadonlyArray<string> =>
  Object.entries(faults).map(([name, value]) => (value === "on" ? name : `${name}=${value}`))
