/** The flags that every command has. */
import * as options from "../options.ts"

export const SHELLS = ["bash", "zsh", "fish", "powershell"] as const

const COLOR_MODES = ["auto", "always", "never"] as const

export const globalFlags = options.named({
  help: options.on("Show help", { alias: "h" }),
  version: options.on("Show the version"),
  color: options.oneOf<(typeof COLOR_MODES)[number]>(COLOR_MODES, "auto", "When to color the output", {
    alone: "always",
    negated: "never",
    metavar: "WHEN"
  }),
  quiet: options.on("Print results and errors only: no progress, summaries or hints", { alias: "q" }),
  completions: options.optionalChoice(SHELLS, "Print a completion script for this shell", { metavar: "SHELL" })
})
