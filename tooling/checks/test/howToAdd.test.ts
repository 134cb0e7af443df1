/** The patches of docs/how-to-add fit the tree, and its pages show what is in them. What they change is tried by the long test. */
import { spawnSync } from "node:child_process"
import { readdirSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { read, root } from "../src/workspace.ts"

const folder = "docs/how-to-add"
const names = readdirSync(`${root}/${folder}`)
const pages = names.filter((name) => name.endsWith(".md")).map((name) => read(`${folder}/${name}`))
const patches = names.filter((name) => name.endsWith(".patch"))
const texts = patches.map((patch) => read(`${folder}/${patch}`))

describe("docs/how-to-add", () => {
  it.each(patches)("%s applies, and a page links to it", (patch) => {
    const { status, stderr } = spawnSync("git", ["apply", "--check", `${folder}/${patch}`], {
      cwd: root,
      encoding: "utf8"
    })
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
    expect(pages.some((page) => page.includes(`(${patch})`))).toBe(true)
  })

  it("shows lines of its patches", () => {
    const shown = pages.flatMap((page) => [...page.matchAll(/^```diff\n(.*?)^```$/gms)].map(([, lines]) => lines!))
    expect(shown.length).toBeGreaterThanOrEqual(patches.length)
    for (const lines of shown) expect(texts.filter((text) => text.includes(lines))).not.toEqual([])
  })
})
