/**
 * Writes the generated parts of the reference:
 *
 * - the commands in `docs/reference/command-line.md`, from the help
 * - the settings in `docs/reference/monitor-configuration.md` and `proxy-configuration.md`, from the schemas of the configuration files
 *
 *     pnpm generate
 */
import { writeFileSync } from "node:fs"
import { REFERENCE, referenceText } from "../test/commandLine/reference.ts"
import { configPage, pageNames, pagePath } from "../test/files/configReference.ts"

writeFileSync(REFERENCE, await referenceText())
for (const page of pageNames) writeFileSync(pagePath(page), configPage(page))
