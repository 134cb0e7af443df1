/**
 * Finds the programs in the documentation, so that tests can run them. These programs are the `ts` blocks of the Markdown files, and the
 * examples of the doc comments. A `typescript` block is an incomplete sketch, which is not run. In the pages about migration, a `js` block
 * is a program that uses the library from which the reader migrates.
 */
import { globSync } from "node:fs"
import { parseSync } from "oxc-parser"
import { lineAt } from "../../checks/src/source.ts"
import { read, root } from "../../checks/src/workspace.ts"
import { readDocComment } from "./docComment.ts"

/** A block and its position. `where` is a path and a line, for example `README.md:5`. */
export interface Block {
  readonly where: string
  readonly language: "ts" | "js"
  readonly code: string
}

/** The `ts` and `js` blocks of the Markdown files. The API reference is omitted, because its examples are those of the doc comments. */
export const markdownBlocks = (): ReadonlyArray<Block> =>
  globSync(["*.md", "{docs,examples}/**/*.md", "{packages,apps}/*/*.md"], {
    cwd: root,
    exclude: ["**/node_modules/**", "docs/api/**", "**/CHANGELOG.md"]
  })
    .toSorted()
    .flatMap((path) => {
      const text = read(path)
      return [...text.matchAll(/^```(ts|js)\n([\s\S]*?)^```$/gm)].map((match) => ({
        where: `${path}:${lineAt(text, match.index)}`,
        language: match[1] as Block["language"],
        code: match[2]!
      }))
    })

/** The examples in the doc comments of the packages. */
export const commentBlocks = (): ReadonlyArray<Block> =>
  globSync("packages/*/src/**/*.ts", { cwd: root })
    .toSorted()
    .flatMap((path) => {
      const text = read(path)
      return parseSync(path, text)
        .comments.filter(({ type, value }) => type === "Block" && value.startsWith("*"))
        .flatMap(({ start, value }) =>
          readDocComment(value).examples.map((code) => ({
            where: `${path}:${lineAt(text, start)}`,
            language: "ts" as const,
            code
          }))
        )
    })
