/**
 * What a proxy's log tells. It follows the game servers and the operator, so nobody who only sends queries can fill a disk with it.
 */
import type { ProxyEvent } from "@sourcewire/proxy"
import type { Log, LogLevel } from "../output/log.ts"

type State = Extract<ProxyEvent, { readonly _tag: "State" }>["state"]

const STATES: Readonly<Record<State, readonly [LogLevel, does: string]>> = {
  starting: ["warn", "has not answered yet"],
  fresh: ["info", "answers"],
  stale: ["warn", "does not answer; its last answers are given out"],
  gone: ["error", "does not answer; its last answers are too old"]
}

export const logEvents =
  (log: Log) =>
  (event: ProxyEvent): void => {
    const { listening, upstream } = event
    const fields = { listening, upstream }
    switch (event._tag) {
      case "Listening":
        return log("info", "listening", `${listening} answers for ${upstream}`, fields)
      case "Closed":
        return log("info", "closed", `${listening} is closed`, fields)
      case "Unwritable":
        return log("error", "unwritable", `an answer of ${upstream} cannot be given: ${event.reason}`, fields)
      case "State": {
        const { reason, state } = event
        const [level, does] = STATES[state]
        const why = reason === undefined ? "" : ` (${reason})`
        return log(level, "state", `${upstream} ${does}${why}`, { ...fields, state, reason })
      }
    }
  }
