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

/**
 * The rules of axe whose result depends on colors. If all rules were checked in one theme of a page, only these rules must be checked in
 * the other theme.
 */
const COLOR_RULES = ["color-contrast", "link-in-text-block"]

const run = async (page: Page, rules?: ReadonlyArray<string>): Promise<ReadonlyArray<Violation>> => {
  if (await page.evaluate(() => !("axe" in globalThis))) await page.evaluate(axe.source)
  return page.evaluate(async (runOnly) => {
    const options = { resultTypes: ["violations"], ...(runOnly === undefined ? {} : { runOnly }) }
    const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run(options)
    return violations.map(({ id, impact, nodes }) => ({ impact, text: `${id}: ${nodes[0]?.html}` }))
  }, rules)
}

/**
 * Returns all findings of axe, or the findings of the given rules. The page must be opened with Playwright's option `bypassCSP`, because
 * the content security policy of the page would otherwise block axe.
 */
export const accessibilityFindings = async (
  page: Page,
  rules?: ReadonlyArray<string>
): Promise<ReadonlyArray<string>> => (await run(page, rules)).map(({ text }) => text)

/** Returns the serious and critical findings of axe, for all rules or for the given rules. */
export const seriousFindings = async (page: Page, rules?: ReadonlyArray<string>): Promise<ReadonlyArray<string>> =>
  (await run(page, rules)).flatMap(({ impact, text }) => (impact === "serious" || impact === "critical" ? [text] : []))

/**
 * Calls `find` in the light theme and then in the dark theme, and returns all findings. `find` is `accessibilityFindings` or
 * `seriousFindings`. Afterwards, the page still has the dark theme.
 */
export const findingsInBothThemes = async (
  page: Page,
  find: typeof seriousFindings
): Promise<ReadonlyArray<string>> => {
  const findings: Array<string> = []
  for (const [colorScheme, rules] of [["light"], ["dark", COLOR_RULES]] as const) {
    await page.emulateMedia({ colorScheme })
    for (const finding of await find(page, rules)) findings.push(`${colorScheme}: ${finding}`)
  }
  return findings
}
