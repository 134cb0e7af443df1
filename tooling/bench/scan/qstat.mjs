// qstat, a program in C that server lists have long been made with, as a client of the comparison (see contract.mjs): one process gets
// the whole list. `node qstat.mjs PROGRAM …`; time and CPU are the program's own, its start included. How large it gets is not told.
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { readOptions } from "../contract.mjs"

const [program] = process.argv.splice(2, 1)
const options = readOptions()
const asksAll = options.workload.startsWith("D")

const SEPARATOR = "\u0001"
const args = [
  "-default",
  "a2s",
  "-raw",
  SEPARATOR,
  "-nh",
  "-u",
  "-sendinterval",
  "0",
  "-retry",
  String(options.attempts)
]
args.push("-interval", String(options.timeoutMs / 1000), "-maxsim", String(options.concurrency))
if (asksAll) args.push("-R", "-P")

/** Runs it over the list; a shell tells the CPU time of its children, which Node does not. */
const query = (answers) => {
  const script = `"$@" > "$ANSWERS" 2> /dev/null; times`
  const startedAt = performance.now()
  const { stdout } = spawnSync("sh", ["-c", script, "sh", program, ...args, "-f", options.targets], {
    encoding: "utf8",
    env: { ...process.env, ANSWERS: answers }
  })
  const seconds = (performance.now() - startedAt) / 1000
  const cpu = [
    ...stdout
      .trim()
      .split("\n")
      .at(-1)
      .matchAll(/(\d+)m([\d.]+)s/g)
  ]
  return { seconds, cpuSeconds: cpu.reduce((sum, [, minutes, rest]) => sum + 60 * minutes + Number(rest), 0) }
}

/** A server's block of lines: the server, its rules, a line per player. */
const isRight = (block, numbers) => {
  const [server, rules = "", ...players] = block.split("\n")
  const [, target, name = ""] = server.split(SEPARATOR)
  if (!name.startsWith(`Bench #${String(numbers.get(target)).padStart(8, "0")}`)) return false
  if (!asksAll) return true
  const settings = rules.split(SEPARATOR).filter((rule) => rule.startsWith("sv_farm_setting_"))
  return players.length === options.players && settings.length === options.rules
}

const folder = mkdtempSync(join(tmpdir(), "sourcewire-qstat-"))
try {
  const answers = join(folder, "answers")
  const { cpuSeconds, seconds } = query(answers)
  const targets = readFileSync(options.targets, "utf8").trim().split("\n")
  const numbers = new Map(targets.map((target, i) => [target, i]))
  const blocks = readFileSync(answers, "latin1")
    .split("\n\n")
    .map((block) => block.replace(/^\n+|\n+$/g, ""))
    .filter((block) => block.startsWith(`A2S${SEPARATOR}`) && block.split(SEPARATOR).length > 3)
  const ok = blocks.filter((block) => isRight(block, numbers)).length
  const line = { client: "qstat", workload: options.workload, n: targets.length, ok, wrong: blocks.length - ok }
  console.log(
    JSON.stringify({ ...line, errors: line.n - blocks.length, wall_s: seconds, cpu_s: cpuSeconds, rss_mb: null })
  )
} finally {
  rmSync(folder, { recursive: true })
}
