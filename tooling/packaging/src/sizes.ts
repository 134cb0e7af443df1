/**
 * How much each entry adds to a bundle, minified and gzipped, its parts of Effect included. Fails when an entry with a budget is
 * above it; `--write` puts the table into the docs.
 *
 *     pnpm sizes [--write]
 */
import { build } from "esbuild"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { markdown, options, plain, root } from "../../bench/report.ts"

/** A program that uses one thing, and what it may weigh in bytes. */
interface Entry {
  readonly name: string
  readonly code: string
  readonly budgetBytes?: number
}

const kB = 1000

const entries: ReadonlyArray<Entry> = [
  {
    name: "protocol: decode INFO",
    code: `import { InfoReply } from "@sourcewire/protocol"; console.log(InfoReply.decode(new Uint8Array(9)))`,
    budgetBytes: 15 * kB
  },
  {
    name: "protocol: decode any message",
    code: `import { decode } from "@sourcewire/protocol"; console.log(decode(new Uint8Array(9)))`
  },
  {
    name: "protocol: decode, encode and dissect any message, join fragments",
    code: `import { decode, dissect, encode } from "@sourcewire/protocol"; import { Reassembler } from "@sourcewire/protocol/machines"; console.log(decode, dissect, encode, Reassembler)`
  },
  {
    name: "protocol/schemas: a schema of INFO",
    code: `import { InfoReply } from "@sourcewire/protocol"; import { toSchema } from "@sourcewire/protocol/schemas"; console.log(toSchema(InfoReply))`
  },
  {
    name: "server: responder",
    code: `import { Responder } from "@sourcewire/server"; console.log(new Responder({ name: "", description: "", oversize: { how: "split", maxBytes: 1260 } }))`
  },
  {
    name: "emulator: profiles",
    code: `import { profiles } from "@sourcewire/emulator"; console.log(profiles.css())`
  },
  ...["node", "deno", "bun"].map((runtime) => ({
    name: `transport-${runtime}: connect`,
    code: `import { connect } from "@sourcewire/transport-${runtime}"; const client = await connect(); console.log(await client.info("127.0.0.1"))`
  })),
  {
    name: "transport-node: rcon",
    code: `import { rcon } from "@sourcewire/transport-node"; console.log(await rcon("127.0.0.1", { password: "" }))`
  }
]

const sizeOf = async ({ code }: Entry): Promise<{ readonly minified: number; readonly gzipped: number }> => {
  const { outputFiles } = await build({
    // Where all packages are to be found.
    stdin: { contents: code, resolveDir: fileURLToPath(new URL("..", import.meta.url)), loader: "ts" },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    external: ["node:*"],
    logLevel: "error"
  })
  const bytes = outputFiles[0]!.contents
  return { minified: bytes.length, gzipped: gzipSync(bytes, { level: 9 }).length }
}

const inKb = (bytes: number): string => (bytes / kB).toFixed(1)

const rows: Array<ReadonlyArray<string>> = []
const problems: Array<string> = []
for (const entry of entries) {
  const { gzipped, minified } = await sizeOf(entry)
  const { budgetBytes, name } = entry
  rows.push([name, inKb(minified), inKb(gzipped), budgetBytes === undefined ? "" : inKb(budgetBytes)])
  if (budgetBytes !== undefined && gzipped > budgetBytes) {
    problems.push(`${name} weighs ${inKb(gzipped)} kB, ${inKb(gzipped - budgetBytes)} more than it may`)
  }
}

const table = [["used", "minified, kB", "gzipped, kB", "budget, kB"], ...rows]
console.log(plain(table))
if (options({}).write) {
  const about =
    "What using one thing adds to a bundle (esbuild), its parts of Effect included. Made by `pnpm sizes --write`."
  writeFileSync(join(root, "docs/benchmarks/sizes.md"), `# Bundle sizes\n\n${about}\n\n${markdown(table)}\n`)
}
for (const problem of problems) console.error(problem)
process.exitCode = problems.length === 0 ? 0 : 1
