/** Tests of the input on the first screen. The input accepts bytes, files and addresses, and the page opens the appropriate view. */
import { startServer } from "@sourcewire/emulator"
import { layer as transport } from "@sourcewire/transport-node/effect"
import { seriousFindings } from "@sourcewire/testing/accessibility"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { setStaticStage, type StaticStage } from "./staticPage.ts"

let stage: StaticStage
beforeAll(async () => {
  stage = await setStaticStage()
}, 600_000)
afterAll(() => stage[Symbol.asyncDispose]())

const openFile = (page: Page, name: string, buffer: Buffer) =>
  page.setInputFiles("input[type=file]", { name, mimeType: "application/octet-stream", buffer })
const outcome = (page: Page) => page.textContent(".paste output")

describe("the first screen", () => {
  it.each([
    ["hex", "ffffffff414ba1d522"],
    ["base64", "/////0FLodUi"],
    ["an escaped string", String.raw`"\xff\xff\xff\xffA\x4b\xa1\xd5\x22"`]
  ])("decodes pasted %s", async (_, text) => {
    const { errors, page } = await stage.openStatic()
    await page.fill("#bytes", text)
    await page.waitForSelector(".inspector h2:has-text('S2C_CHALLENGE')")
    expect(errors).toEqual([])
    await page.context().close()
  })

  it("decodes a text file in UTF-16", async () => {
    const { page } = await stage.openStatic()
    const text = "\ufeffffffffff414ba1d522\r\n"
    await openFile(page, "bytes.txt", Buffer.from(text, "utf16le"))
    await page.waitForSelector(".inspector h2:has-text('S2C_CHALLENGE')")
    await page.context().close()
  })

  it("reports that a binary file is not a capture", async () => {
    const { page } = await stage.openStatic()
    await openFile(page, "picture.png", Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"))
    await page.waitForSelector(".paste output.wrong")
    expect(await outcome(page)).toContain("picture.png is not a capture file (pcap, pcapng), and not text")
    await page.context().close()
  })

  it("explains how to query a real server if there is no bridge", async () => {
    const { errors, page } = await stage.openStatic("", { bypassCSP: true })
    await page.fill("#bytes", "203.0.113.5:27015")
    await page.waitForSelector("button:text-is('Query 203.0.113.5:27015')")
    expect(await seriousFindings(page)).toEqual([])
    await page.focus("#bytes")
    await page.keyboard.press("Enter")
    await page.waitForSelector(".real-server")
    expect(await page.textContent(".real-server")).toContain("npx sourcewire query 203.0.113.5:27015 --explain")
    expect(await seriousFindings(page)).toEqual([])
    expect(errors).toEqual([])
    // The Back button of the browser leaves the view.
    await page.goBack()
    await page.waitForSelector("#bytes")
    await page.context().close()
  })

  it("queries one address or several addresses with the bridge", async () => {
    await using server = await startServer({ transport, profile: "rust" })
    await using other = await startServer({ transport, profile: "tf2" })
    const { errors, page } = await stage.open("decode")
    const [one, two] = [`127.0.0.1:${server.port}`, `127.0.0.1:${other.port}`]
    await page.fill("#bytes", one)
    await page.click(`button:text-is('Query ${one}')`)
    await page.waitForSelector(".info-card >> text=Rust")
    await page.click("nav >> text=Decode")
    await page.fill("#bytes", `${one}\n${two}`)
    await page.click("button:text-is('Query 2 servers')")
    await page.waitForSelector("output[data-done='2']")
    expect(errors).toEqual([])
    await page.context().close()
  })

  it("has no accessibility findings on a phone, and fits into the window", async () => {
    const { page } = await stage.openStatic("", {
      viewport: { width: 390, height: 800 },
      colorScheme: "dark",
      bypassCSP: true
    })
    await page.fill("#bytes", "ffffffff414ba1d522")
    await page.waitForSelector("#inspector-bytes")
    await page.click("text=Serve these bytes")
    expect(await seriousFindings(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
    await page.context().close()
  })
})

describe("a watch", () => {
  it("marks retransmissions and queries without a reply", async () => {
    const { errors, page } = await stage.openStatic("#watch?a=127.0.0.1%3A27015&e=css_drop-first-1+css_loss-1", {
      bypassCSP: true
    })
    await page.waitForSelector(".pane")
    await page.click("button.primary:text-is('Watch')")
    await page.getByRole("list", { name: "Retransmissions" }).getByRole("listitem").first().waitFor()
    await page.waitForFunction(() => document.querySelector(".pane")?.textContent?.includes("1 retransmission"))
    await page.click("button:text-is('Stop')")
    await page.fill("[name=address]", "127.0.0.1:27016")
    await page.click("button.primary:text-is('Watch')")
    await page.waitForFunction(() => document.querySelector(".pane")?.textContent?.includes("1 without a reply"))
    // In a plot, only periods without a reply are red.
    const isRed = () =>
      page.evaluate(() => {
        const canvas = document.querySelector<HTMLCanvasElement>(".plot canvas")!
        const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true })!
        copy.drawImage(canvas, 0, 0)
        const { data } = copy.getImageData(0, 0, canvas.width, canvas.height)
        return data.some((red, i) => i % 4 === 0 && data[i + 3]! > 0 && red > data[i + 2]! + 40)
      })
    await expect.poll(isRed, { timeout: 30_000 }).toBe(true)
    expect(await page.textContent(".legend")).toContain("no reply")
    expect(await seriousFindings(page)).toEqual([])
    expect(errors).toEqual([])
    await page.context().close()
  })
})
