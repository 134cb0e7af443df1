/** Describes a change at a server as a sentence. */
import type { ChangeRow } from "@sourcewire/monitor/api"
import type { ComponentChild } from "preact"

/** The kinds of changes, with their names in filters. */
export const KINDS: Readonly<Record<ChangeRow["field"], string>> = {
  state: "Up and down",
  map: "Maps",
  full: "Full",
  name: "Names",
  version: "Versions",
  joined: "Joins",
  left: "Leaves",
  disagreement: "Location differences",
  finding: "Findings"
}

/** Formats the names in a JSON array as text, with commas between the names. */
const namesIn = (json: string): string => {
  try {
    return (JSON.parse(json) as ReadonlyArray<unknown>).map(String).join(", ")
  } catch {
    return json
  }
}

/**
 * Formats a change as a sentence without its subject, such as “is up again”. The caller shows the subject, which is the server's name,
 * before this text. Markup isolates each text from a server, because a right-to-left text could otherwise change the direction of the whole
 * sentence.
 */
export const formatSentence = ({ field, from, to }: ChangeRow): ComponentChild => {
  switch (field) {
    case "state":
      return to === "up" ? "is up again" : `is ${to}`
    case "full":
      return to === "true" ? "is full" : "has free slots again"
    case "joined":
    case "left":
      return (
        <>
          <bdi>{namesIn(to)}</bdi> {field}
        </>
      )
    case "disagreement":
      return to === "" ? (
        "has the same state at all locations again"
      ) : (
        <>
          has different states by location: <bdi>{to}</bdi>
        </>
      )
    case "finding":
      return to === "" ? `no longer has the strong finding ${from}` : `has a new strong finding: ${to}`
    default:
      return (
        <>
          {field} {from !== "" && <bdi>{from}</bdi>}
          {from !== "" && " → "}
          <bdi>{to}</bdi>
        </>
      )
  }
}

/** The CSS class of the coloured mark that the list shows before the sentence. */
export const markClass = ({ field, to }: ChangeRow): string => (field === "state" ? `mark-${to}` : `mark-${field}`)
