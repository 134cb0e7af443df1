/**
 * Stands on `PATH` for a program: the same arguments, streams, signals and end. A package can name one file as its program for all
 * platforms, and this is one; what starts programs often takes their path from `programs.mjs`.
 */
import { spawn } from "node:child_process"
import { programs } from "../programs.mjs"

export const launch = (name) => {
  const child = spawn(programs[name], process.argv.slice(2), { stdio: "inherit" })
  // At a terminal an interrupt reaches the child by itself.
  process.on("SIGINT", () => process.stdin.isTTY || child.kill("SIGINT"))
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal))
  child.on("error", () => {
    console.error(
      `No ${name} for ${process.platform} on ${process.arch} at ${programs[name]}; \`npm start\` installs what there is.`
    )
    process.exit(127)
  })
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}
