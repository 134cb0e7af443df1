/** A change in words. */
import type { ChangeRow } from "@sourcewire/monitor/api"

/** What changes there are, and what each is called where there is a choice. */
export const KINDS: Readonly<Record<ChangeRow["field"], string>> = {
  state: "Up and down",
  map: "Maps",
  full: "Full",
  name: "Names",
  version: "Versions",
  joined: "Players who joined",
  left: "Players who left",
  disagreement: "Seen from some locations only"
}

/** Names in JSON, as people read them. */
const namesIn = (json: string): string => {
  try {
    return (JSON.parse(json) as ReadonlyArray<unknown>).map(String).join(", ")
  } catch {
    return json
  }
}

/** What follows a server's name. */
export const sentenceOf = ({ field, from, to }: ChangeRow): string => {
  switch (field) {
    case "state":
      return to === "up" ? "is up again" : `is ${to}`
    case "full":
      return to === "true" ? "is full" : "has room again"
    case "joined":
      return `${namesIn(to)} joined`
    case "left":
      return `${namesIn(to)} left`
    case "disagreement":
      return to === "" ? "is the same from every location again" : `is not the same from every location: ${to}`
    default:
      return from === "" ? `${field} ${to}` : `${field} ${from} → ${to}`
  }
}

/** The class of the mark in front of it. */
export const markOf = ({ field, to }: ChangeRow): string => (field === "state" ? `mark-${to}` : `mark-${field}`)
