/** Writes the compressed manual pages next to the bundled program: one for the program and one for each command. */
import { mkdirSync, writeFileSync } from "node:fs"
import { gzipSync } from "node:zlib"
import { fileURLToPath } from "node:url"
import manifest from "../package.json" with { type: "json" }
import { commandPage, programPage } from "../src/commandLine/help.ts"
import { manPage, pageName } from "../src/commandLine/manPage.ts"
import { loadAll, names } from "../src/program.ts"

const folder = fileURLToPath(new URL("../dist/man/", import.meta.url))
mkdirSync(folder, { recursive: true })
const commands = await loadAll()
for (const command of [undefined, ...names]) {
  const page = command === undefined ? programPage(commands) : commandPage(commands, command)
  writeFileSync(`${folder}${pageName(command)}.1.gz`, gzipSync(manPage(page, manifest.version), { level: 9 }))
}
