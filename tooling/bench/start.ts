/**
 * How long people wait before anything happens: a command's start, and the import of a package. `--write` puts the table into the docs.
 *
 *     pnpm bench:start [--rounds 20] [--write]
 */
import { options, report, verdict } from "./report.ts"
import { startCommands } from "./start/commands.ts"
import { importPackages } from "./start/imports.ts"

const { rounds, write } = options({ rounds: 20 })

/** What scripts run again and again; at most, as a multiple of an empty Node, from the second run on and the first. */
const JUDGED = new Set(["info --json HOST:PORT", "decode --json ffffffff414ba1d522", "query --json HOST:PORT"])
const [MOST_LATER, MOST_FIRST] = [2.5, 4]

/** At most, in milliseconds above an empty module, on Node 24. */
const IMPORT_GOALS: Readonly<Record<string, number>> = { "@sourcewire/protocol": 15, "@sourcewire/transport-node": 60 }

const started = await startCommands(rounds)
const imported = await importPackages(rounds)
process.stderr.write("\n")

const [empty, ...commands] = started
const times = (ms: number, of: number): string => `${(ms / of).toFixed(2)}×`
const goalOf = (name: string, most: number): string => (JUDGED.has(name) ? `${most}×` : "")

report({
  title: "Start and import",
  about: `Wall time from the start of a process to its end, beside an empty program on the same Node, and of \`import()\` above that of an empty module. The least of ${rounds} rounds that take turns. The program is built as it is published and asks an emulated server on loopback; before a first run nothing of it was compiled. Packages are installed from their tarballs. Made by \`pnpm bench:start --write\`.`,
  file: "start.md",
  table: [
    ["what", "where", "ms", "of an empty Node", "goal", "first run, ms", "of an empty Node", "goal"],
    ["an empty program", "Node 24", empty!.later.toFixed(1), "", "", empty!.first.toFixed(1), "", ""],
    ...commands.map(({ first, later, name }) => [
      `\`sourcewire ${name}\``,
      "Node 24",
      later.toFixed(1),
      times(later, empty!.later),
      goalOf(name, MOST_LATER),
      first.toFixed(1),
      times(first, empty!.first),
      goalOf(name, MOST_FIRST)
    ]),
    ...imported.map(({ ms, name, runtime }) => [
      `\`import("${name}")\``,
      runtime,
      ms.toFixed(1),
      "",
      runtime === "Node 24" ? `${IMPORT_GOALS[name]} ms` : "",
      "",
      "",
      ""
    ])
  ],
  notes: [
    ...commands
      .filter(({ name }) => JUDGED.has(name))
      .map(({ first, later, name }) =>
        verdict(
          `sourcewire ${name}: ${times(later, empty!.later)} of an empty Node (at most ${MOST_LATER}×), ${times(first, empty!.first)} the first time (at most ${MOST_FIRST}×)`,
          later <= MOST_LATER * empty!.later && first <= MOST_FIRST * empty!.first
        )
      ),
    ...imported
      .filter(({ runtime }) => runtime === "Node 24")
      .map(({ ms, name }) =>
        verdict(`${name}: ${ms.toFixed(1)} ms to import (at most ${IMPORT_GOALS[name]} ms)`, ms <= IMPORT_GOALS[name]!)
      )
  ],
  write
})
