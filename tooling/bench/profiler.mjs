// A sampling profile of the process that calls this, the same on Node, Deno and Bun, with the processor time that it has taken meanwhile.
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { Session } from "node:inspector"
import process from "node:process"

const INTERVAL_US = 100

/** The threads that take the samples: V8's, and JavaScriptCore's, which has no name of its own. */
const SAMPLERS = new Set(["v8:ProfEvntProc", "thread"])

const THREADS = "/proc/self/task"

/** What the samplers have taken, where the system tells. */
const samplersSeconds = () => {
  if (process.platform !== "linux") return 0
  let nanoseconds = 0
  for (const id of readdirSync(THREADS)) {
    const name = readFileSync(`${THREADS}/${id}/comm`, "utf8").trim()
    if (SAMPLERS.has(name)) nanoseconds += Number.parseInt(readFileSync(`${THREADS}/${id}/schedstat`, "utf8"))
  }
  return nanoseconds / 1e9
}

const sum = ({ system, user }) => (system + user) / 1e6

/** Of all threads but those that take samples, and of the one that runs JavaScript. */
const seconds = () => ({ all: sum(process.cpuUsage()) - samplersSeconds(), main: sum(process.threadCpuUsage()) })

/** Begins a profile, whose `write` ends it: the `profile` of the inspector's protocol, beside `all` and `main` in seconds. */
export const startProfile = () => {
  const session = new Session()
  session.connect()
  session.post("Profiler.enable")
  session.post("Profiler.setSamplingInterval", { interval: INTERVAL_US })
  session.post("Profiler.start")
  const before = seconds()
  return {
    write: (file) => {
      const after = seconds()
      return new Promise((resolve, reject) => {
        session.post("Profiler.stop", (error, stopped) => {
          if (error !== null) return reject(new Error(error.message))
          const { profile } = stopped
          writeFileSync(file, JSON.stringify({ all: after.all - before.all, main: after.main - before.main, profile }))
          resolve(undefined)
        })
      })
    }
  }
}
