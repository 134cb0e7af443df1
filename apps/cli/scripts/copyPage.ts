/** Puts the playground's built page beside the bundled program, so that `sourcewire playground` finds it wherever it is installed. */
import { cpSync } from "node:fs"
import { fileURLToPath } from "node:url"

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))

cpSync(path("../../playground/dist"), path("../dist/playground"), { recursive: true })
