/** Checks the accessibility of an open page with axe. */
import axe from "axe-core"
import type { Page } from "playwright-core"

interface Axe {
  run(options: object): Promise<{
    violations: ReadonlyArray<{ id: string; impact: string; nodes: ReadonlyArray<{ html: string }> }>
  }>
}

interface Violation {
  readonly impact: string
  readonly text: string
}

/** The rules of axe whose result depends on colors. */
const COLOR_RULES = ["color-contrast", "link-in-text-block"]

const run = async (page: Page, rules?: ReadonlyArray<string>): Promise<ReadonlyArray<Violation>> => {
  if (await page.evaluate(() => !("axe" in globalThis))) await page.evaluate(axe.source)
  return page.evaluate(async (runOnly) => {
    const options = { resultTypes: ["violations"], ...(runOnly === undefined ? {} : { runOnly }) }
    const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run(options)
    return violations.map(({ id, impact, nodes }) => ({ impact, text: `${id}: ${nodes[0]?.html}` }))
  }, rules)
}

/** Returns all findings of axe. The page must be open without its content security policy (see `bypassCSP`). */
export const accessibilityFindings = async (page: Page): Promise<ReadonlyArray<string>> =>
  (await run(page)).map(({ text }) => text)

/** Returns the findings of the rules whose result depends on colors, for example to check a second theme. */
export const colorFindings = async (page: Page): Promise<ReadonlyArray<string>> =>
  (await run(page, COLOR_RULES)).map(({ text }) => text)

/** Returns the serious and critical findings of axe. */
export const seriousFindings = async (page: Page): Promise<ReadonlyArray<string>> =>
  (await run(page)).flatMap(({ impact, text }) => (impact === "serious" || impact === "critical" ? [text] : []))
