/** What axe says of a page that is open. */
import axe from "axe-core"
import type { Page } from "playwright-core"

interface Axe {
  run(): Promise<{
    violations: ReadonlyArray<{ id: string; impact: string; nodes: ReadonlyArray<{ html: string }> }>
  }>
}

/** Its serious and critical findings; the page has to be open without its policy, see `bypassCSP`. */
export const seriousFindings = async (page: Page): Promise<ReadonlyArray<string>> => {
  await page.evaluate(axe.source)
  return page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run()
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
  })
}
