/** Writes the manual pages beside the bundled program, compressed: one of the program, and one of each command. */
import * as Effect from "effect/Effect"
import { mkdirSync, writeFileSync } from "node:fs"
import { gzipSync } from "node:zlib"
import { fileURLToPath } from "node:url"
import manifest from "../package.json" with { type: "json" }
import { helpDoc, loaded } from "../src/commandLine/full.ts"
import { manPage, pageName } from "../src/commandLine/manPage.ts"
import { load, names } from "../src/program.ts"

const folder = fileURLToPath(new URL("../dist/man/", import.meta.url))
mkdirSync(folder, { recursive: true })
const commands = await loaded(load)
for (const command of [undefined, ...names]) {
  const doc = await Effect.runPromise(helpDoc(commands, command))
  const about = { ...(command === undefined ? {} : { command }), version: manifest.version }
  writeFileSync(`${folder}${pageName(command)}.1.gz`, gzipSync(manPage(doc, about), { level: 9 }))
}
