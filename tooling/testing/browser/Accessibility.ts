/** Checks the accessibility of an open page with axe. */
import axe from "axe-core"
import type { Page } from "playwright-core"

interface Axe {
  run(): Promise<{
    violations: ReadonlyArray<{ id: string; impact: string; nodes: ReadonlyArray<{ html: string }> }>
  }>
}

interface Violation {
  readonly impact: string
  readonly text: string
}

const run = async (page: Page): Promise<ReadonlyArray<Violation>> => {
  await page.evaluate(axe.source)
  return page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run()
    return violations.map(({ id, impact, nodes }) => ({ impact, text: `${id}: ${nodes[0]?.html}` }))
  })
}

/** Returns all findings of axe. The page must be open without its content security policy (see `bypassCSP`). */
export const accessibilityFindings = async (page: Page): Promise<ReadonlyArray<string>> =>
  (await run(page)).map(({ text }) => text)

/** Returns the serious and critical findings of axe. */
export const seriousFindings = async (page: Page): Promise<ReadonlyArray<string>> =>
  (await run(page)).flatMap(({ impact, text }) => (impact === "serious" || impact === "critical" ? [text] : []))
