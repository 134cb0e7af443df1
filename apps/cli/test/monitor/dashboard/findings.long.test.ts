/** Checks in a real browser that the list of servers and the page of a server show findings. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { COMMUNITY } from "./community.ts"
import { problemsOn, SCREENS, setStage, type Stage } from "./stage.ts"

const [one, other] = COMMUNITY

let stage: Stage
beforeAll(async () => {
  const findings = {
    [one!.address]: [
      { kind: "rtt-difference", strength: "weak", observed: "INFO takes 2 ms, the handshake 60 ms." },
      {
        kind: "redirect",
        strength: "strong",
        observed: "The server reports 12 players, but sends players who join to 192.0.2.77:27015."
      }
    ] as const
  }
  stage = await setStage({ servers: [one!, other!], days: 1, findings })
}, 600_000)
afterAll(async () => {
  await stage[Symbol.asyncDispose]()
})

const openServer = async (address: string, context: object = {}) => {
  const response = await fetch(`${stage.url}/api/targets`)
  const { targets } = (await response.json()) as { targets: ReadonlyArray<{ id: number; address: string }> }
  const { id } = targets.find((target) => target.address === address)!
  const opened = await stage.open({ viewport: { width: 1200, height: 800 }, ...context }, `#/server/${id}`)
  await opened.page.waitForSelector("#findings")
  return opened
}

it.each(SCREENS)(
  "the page of a server explains the findings, with the strongest finding at the top: $screen",
  async ({ context }) => {
    const { errors, page } = await openServer(one!.address, { ...context, bypassCSP: true })
    const items = page.locator(".findings > li")
    expect(await items.count()).toBe(2)
    const [first, second] = await items.allInnerTexts()
    expect(first).toMatch(/^redirect strong: no legitimate set-up that we know shows it/)
    expect(first).toContain("sends players who join to 192.0.2.77:27015")
    expect(first).toContain("lets other players join at its own address")
    expect(first).toContain("a server that has moved and sends players to its new address")
    expect(second).toContain("anycast protection or a query cache close to you")
    expect(await page.locator(".panel", { hasText: "Events" }).first().innerText()).toContain(
      "has a new strong finding: redirect"
    )
    expect(await problemsOn(page)).toEqual([])
    expect(errors).toEqual([])
    await page.context().close()
  }
)

it.each(SCREENS)("the list of servers can be sorted and filtered by findings: $screen", async ({ context, screen }) => {
  const { errors, page } = await stage.open({ ...context, bypassCSP: true })
  const cell = screen === "phone" ? ".no-column" : ".cell-findings"
  const text = page.locator(".row", { hasText: one!.name }).locator(cell).first()
  await text.waitFor()
  expect(await text.innerText()).toMatch(/^redirect[\s(]+strong, 1 more/)
  expect(await page.locator(".row").count()).toBe(2)
  expect(await problemsOn(page)).toEqual([])
  if (screen === "desktop") {
    await page.click(".columns .cell-findings")
    await page.waitForSelector(".columns .cell-findings[aria-pressed=true]:has-text('↓')")
    await page.locator("#servers-0", { hasText: one!.name }).waitFor()
  }
  await page.selectOption("[aria-label=Findings]", "strong")
  await page.waitForSelector(".row[aria-setsize='1']")
  expect(page.url()).toContain("findings=strong")
  await page.fill("input[type=search]", other!.name)
  await page.waitForSelector("text=No servers match.")
  await page.click("button:text-is('Show all')")
  await page.waitForSelector(".row[aria-setsize='2']")
  expect(page.url()).not.toContain("findings=")
  expect(errors).toEqual([])
  await page.context().close()
})

it("the page of a server without findings explains that the server may still be fake, and contains an empty list of earlier findings", async () => {
  const { errors, page } = await openServer(other!.address)
  expect(await page.locator("section", { has: page.locator("#findings") }).innerText()).toContain(
    "That does not prove that a server is genuine."
  )
  await page.getByText("Earlier findings").click()
  await page.getByText("None.").waitFor()
  expect(errors).toEqual([])
  await page.context().close()
})
