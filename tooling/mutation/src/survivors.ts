/** A report of Stryker's, as far as it is read here: how many changes the tests noticed, and which they did not. */
import type { schema } from "@stryker-mutator/api/core"

/** One changed place. */
type Mutant = Omit<schema.MutantResult, "id">

/** Sources and their changes by path. */
export interface Report {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: ReadonlyArray<Mutant> }>>
}

/** A change that no test noticed: the line it is in, what stood there, and what stood there instead. */
export interface Survivor {
  readonly file: string
  readonly line: number
  readonly code: string
  readonly from: string
  readonly to: string
}

/** Why changes go unnoticed. `code` is a part of their lines, `from` and `to`, where given, are exact. */
export interface Reason {
  readonly file: string
  readonly code: string
  readonly from?: string
  readonly to?: string
  readonly why: string
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim()

const textAt = (source: string, { start, end }: Mutant["location"]): string => {
  const lines = source.split("\n").slice(start.line - 1, end.line)
  lines[lines.length - 1] = lines.at(-1)!.slice(0, end.column - 1)
  lines[0] = lines[0]!.slice(start.column - 1)
  return lines.join("\n")
}

/** Changes by what became of them. A test that no longer ends has noticed; what never ran is not counted. */
export const count = ({ files }: Report) => {
  const all = Object.values(files).flatMap(({ mutants }) => mutants)
  const having = (...statuses: ReadonlyArray<string>): number =>
    all.filter(({ status }) => statuses.includes(status)).length
  const noticed = having("Killed", "Timeout")
  const unnoticed = having("Survived", "NoCoverage")
  return { noticed, unnoticed, ignored: having("Ignored"), score: (100 * noticed) / (noticed + unnoticed) }
}

/** All that went unnoticed, in order of files and lines. */
export const survivors = ({ files }: Report): ReadonlyArray<Survivor> =>
  Object.entries(files)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([file, { mutants, source }]) =>
      mutants
        .filter(({ status }) => status === "Survived" || status === "NoCoverage")
        .toSorted((one, other) => one.location.start.line - other.location.start.line)
        .map(({ location, replacement }) => ({
          file,
          line: location.start.line,
          code: source.split("\n")[location.start.line - 1]!.trim(),
          from: oneLine(textAt(source, location)),
          to: oneLine(replacement ?? "")
        }))
    )

/** The first reason that fits, if one does. */
export const reasonFor = (survivor: Survivor, reasons: ReadonlyArray<Reason>): Reason | undefined =>
  reasons.find(
    ({ code, file, from, to }) =>
      file === survivor.file &&
      survivor.code.includes(code) &&
      (from === undefined || from === survivor.from) &&
      (to === undefined || to === survivor.to)
  )
