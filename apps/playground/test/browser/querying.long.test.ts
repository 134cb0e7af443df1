import { startServer } from "@sourcewire/emulator"
import { layer as transport } from "@sourcewire/transport-node/effect"
import { createSocket } from "node:dgram"
import { once } from "node:events"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { copy, setStage, type Stage } from "./stage.ts"

let stage: Stage
beforeAll(async () => {
  stage = await setStage()
}, 600_000)
afterAll(() => stage[Symbol.asyncDispose]())

/** Returns an address whose port was just closed. */
const closedAddress = async (): Promise<string> => {
  const socket = createSocket("udp4")
  socket.bind(0, "127.0.0.1")
  await once(socket, "listening")
  const { port } = socket.address()
  socket.close()
  await once(socket, "close")
  return `127.0.0.1:${port}`
}

const link = "button:text-is('Copy link to the exchange')"

describe("the page for queries", () => {
  it("offers an emulated server if the queried port is closed, and offers a link to the exchange", async () => {
    const { errors, page } = await stage.open("query")
    await page.fill("[name=address]", await closedAddress())
    await page.click("button:text-is('Query')")
    await page.waitForSelector(".problem")
    await page.click("text=Start an emulated server")
    await page.waitForSelector(".info-card")

    // The copied link opens a page that shows the exchange of this query.
    const address = await copy(page, link)
    expect(address).not.toContain("token")
    const { page: other } = await stage.open(new URL(address).hash, { withToken: false })
    await other.waitForSelector("#datagrams")
    expect(await other.locator("#datagrams .ends").first().textContent()).toContain("this page →")
    expect(await other.locator("#datagrams .reply").allTextContents()).toContainEqual(expect.stringMatching(/\d/))
    // The page that the link opened can also show the exchange as a diagram.
    await other.click("text=As arrows between both ends")
    expect(await other.locator(".arrow").count()).toBe(await page.locator(".arrow").count())
    await other.locator(".arrow", { hasText: "fragment" }).last().click()
    await other.waitForSelector(".inspector h2:has-text('S2A_RULES')")
    await page.click("nav >> text=Emulator")
    await page.click("button:text-is('Stop all')")
    await page.waitForSelector(".running:empty", { state: "attached" })
    expect(errors).toEqual([])
    await page.context().close()
    await other.context().close()
  })

  it("shows the player counts of the summary, and does not repeat these counts in the settings", async () => {
    await using rust = await startServer({ transport, profile: "rust" })
    const { errors, page } = await stage.open(`query?a=127.0.0.1%3A${rust.port}`)
    await page.click("button:text-is('Query')")
    await page.waitForSelector("summary >> text=Settings of Rust")
    expect(await page.textContent(".info-card")).toMatch(/Players300 of \d+/)
    // The settings do not repeat the counts, and contain a readable date.
    const settings = await page.locator(".answers details .table").first().textContent()
    expect(settings).not.toContain("Player limit")
    expect(settings).toMatch(/Last wipe\d{4}-\d\d-\d\d \d\d:\d\d UTC/)
    expect(errors).toEqual([])
    await page.context().close()
  })

  it("hides some rules until the user requests all rules", async () => {
    // The page hides the rules that it already shows as settings of the game.
    await using dayz = await startServer({ transport, profile: "dayz" })
    const { errors, page } = await stage.open(`query?a=127.0.0.1%3A${dayz.port}`)
    await page.click("button:text-is('Query')")
    await page.waitForSelector("summary >> text=/^\\d+ rules$/")
    await page.click("summary >> text=/^\\d+ rules$/")
    const rows = page.locator(".answers .rules tr")
    const few = await rows.count()
    await page.check(".all-rules input")
    expect(await rows.count()).toBeGreaterThan(few)
    expect(errors).toEqual([])
    await page.context().close()
  })

  it("has a URL that contains the address, the kind of query and the pane", async () => {
    const { page } = await stage.open("query?a=127.0.0.9%3A27016&k=rules&p=watch")
    await page.waitForSelector("[name=address]")
    expect(await page.inputValue("[name=address]")).toBe("127.0.0.9:27016")
    expect(await page.textContent("nav [aria-current='page']")).toBe("Watch")
    await page.fill("[name=address]", "127.0.0.8:27017")
    await page.waitForFunction(() => location.hash.includes("127.0.0.8"))
    expect(await page.evaluate(() => location.hash)).toContain("k=rules")
    await page.context().close()
  })

  it("reports invalid addresses in a list, and explains each failed query", async () => {
    const closed = await closedAddress()
    const { page } = await stage.open("query?a=127.0.0.1&p=list")
    await page.fill("#addresses", `hello ${closed} 300.1.1.1`)
    await page.click("text=Query all")
    await page.waitForSelector("output[data-done='1']")
    expect(await page.textContent(".problem")).toMatch(/2 words.*"hello" has no dot and no port.*300\.1\.1\.1/)
    expect(await page.textContent(".server.failed .cell-name")).toMatch(/^\w+: .{10,}/)
    expect(await page.textContent(".server.failed .cell-target")).toBe(closed)
    await page.context().close()
  })

  it("offers known problems as presets of faults, and aligns the columns of a list", async () => {
    const { page } = await stage.open("query?a=127.0.0.1&p=servers")
    await page.selectOption(".preset select", "bad Wi-Fi")
    expect(await page.inputValue(".faults label:has(code:text-is('loss')) input")).toBe("0.15")
    await page.selectOption(".preset select", "DDoS filter")
    expect(await page.inputValue(".faults label:has(code:text-is('loss')) input")).toBe("")
    await page.click("button:text-is('Start')")
    await page.waitForSelector(".running li:has-text('drop-first=1')")
    await page.click("nav >> text=Browser")
    await page.click("text=Add the emulated servers")
    await page.click("text=Query all")
    await page.waitForSelector(".server .cell-players:not(:empty)")
    for (const column of ["map", "players", "rttMs", "target"]) {
      const [head, cell] = await Promise.all([
        page.locator(`.columns .cell-${column}`).boundingBox(),
        page.locator(`.server .cell-${column}`).first().boundingBox()
      ])
      expect([column, Math.round(head!.x + head!.width)]).toEqual([column, Math.round(cell!.x + cell!.width)])
    }
    await page.click("nav >> text=Watch")
    await page.click("button.primary:text-is('Watch')")
    await page.waitForSelector(".plot canvas")
    // No server listens on the default port, so the plot contains no data.
    expect(await page.locator(".plot").first().textContent()).toContain("RTT no data")
    await page.click("nav >> text=Emulator")
    await page.click("button:text-is('Stop all')")
    await page.context().close()
  })
})
