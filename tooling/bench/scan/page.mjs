// docs/benchmarks/scan.md, whose sections can be measured and renewed one by one.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const folder = fileURLToPath(new URL("../../../docs/benchmarks/", import.meta.url))
const file = join(folder, "scan.md")

const HEAD = `# Scanning

Ours beside the least that each runtime's sockets can do, and beside other clients, on one farm of emulated servers on loopback. Client and farm have a CPU each, compilers and collectors of the client included; every run is a process of its own, after a first one over 1000 servers that is not counted; clients take turns; a run that others disturbed is repeated; figures are medians, and what counts are the ratios, which are medians of what two clients were to each other round by round. On a machine that others use, ratios have differed by up to a fifth from one call to the next. Behind each figure stands what it has to be; \`MISSED\` marks those that are not. Made by \`pnpm bench:scan --write\`; how a scan works is in [ADR 5](../adr/0005-scanner.md).
`

/** Texts of the page's sections by title. */
const readSections = () => {
  if (!existsSync(file)) return new Map()
  const [, ...sections] = readFileSync(file, "utf8").split(/^## /m)
  return new Map(
    sections.map((section) => {
      const end = section.indexOf("\n")
      return [section.slice(0, end), section.slice(end).trim()]
    })
  )
}

/** Puts sections into the page, in place of older ones; `order` lists all titles. */
export const writeSections = (sections, order) => {
  const texts = readSections()
  for (const { plot, text, title } of sections) {
    texts.set(title, text)
    if (plot !== undefined) writeFileSync(join(folder, "scan-memory.svg"), plot)
  }
  mkdirSync(folder, { recursive: true })
  const known = order.filter((title) => texts.has(title))
  writeFileSync(file, [HEAD, ...known.map((title) => `## ${title}\n\n${texts.get(title)}\n`)].join("\n"))
}
