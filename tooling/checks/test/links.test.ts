/**
 * Checks that links of the documentation refer to existing files of the repository and to existing headings. Links to other sites are not
 * checked.
 */
import { existsSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { expect, it } from "vitest"
import { address } from "../src/publication.ts"
import { files, read, root } from "../src/workspace.ts"

const LINK = /\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]*))?\)/g

/**
 * Matches the beginning of a link to a file in the public repository, as in the READMEs of published packages. The test then looks for this
 * file in the local repository.
 */
const PUBLIC = new RegExp(`\\]\\(${RegExp.escape(address)}/(?:blob|tree)/main/`, "g")

const withoutCode = (text: string): string => text.replaceAll(/^(```|~~~)[\s\S]*?^\1$/gm, "")

/** The fragments of a page's headings. */
const findHeadings = (file: string): ReadonlySet<string> =>
  new Set(
    [...withoutCode(read(file)).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
      heading!
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
        .replaceAll(" ", "-")
    )
  )

it.each(files().filter((file) => file.endsWith(".md")))(
  "the links of %s lead to existing files and headings",
  (file) => {
    const text = withoutCode(read(file)).replace(PUBLIC, `](${relative(dirname(file), ".") || "."}/`)
    const dead = [...text.matchAll(LINK)].filter(([, target = "", fragment]) => {
      const path = target === "" ? file : relative(root, join(root, dirname(file), target))
      if (!existsSync(join(root, path))) return true
      return fragment !== undefined && path.endsWith(".md") && !findHeadings(path).has(fragment)
    })
    expect(dead.map(([link]) => link)).toEqual([])
  }
)
