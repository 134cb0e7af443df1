/** Measures how long commands of the program take, and how long the import of a package takes. */
import { bench, verdict } from "../Bench.ts"
import { startCommands } from "../start/commands.ts"
import { importPackages } from "../start/imports.ts"

/**
 * Commands that scripts run often. The duration of such a command is divided by the duration of an empty Node program. This ratio is at
 * most `MOST_FIRST` in the first run (without a compile cache), and at most `MOST_LATER` in later runs.
 */
const JUDGED = new Set(["info --json HOST:PORT", "decode --json ffffffff414ba1d522", "query --json HOST:PORT"])
const [MOST_LATER, MOST_FIRST] = [2.5, 4]

/** Maximum duration of an import on Node 24, in ms, minus the time to import an empty module. */
const MOST_IMPORT_MS: Readonly<Record<string, number>> = {
  "@sourcewire/protocol": 15,
  "@sourcewire/transport-node": 60
}

const times = (ms: number, of: number): string => `${(ms / of).toFixed(2)}×`

const commands = async (rounds: number) => {
  const [empty, ...started] = await startCommands(rounds)
  return {
    table: [
      ["command", "ms", "ratio to an empty program", "first run, ms", "ratio to an empty program"],
      ["an empty program", empty!.later.toFixed(1), "", empty!.first.toFixed(1), ""],
      ...started.map(({ first, later, name }) => [
        `\`sourcewire ${name}\``,
        later.toFixed(1),
        times(later, empty!.later),
        first.toFixed(1),
        times(first, empty!.first)
      ])
    ],
    notes: started
      .filter(({ name }) => JUDGED.has(name))
      .map(({ first, later, name }) =>
        verdict(
          `sourcewire ${name}: ${times(later, empty!.later)} the time of an empty program (at most ${MOST_LATER}×), ${times(first, empty!.first)} in the first run (at most ${MOST_FIRST}×)`,
          later <= MOST_LATER * empty!.later && first <= MOST_FIRST * empty!.first
        )
      )
  }
}

const imports = async (rounds: number) => {
  const imported = await importPackages(rounds)
  return {
    table: [["package", "runtime", "ms"], ...imported.map(({ ms, name, runtime }) => [name, runtime, ms.toFixed(1)])],
    notes: imported
      .filter(({ runtime }) => runtime === "Node 24")
      .map(({ ms, name }) =>
        verdict(
          `${name}: ${ms.toFixed(1)} ms on Node 24 (at most ${MOST_IMPORT_MS[name]} ms)`,
          ms <= MOST_IMPORT_MS[name]!
        )
      )
  }
}

export default bench({
  title: "Start and import",
  about: "The time from the start of a command to its end, and the time that the import of a package takes.",
  options: { rounds: 20 },
  parts: ({ rounds }) => ({
    commands: {
      title: "Commands",
      about: `The table compares the real time of each command on Node 24 with the real time of an empty program. In each of ${rounds} rounds, all commands run one after the other. The figures are the lowest of all rounds. The built program queries an emulated server on loopback. Before each first run, the compile cache is empty.`,
      measure: () => commands(rounds)
    },
    imports: {
      title: "Imports",
      about: `The time to import the package, minus the time to import an empty module. The figure is the lowest of ${rounds} rounds. The packages are installed from their tarballs.`,
      measure: () => imports(rounds)
    }
  })
})
