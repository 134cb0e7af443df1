/**
 * Lists the files whose functions run during one query: for `sourcewire info HOST:PORT`, and for `connect()` and `info()`. Code that runs
 * when a module is loaded and generated decoders are excluded.
 *
 *     pnpm walk             print the files with their numbers of lines
 *     pnpm walk --write     update the lists in docs/explanation/architecture.md; a new file gets the first sentence of its module
 */
import { readFileSync, writeFileSync } from "node:fs"
import { firstSentence, readDocComment } from "./docComment.ts"
import { functionsThatRan, root, startInfoServer } from "../../testing/whatRuns.ts"

const page = new URL("docs/explanation/architecture.md", root)
const readText = (file: string): string => readFileSync(new URL(file, root), "utf8")

const { address, requests, server } = await startInfoServer()

/** Runs the program without its output. */
const runProgram = async (): Promise<void> => {
  const { start } = (await import(new URL("apps/cli/src/program.ts", root).href)) as {
    readonly start: (args: ReadonlyArray<string>, version: string) => { readonly exitCode: Promise<number> }
  }
  const { write } = process.stdout
  process.stdout.write = () => true
  const exitCode = await start(["info", address], "").exitCode
  process.stdout.write = write
  if (exitCode !== 0) throw new Error(`sourcewire info failed with exit code ${exitCode}`)
}

const runClient = async (): Promise<void> => {
  const { connect } = await import("@sourcewire/transport-node")
  const client = await connect()
  await client.info(address)
  await client.close()
}

/** Requests of a query without retransmissions: the first, and the one with the challenge. */
const REQUESTS = 2

/** Repeats the walk until there are no retransmissions, which a slow machine may cause. */
const undisturbed = async (walk: () => Promise<void>, tries = 20): ReturnType<typeof functionsThatRan> => {
  const before = await requests()
  const ran = await functionsThatRan(walk)
  const sent = (await requests()) - before
  if (sent !== REQUESTS && tries === 0) throw new Error(`A query sends ${sent} requests instead of ${REQUESTS}.`)
  return sent === REQUESTS ? ran : undisturbed(walk, tries - 1)
}

/** The file that a user starts or imports, followed by the files of the repository whose functions ran. */
const listFiles = async (entry: string, walk: () => Promise<void>): Promise<ReadonlyArray<string>> => {
  // The first run loads modules on demand.
  await walk()
  const ran = await undisturbed(walk)
  const files = [...ran.keys()]
    .filter((file) => /^(apps|packages)\//.test(file) && !file.includes("/generated/"))
    .filter((file) => file !== entry)
  return [entry, ...files.toSorted()]
}

const countLines = (files: ReadonlyArray<string>): number =>
  files.reduce((sum, file) => sum + readText(file).split("\n").length - 1, 0)

const readPurpose = (file: string): string =>
  firstSentence(readDocComment(/\/\*\*([^]*?)\*\//.exec(readText(file))![1]!).prose).replace(/[.;](?:\s.*|$)/, "")

const walks = [
  ["`sourcewire info HOST:PORT`", await listFiles("apps/cli/src/main.ts", runProgram)],
  ["`connect()`, then `info()`", await listFiles("packages/transport-node/src/index.ts", runClient)]
] as const
server.close()

const BEGIN = "<!-- walks: pnpm walk --write -->\n"
const END = "<!-- /walks -->"
const before = readFileSync(page, "utf8")
const [from, to] = [before.indexOf(BEGIN) + BEGIN.length, before.indexOf(END)]
const listed = new Map(
  [...before.slice(from, to).matchAll(/^- `(.+?)`: .*$/gm)].map(([line, file = ""]) => [file, line])
)
const lists = walks.map(
  ([name, files]) =>
    `### ${name}\n\n${files.map((file) => `${listed.get(file) ?? `- \`${file}\`: ${readPurpose(file)}`}\n`).join("")}\n`
)
const after = `${before.slice(0, from)}\n${lists.join("")}${before.slice(to)}`
if (process.argv.includes("--write")) writeFileSync(page, after)
else {
  for (const [name, files] of walks) {
    console.log(`${name}: ${files.length} files, ${countLines(files)} lines`)
    for (const file of files) console.log(`${String(countLines([file])).padStart(6)}  ${file}`)
  }
}
