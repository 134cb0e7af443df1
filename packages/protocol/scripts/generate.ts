/**
 * Generates files from the declarations:
 *
 * - `src/generated/codecs.ts`: interfaces, decoders and codecs
 * - `src/generated/layouts.ts`: the part of the declarations that codecs need at run time
 * - `src/generated/requests.ts`: the requests of clients
 * - `docs/protocol/`: the byte tables
 * - `dissectors/`: the Wireshark dissector and the Kaitai Struct specification
 *
 * If a folder is given as an argument, the files are written there. A check compares them with the committed files.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { declarations } from "../src/declarations/declarations.ts"
import { generateDecoder } from "./decoder.ts"
import { generateInterfaces } from "./interfaces.ts"
import { kaitai } from "./kaitai.ts"
import { generateLayouts } from "./layouts.ts"
import { requests } from "./requests.ts"
import { tables } from "./tables.ts"
import { wireshark } from "./wireshark.ts"

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..")
const out = process.argv[2] ?? root

const write = (path: string, text: string): void => {
  const file = join(out, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

const codecs = declarations.map((declaration) => {
  const fast = declaration.fast === true ? `, decode${declaration.tag}` : ""
  return `/** ${declaration.valve}: the codec of {@link ${declaration.tag}}. */
export const ${declaration.tag}: Codec<${declaration.tag}> = /* @__PURE__ */ make(layouts.${declaration.tag}${fast})`
})

write(
  "packages/protocol/src/generated/codecs.ts",
  `/** Interfaces and codecs of all messages, and straight-line decoders of the frequent replies. Generated from \`src/declarations\` by \`pnpm generate\`; not to be edited. */
import { toChars, type Codec, f32, isAscii, make, u64 } from "../Codec.ts"
import * as layouts from "./layouts.ts"
import { foreign, foreignText, takeExtras } from "../internal/foreignText.ts"
import { resolveAppId } from "../internal/rules.ts"
import type { Encoding } from "../Text.ts"

${declarations.map(generateInterfaces).join("\n\n")}

/** A message while it is being decoded. */
type Writable<T> = { -readonly [K in keyof T]: T[K] }

/** Any message. Its \`_tag\` names its type. */
export type Message =
${declarations.map((d) => `  | ${d.tag}`).join("\n")}

${declarations
  .filter((d) => d.fast === true)
  .map(generateDecoder)
  .join("\n\n")}

${codecs.join("\n\n")}
`
)

write("packages/protocol/src/generated/layouts.ts", generateLayouts(declarations))

write("packages/protocol/dissectors/sourcewire.lua", wireshark(declarations))
write("packages/protocol/dissectors/source_query.ksy", kaitai(declarations))

const written = (path: string): string => (existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : "")
write("packages/protocol/src/generated/requests.ts", requests())

for (const [path, text] of tables(written)) write(path, text)
