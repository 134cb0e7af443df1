// Tables of benchmarks: to the terminal, and as Markdown into docs.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { cpus } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..")

export const median = (values) => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** Date, machine and versions in a line: what a figure is worth depends on them. */
export const conditions = (packages = []) => {
  const versions = packages.map(
    (name) => `${name} ${JSON.parse(readFileSync(join(root, "node_modules", name, "package.json"), "utf8")).version}`
  )
  const cpu = cpus()
  return [
    new Date().toISOString().slice(0, 10),
    `${cpu.length} × ${cpu[0].model.trim()}`,
    `Node ${process.versions.node}`,
    ...versions
  ].join(", ")
}

/** A table as Markdown. */
export const markdown = (table) => {
  const [head, ...rows] = table
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n")
}

/** A table as plain text. */
export const plain = (table) => {
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => String(row[column]).length)))
  return table.map((row) => row.map((value, column) => String(value).padEnd(widths[column])).join("  ")).join("\n")
}

/** Prints a table with its notes; with `write` also as a page of the docs. */
export const report = ({ about, file, notes, table, title, write }) => {
  const line = conditions()
  console.log(`${line}\n\n${plain(table)}\n\n${notes.join("\n")}`)
  if (!write) return
  const path = join(root, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(
    path,
    `# ${title}\n\n${about}\n\n${line}\n\n${markdown(table)}\n\n${notes.map((note) => `- ${note}`).join("\n")}\n`
  )
}
