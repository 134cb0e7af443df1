/**
 * Writes the commands in `docs/reference/command-line.md`, from the same declarations as the help.
 *
 *     pnpm reference
 */
import { writeFileSync } from "node:fs"
import { REFERENCE, referenceText } from "../test/commandLine/reference.ts"

writeFileSync(REFERENCE, await referenceText())
