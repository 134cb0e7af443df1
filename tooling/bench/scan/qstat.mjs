// Queries servers with qstat, an old C program, to compare it with our clients. The command is `node qstat.mjs PROGRAM …` (see
// contract.mjs). One process of qstat queries the whole list. The measured time and CPU time include the startup of qstat. The memory of
// qstat is not measured.
import { spawnSync } from "node:child_process"
import { openSync, readFileSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { PLAYERS, readOptions, readTargets, RULES } from "../contract.mjs"
import { cache } from "../farm/farmProcess.ts"
import { childrenSeconds } from "../processorTime.ts"

const [program] = process.argv.splice(2, 1)
const { attempts, concurrency, targets, timeoutMs, workload } = readOptions()
const asksAll = workload === "D"

const SEPARATOR = "\u0001"
const settings = { retry: attempts, interval: timeoutMs / 1000, maxsim: concurrency, sendinterval: 0, default: "a2s" }
const flags = Object.entries(settings).flatMap(([name, value]) => [`-${name}`, String(value)])
const args = ["-raw", SEPARATOR, "-nh", "-u", ...flags, ...(asksAll ? ["-R", "-P"] : []), "-f", targets]

const answers = join(cache, "qstat.txt")
const startedAt = performance.now()
spawnSync(program, args, { stdio: ["ignore", openSync(answers, "w"), "ignore"] })
const seconds = (performance.now() - startedAt) / 1000

const names = readTargets(targets)

/** Whether the output for one server is correct. The output has a line for the server, a line with its rules, and a line per player. */
const isRight = (block) => {
  const [server, rules = "", ...players] = block.split("\n")
  const [, target, name = ""] = server.split(SEPARATOR)
  if (!name.startsWith(names.get(target))) return false
  const found = rules.split(SEPARATOR).filter((rule) => rule.startsWith("sv_farm_setting_"))
  return !asksAll || (players.length === PLAYERS && found.length === RULES)
}

const blocks = readFileSync(answers, "latin1")
  .split("\n\n")
  .map((block) => block.replace(/^\n+|\n+$/g, ""))
  .filter((block) => block.startsWith(`A2S${SEPARATOR}`) && block.split(SEPARATOR).length > 3)
const ok = blocks.filter(isRight).length
const found = { n: names.size, ok, wrong: blocks.length - ok }
console.log(JSON.stringify({ ...found, wall_s: seconds, cpu_s: childrenSeconds("self") }))
