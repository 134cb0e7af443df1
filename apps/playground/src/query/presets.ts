/** What goes wrong together, under the name that people have for it. */

/** Faults as the form holds them: `on`, or a number as text. */
export type FaultValues = Readonly<Record<string, string>>

export const PRESETS: Readonly<Record<string, FaultValues>> = {
  "bad Wi-Fi": { loss: "0.15", delay: "20", jitter: "80", duplicate: "0.05", reorder: "0.3" },
  "DDoS filter": { "drop-first": "1", rechallenge: "1" },
  "engine of 2007": { truncate: "1260" },
  "overloaded host": { loss: "0.05", delay: "400", jitter: "900" }
}

/** The title of the preset that these faults are; empty for none, `own` for others. */
export const presetOf = (faults: FaultValues): string => {
  const spelt = (values: FaultValues): string => JSON.stringify(Object.entries(values).toSorted())
  if (Object.keys(faults).length === 0) return ""
  return Object.keys(PRESETS).find((title) => spelt(PRESETS[title]!) === spelt(faults)) ?? "own"
}
