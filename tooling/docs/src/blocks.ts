/**
 * The code blocks of the documentation: every `ts` block of the Markdown files, and every example of a doc comment. Each `ts` block is a
 * complete program. Incomplete sketches are `typescript` blocks, which are not run. In the pages about migration, a `js` block is a program
 * that uses another library.
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

/** The blocks of the Markdown files. The API reference is excluded, because it is generated from doc comments. */
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

/** The blocks in doc comments of the packages. */
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
