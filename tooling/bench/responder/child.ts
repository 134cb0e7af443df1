/** Starts the server under measurement, and asks it what it has cost. */
import { fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import type { Usage } from "./server.ts"

const program = fileURLToPath(new URL("server.ts", import.meta.url))

/** A running server in a process of its own. */
export interface Child {
  readonly port: number
  readonly usage: () => Promise<Usage>
  readonly stop: () => void
}

/** Starts one. */
export const startChild = async (kind: "echo" | "responder"): Promise<Child> => {
  const process = fork(program, [kind], { execArgv: ["--expose-gc"] })
  const [{ port }] = (await once(process, "message")) as [{ port: number }]
  return {
    port,
    usage: async () => {
      process.send("usage")
      const [usage] = (await once(process, "message")) as [Usage]
      return usage
    },
    stop: () => process.disconnect()
  }
}
