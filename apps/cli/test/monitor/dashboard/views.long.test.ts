/** The dashboard's views in a real browser: thirty servers with a week behind them, among a hundred thousand others. */
import { seriousFindings } from "@sourcewire/playground/accessibility"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { COMMUNITY, CROWD, crowdOf } from "./community.ts"
import { setStage, type Stage } from "./stage.ts"

type Opened = Awaited<ReturnType<Stage["open"]>>
type Page = Opened["page"]

const MANY = 100_000
const [wasDown] = COMMUNITY
const isDown = COMMUNITY[12]!

let stage: Stage
beforeAll(async () => {
  stage = await setStage({ servers: COMMUNITY, crowd: crowdOf(MANY), days: 8 })
}, 600_000)
afterAll(async () => {
  await stage[Symbol.asyncDispose]()
})

const look = async (use: (page: Page) => Promise<void>, fragment = "", context: Parameters<Stage["open"]>[0] = {}) => {
  const { errors, page } = await stage.open({ viewport: { width: 1200, height: 800 }, ...context }, fragment)
  await use(page)
  expect(errors).toEqual([])
  await page.context().close()
}

/** Opens a server by its name. */
const openServer = async (page: Page, name: string): Promise<void> => {
  await page.fill("input[type=search]", name)
  await page.waitForSelector(".row[aria-setsize='1'] .cell-name b")
  await page.click(".row")
  await page.waitForSelector(".plot canvas")
}

const parameters = (names: Record<string, string>): string => `#/?${new URLSearchParams(names)}`

describe("the list of a hundred thousand", () => {
  it("is scrolled, searched and put in order without a stutter, a page at a time", async () => {
    const sizes: Array<number> = []
    await look(async (page) => {
      page.on("response", (response) => {
        if (response.url().includes("/api/targets?")) sizes.push(Number(response.headers()["content-length"]))
      })
      await page.waitForSelector(".row .state-up")
      await page.waitForSelector(`[role=status]:text-is('100\u202f030 servers')`)
      await page.evaluate(`
        globalThis.durations = []
        new PerformanceObserver((list) => durations.push(...list.getEntries().map(({ duration }) => duration)))
          .observe({ entryTypes: ["longtask"] })`)
      for (let turn = 1; turn <= 40; turn++) {
        await page.evaluate(`
          document.querySelector("#servers").scrollTop = ${turn * 120_000}
          new Promise((resolve) => requestAnimationFrame(resolve))`)
      }
      await page.waitForSelector("#servers-96005 .cell-name b")
      expect(await page.locator(".row").count()).toBeLessThan(60)
      await page.focus("input[type=search]")
      await page.keyboard.type("silent citadel")
      await page.waitForSelector("#servers-0 .cell-name b:text('Silent Citadel')")
      await page.click(".columns .cell-rttMs")
      await page.waitForSelector(".columns .cell-rttMs[aria-pressed=true]")
      await page.waitForSelector("#servers-0 .cell-rttMs:text-matches('^[78][.][0-9] ms$')")
      const durations = await page.evaluate<ReadonlyArray<number>>("durations")
      // None of the browser's tasks is long enough for it to tell, which is from 50 ms on; ten times that is for machines that are busy.
      expect(Math.max(0, ...durations)).toBeLessThan(500)
    })
    expect(sizes.length).toBeGreaterThan(3)
    expect(Math.max(...sizes)).toBeLessThan(20_000)
  })

  it("is filtered by group and by state", () =>
    look(async (page) => {
      await page.selectOption("[aria-label=Group]", "Valheim")
      await page.waitForSelector(".row[aria-setsize='2'] .cell-name b")
      expect(page.url()).toContain("group=Valheim")
      await page.selectOption("[aria-label=Group]", "")
      await page.waitForSelector(`.row[aria-setsize='${MANY + COMMUNITY.length}']`)
      await page.selectOption("[aria-label=Group]", "Team Fortress")
      await page.click(".total:has-text('down')")
      await page.waitForSelector(".row[aria-setsize='1'] .state-down")
      expect(await page.textContent(".row .cell-name b")).toBe(isDown.name)
    }))

  it("shows the last day of those in view, and where they were silent", () =>
    look(
      async (page) => {
        const row = page.locator(".row").filter({ hasText: wasDown!.name })
        await row.locator(".cell-day .line").first().waitFor()
        // Of two hours and some minutes one hour is all silence, or two.
        expect([1, 2]).toContain(await row.locator(".cell-day rect").count())
      },
      parameters({ group: wasDown!.group })
    ))

  it("is where it was, for who comes back to it", () =>
    look(
      async (page) => {
        await page.waitForSelector(".row .state-up")
        await page.evaluate("document.querySelector('#servers').scrollTop = 50 * 40_000")
        const row = page.locator("#servers-40005:has(.cell-name b)")
        const name = await row.locator("b").first().textContent()
        await row.click()
        await page.click("text=← All servers")
        expect(await row.locator("b").first().textContent()).toBe(name)
      },
      parameters({ group: CROWD, sort: "address", order: "asc" })
    ))

  it("says of servers that were not asked yet that they wait", () =>
    look(async (page) => {
      const row = { id: 1, address: "192.0.2.1:27015", group: "new", labels: {}, state: "unknown", failures: 0 }
      const targets = [row, { ...row, id: 2, askedAt: 1, failures: 1 }]
      await page.route("**/api/targets?*", (route) => route.fulfill({ json: { total: targets.length, targets } }))
      await page.reload()
      await page.waitForSelector("#servers-0 .state-unknown:text('waiting')")
      await page.waitForSelector("#servers-1 .state-unknown:text('unknown')")
    }))
})

describe("a server's page", () => {
  it("has plots with gaps where it was down, that tell what the pointer is at", () =>
    look(async (page) => {
      await openServer(page, wasDown!.name)
      await page.waitForSelector(".strip .silent")
      const canvas = page.locator(".plot .u-over").first()
      /** What all three plots say while the pointer is so many hours before now. */
      const isSaid = async (hours: number, expected: ReadonlyArray<RegExp>): Promise<void> => {
        const { height, width } = (await canvas.boundingBox())!
        await canvas.hover({ position: { x: width * (1 - hours / 24), y: height / 2 } })
        const texts = expected.map((one): unknown => expect.stringMatching(one))
        await expect.poll(() => page.locator(".plot .pointed").allTextContents(), { timeout: 30_000 }).toEqual(texts)
      }
      await isSaid(10.4, [/: no answer$/, /: no answer$/, /: 0 % answered$/])
      await isSaid(4, [/, \d\d:\d\d: \d+(\.\d)?( \(\d+ to \d+\))?$/, /: 1\d ms/, /: 100 % answered$/])
      for (const span of ["Week", "Month"]) {
        await page.click(`button:text-is('${span}')`)
        await page.waitForSelector(`button[aria-pressed=true]:text-is('${span}')`)
        await page.waitForSelector(".plot canvas")
      }
      // It was restarted a week ago.
      await page.waitForSelector(".strip .partly")
    }))

  it("says what is wrong with one that is down, and of when the rest is", () =>
    look(async (page) => {
      await openServer(page, isDown.name)
      await page.waitForSelector("h2 .state-down")
      const notice = (await page.textContent(".problem"))!
      expect(notice).toMatch(/No answer|did not answer/)
      expect(notice).toContain("What is below is of ")
      await page.waitForSelector(".changes .mark-down:has-text('is down')")
    }))

  it("shows what each location says, and its round trips", () =>
    look(
      async (page) => {
        const asOf = Date.now()
        const locations = [
          { location: "eu-west", counts: true, state: "up", failures: 0, askedAt: asOf, answeredAt: asOf, rttMs: 12.3 },
          { location: "us-east", counts: false, state: "down", failures: 3, askedAt: asOf }
        ]
        await page.route(/\/api\/targets\/\d+$/, async (route) => {
          const response = await route.fetch()
          await route.fulfill({ response, json: { ...(await response.json()), locations } })
        })
        await openServer(page, wasDown!.name)
        await page.waitForSelector("tr:has(th:text-is('eu-west')):has(td:text-is('12 ms'))")
        await page.waitForSelector("tr:has(th:text-is('us-east')):has(td:has-text('does not count'))")
        await page.waitForSelector("figcaption:has-text('Round trip from eu-west')")
        expect(await page.locator("figcaption:has-text('Round trip')").count()).toBe(2)
        expect(await seriousFindings(page)).toEqual([])
        expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true)
      },
      "",
      { bypassCSP: true, viewport: { width: 390, height: 780 } }
    ))

  it("leads to the game, to older events, and to a badge", () =>
    look(
      async (page) => {
        await openServer(page, wasDown!.name)
        expect(await page.getAttribute("a.button:text-is('Join')", "href")).toBe(`steam://connect/${wasDown!.address}`)
        const events = page.locator(".changes li")
        await events.nth(19).waitFor()
        await page.click("button:text-is('Older')")
        await events.nth(69).waitFor()
        await page.selectOption("[aria-label=As]", "HTML")
        await page.click(".badge button:text-is('Copy')")
        await page.waitForSelector(".badge button:text-is('Copied')")
        const path = `${stage.url}/badge/${encodeURIComponent(wasDown!.address)}.svg`
        expect(await page.evaluate("navigator.clipboard.readText()")).toContain(`<img src="${path}"`)
        expect(await (await fetch(path)).text()).toContain("<svg")
      },
      "",
      { permissions: ["clipboard-read", "clipboard-write"] }
    ))

  it("tells times where the reader is", () =>
    look(
      async (page) => {
        await openServer(page, wasDown!.name)
        await page.waitForSelector("text=Times in Asia/Tokyo")
        const [at, shown] = await page.evaluate<[string, string]>(
          "(({ dateTime, textContent }) => [dateTime, textContent])(document.querySelector('.changes time'))"
        )
        const inTokyo = new Intl.DateTimeFormat("en", { timeStyle: "short", hourCycle: "h23", timeZone: "Asia/Tokyo" })
        expect(shown).toBe(inTokyo.format(Date.parse(at)))
      },
      "",
      { timezoneId: "Asia/Tokyo" }
    ))
})

describe("the events", () => {
  const screens = [
    ["desktop", { viewport: { width: 1200, height: 740 }, colorScheme: "light" }],
    ["phone", { viewport: { width: 390, height: 780 }, colorScheme: "dark" }]
  ] as const

  it.each(screens)("are read page by page, of one kind or all: %s", (_, context) =>
    look(
      async (page) => {
        const lines = page.locator(".changes li")
        await lines.nth(49).waitFor()
        await page.click("button:text-is('Older')")
        await lines.nth(99).waitFor()
        expect(await seriousFindings(page)).toEqual([])
        expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true)
        await page.selectOption("[aria-label='Which events']", "state")
        await page.waitForSelector(".changes:not(:has(li:not(.mark-up, .mark-down)))")
        await page.locator(".changes .mark-down a").first().click()
        await page.waitForSelector(".server h2 .pill")
      },
      "#/events",
      { ...context, bypassCSP: true }
    )
  )
})
