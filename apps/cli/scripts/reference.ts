/**
 * Writes the generated parts of the reference:
 *
 * - the descriptions of the commands in `docs/reference/command-line.md`, which are generated from the help
 * - the descriptions of the settings in `docs/reference/monitor-configuration.md` and `proxy-configuration.md`, which are generated from
 *   the schemas of the configuration files
 *
 *     pnpm generate
 */
import { writeFileSync } from "node:fs"
import { REFERENCE, referenceText } from "../test/commandLine/reference.ts"
import { configPage, pageNames, pagePath } from "../test/files/configReference.ts"

writeFileSync(REFERENCE, await referenceText())
for (const page of pageNames) writeFileSync(pagePath(page), configPage(page))
