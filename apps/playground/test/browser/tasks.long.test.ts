/**
 * Tests of tasks that are described in the words of users. The page is on a host that only serves files. Each task begins on the first
 * screen, and the user never has to leave the page. The tests find elements by their visible texts: names of buttons, labels and regions.
 */
import { encodeText, splitDatagram } from "@sourcewire/protocol/wire"
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import type { BrowserContextOptions, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { externalProgram } from "../../../../tooling/testing/externalProgram.ts"
import { ip, links, pcap } from "../../../../tooling/testing/captureFiles.ts"
import { type Opened, copy } from "./stage.ts"
import { setStaticStage, type StaticStage } from "./staticPage.ts"

let stage: StaticStage
beforeAll(async () => {
  stage = await setStaticStage()
}, 600_000)
afterAll(() => stage[Symbol.asyncDispose]())

/** A user should need less than a minute for a task. */
const MINUTE = { timeout: 60_000 }

interface Recording {
  readonly exchanges: ReadonlyArray<{
    readonly name: string
    readonly request_hex: string
    readonly replies: ReadonlyArray<{ readonly hex: string }>
  }>
}

/** The datagrams of a recorded exchange, as hex. */
const recorded = (server: string, name: string): ReadonlyArray<string> => {
  const path = new URL(`../../../../packages/core/test/fixtures/recordings/${server}.json`, import.meta.url)
  const { exchanges } = JSON.parse(readFileSync(path, "utf8")) as Recording
  const { replies, request_hex } = exchanges.find((one) => one.name === name)!
  return [request_hex, ...replies.map(({ hex }) => hex)]
}

const OUTSIDE = ["198.51.100.9", 50000] as const
const PUBLIC = ["203.0.113.5", 27015] as const
type End = readonly [host: string, port: number]
type Captured = readonly [ms: number, source: End, destination: End, hex: string | Uint8Array]

const capture = (datagrams: ReadonlyArray<Captured>): Buffer =>
  pcap(
    1,
    datagrams.map(([ms, source, destination, hex]) => ({
      timeNs: 1_795_248_900_000_000_000n + BigInt(ms) * 1_000_000n,
      bytes: links[1]!(ip({ source, destination, payload: typeof hex === "string" ? Buffer.from(hex, "hex") : hex }))
    }))
  )

const askInfo = "ffffffff54536f7572636520456e67696e6520517565727900"
const info = recorded("xash3d", "info: five bots and one connecting human")[1]!

const begin = (context: BrowserContextOptions = {}): Promise<Opened> => stage.openStatic("", context)

const end = async ({ errors, page }: Opened): Promise<void> => {
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  expect(errors).toEqual([])
  await page.context().close()
}

const input = (page: Page) => page.getByLabel("Bytes, or addresses of servers")

const drop = (page: Page, buffer: Buffer): Promise<void> =>
  page.getByLabel("Open file").setInputFiles({ name: "capture.pcap", mimeType: "application/octet-stream", buffer })

const finding = (page: Page, kind: string) => page.locator(`[data-finding="${kind}"]`)

/** Returns the positions of the bytes that a finding highlights. */
const pointed = (page: Page): Promise<ReadonlyArray<string>> =>
  page.locator(".hex .byte.pointed").evaluateAll((cells) => cells.map((cell) => (cell as HTMLElement).dataset["at"]!))

const screens = [
  { viewport: { width: 1200, height: 740 }, colorScheme: "light" },
  { viewport: { width: 390, height: 780 }, colorScheme: "dark", hasTouch: true }
] as const

/** Each entry contains a problem on the first screen, one of its causes, and the sentence that explains this cause. */
const explained: ReadonlyArray<readonly [problem: string, cause: string, sentence: RegExp]> = [
  ["My server shows 0 players", "All players are bots", /All 5 players are bots: no people play/],
  [
    "My server shows 0 players",
    "More than 255 players do not fit into the count",
    /0 players, but its keywords say 256/
  ],
  [
    "My server times out only from outside",
    "A firewall or router drops the requests",
    /sent nothing back to 3 requests \(INFO\)/
  ],
  [
    "My server times out only from outside",
    "The reply comes from another address",
    /a reply came from 203\.0\.113\.6:27015/
  ],
  [
    "My server is up, but shown as offline",
    "The server does not respond on this port",
    /sent nothing back to \d+ requests/
  ],
  ["My server is up, but shown as offline", "The program changes the challenge", /are in reverse order/],
  [
    "Queries fail only sometimes",
    "The network loses datagrams",
    /requests \(\d+ %\) had no reply and had to be sent again/
  ],
  ["Queries fail only sometimes", "A fragment of the reply is missing", /fragment with another id/],
  ["Names are garbled", "The names are not UTF-8", /In windows-1251, the text is “Привет”/],
  ["The rules are cut off", "Only the first fragment arrives", /Only the first of 2 fragments arrived/],
  ["My parser fails on this reply", "Bytes are missing", /The datagram ends inside InfoReply\.map at byte 28/],
  ["I get one challenge after another", "Your address changes between two requests", /never accepts the challenge/],
  [
    "The count and the player list differ",
    "The replies are of different times",
    /the list has 3\. The two replies are 9\.0 s apart/
  ],
  [
    "A large reply cannot be read",
    "The bytes do not match their checksum",
    /CRC32 of a compressed reply differs from the announced CRC32/
  ],
  ["The server rejects me", "The server has banned your address", /The server has banned this address/]
]

const findings = (page: Page) => page.getByRole("region", { name: "Findings" })

describe("a problem on the first screen", () => {
  it.each(explained.map((one, i) => [...one, screens[i % 2]!] as const))(
    "is explained with its cause: %s (%s)",
    MINUTE,
    async (problem, cause, sentence, screen) => {
      const opened = await begin(screen)
      const { page } = opened
      await page.getByRole("button", { name: problem, exact: true }).click()
      await page
        .getByRole("group", { name: problem, exact: true })
        .getByRole("button", { name: cause, exact: true })
        .click()
      const item = findings(page).getByRole("listitem").filter({ hasText: sentence })
      await item.waitFor()
      expect(await item.evaluate((element) => element.getBoundingClientRect().top < innerHeight)).toBe(true)
      await item.getByRole("button", { name: "Show bytes" }).click()
      await page.waitForSelector(".hex .byte.pointed")
      // The Back button shows the first screen again. The causes of this problem are still visible.
      await page.goBack()
      await page.getByRole("button", { name: cause, exact: true }).waitFor()
      await end(opened)
    }
  )

  it("is explained on a phone with the dark theme, and the explanation can be copied as Markdown", MINUTE, async () => {
    const opened = await begin(screens[1])
    const { page } = opened
    await page.getByRole("button", { name: "The server rejects me" }).click()
    await page.getByRole("button", { name: "The server has banned your address" }).click()
    await findings(page).waitFor()
    expect(await page.textContent(".findings h2")).toContain("1 error")
    await page.click(".menu > summary")
    expect(await copy(page, "button:text-is('Copy Markdown')")).toContain("The server has banned this address.")
    await end(opened)
  })
})

describe("my server shows 0 players", () => {
  it.each(screens)("because all players are bots: $colorScheme", MINUTE, async (screen) => {
    const opened = await begin(screen)
    const { page } = opened
    await input(page).fill(recorded("xash3d", "info: five bots").join("\n"))
    await page.waitForSelector(".findings")
    expect(await finding(page, "all-bots").textContent()).toContain("All 5 players are bots: no people play.")
    expect(await page.textContent(".findings h2")).toContain("0 errors, 1 warning")
    await finding(page, "all-bots").locator("button").click()
    await page.waitForSelector(".hex .byte.pointed")
    expect(await pointed(page)).toEqual(["0:53", "0:55"])
    // The page has scrolled, and another field is now below the pointer. The page would explain that field. Therefore the test moves the
    // pointer to the corner of the page.
    await page.mouse.move(0, 0)
    expect(await page.textContent(".inspector > .explanation")).toContain("bots")
    await end(opened)
  })

  it("because there are more players than a count of one byte can express", MINUTE, async () => {
    const opened = await begin()
    const text = (value: string): string => Buffer.from(`${value}\0`).toString("hex")
    const rust = `ffffffff4911${text("name")}${text("map")}${text("rust")}${text("Rust")}0000006400646c0001${text("1")}21${text("mp400,cp256,qp0")}4ada030000000000`
    await input(opened.page).fill(rust)
    expect(await finding(opened.page, "count-wrapped").textContent()).toContain(
      "INFO counts 0 players, but its keywords say 256"
    )
    await end(opened)
  })
})

describe("names are garbled", () => {
  it.each(screens)("because the names are not encoded in UTF-8: $colorScheme", MINUTE, async (screen) => {
    const opened = await begin(screen)
    const { page } = opened
    const name = Buffer.from(encodeText("Привет", "windows-1251")!).toString("hex")
    await input(page).fill(`ffffffff440100${name}00050000000000803f`)
    const found = finding(page, "not-utf8")
    expect(await found.textContent()).toContain("In windows-1251, the text is “Привет”")
    await found.locator("button").click()
    await page.waitForSelector(".hex .byte.pointed")
    expect(await pointed(page)).toEqual([7, 8, 9, 10, 11, 12, 13].map((at) => `0:${at}`))
    // With the wrong encoding, the page shows the garbled text that the user sees in other programs.
    await page.selectOption(".paste select", "latin1")
    await page.waitForSelector("[data-field='players[0]']:has-text('Ïðèâåò')")
    await page.selectOption(".paste select", "windows-1251")
    await page.waitForSelector("[data-field='players[0]']:has-text('Привет')")
    await end(opened)
  })
})

describe("rules are cut off", () => {
  it("because only the first fragment arrives", MINUTE, async () => {
    const opened = await begin()
    const { page } = opened
    const [, rules] = recorded("xash3d", "rules: reply longer than 1400 bytes")
    const [first] = splitDatagram(Buffer.from(rules!, "hex"), { layout: "source", id: 5 })
    const challenge = recorded("xash3d", "rules: challenge -1")
    await drop(
      page,
      capture([
        [0, OUTSIDE, PUBLIC, challenge[0]!],
        [20, PUBLIC, OUTSIDE, challenge[1]!],
        [21, OUTSIDE, PUBLIC, "ffffffff56a01cedf1"],
        [40, PUBLIC, OUTSIDE, first!]
      ])
    )
    const found = finding(page, "first-fragment-only")
    expect(await found.textContent()).toMatch(/Only the first of 2 fragments arrived\. It has 1260 bytes.*MTU/)
    await found.locator("button").click()
    await page.waitForSelector(".hex .byte.pointed")
    expect(await page.textContent(".inspector h2")).toContain("Fragment of a split reply")
    await end(opened)
  })

  it("because the server's buffer is too small for all rules", MINUTE, async () => {
    const opened = await begin()
    const { page } = opened
    await input(page).fill(recorded("xash3d", "rules: more rules than the engine buffer holds")[1]!)
    expect(await finding(page, "rules-overflow").textContent()).toContain(
      "announces 0 rules, but contains 238 and ends after 8188 bytes"
    )
    await end(opened)
  })
})

describe("my parser fails on this reply", () => {
  it.each([
    [
      "because the reply is a challenge",
      recorded("cacher", "info: 25-byte request without challenge"),
      "challenge-unused"
    ],
    ["because the reply has the older format", recorded("hltv", "info T").slice(1), "old-info-format"],
    ["because the reply has no extra data", recorded("xash3d", "info: no players").slice(1), "no-extra-data"]
  ] as const)("%s", MINUTE, async (_, datagrams, kind) => {
    const opened = await begin()
    const { page } = opened
    await input(page).fill(datagrams.join("\n"))
    const found = finding(page, kind)
    await found.locator("button").click()
    await page.waitForSelector(".hex .byte.pointed")
    await end(opened)
  })

  it("because bytes are missing, and the page shows the position", MINUTE, async () => {
    const opened = await begin()
    const { page } = opened
    await input(page).fill(info.slice(0, 60))
    expect(await page.textContent(".findings h2")).toContain("1 error")
    await finding(page, "malformed").locator("button").click()
    expect(await page.textContent(".problem")).toContain("The datagram ends inside InfoReply.map")
    await end(opened)
  })
})

describe("my server times out only from outside", () => {
  it("because requests from outside receive no reply", MINUTE, async () => {
    const opened = await begin()
    const { page } = opened
    const inside = ["192.168.1.9", 50001] as const
    const local = ["192.168.1.5", 27015] as const
    await drop(
      page,
      capture([
        [0, inside, local, askInfo],
        [2, local, inside, info],
        [10, OUTSIDE, PUBLIC, askInfo],
        [1010, OUTSIDE, PUBLIC, askInfo],
        [3010, OUTSIDE, PUBLIC, askInfo]
      ])
    )
    const found = finding(page, "no-reply")
    expect(await found.textContent()).toContain("The server sent nothing back to 3 requests (INFO)")
    expect(await found.textContent()).toContain("allow UDP on that port in every firewall and router")
    expect(await finding(page, "private-address").textContent()).toContain("192.168.1.5:27015 is a private address")
    await end(opened)
  })

  it.each(screens)("because the reply does not come from the queried address: $colorScheme", MINUTE, async (screen) => {
    const opened = await begin(screen)
    const { page } = opened
    await drop(
      page,
      capture([
        [0, OUTSIDE, PUBLIC, askInfo],
        [20, ["203.0.113.6", 27015], OUTSIDE, info]
      ])
    )
    const found = finding(page, "other-address")
    expect(await found.textContent()).toContain("went to 203.0.113.5:27015, but a reply came from 203.0.113.6:27015")
    await found.locator("button").click()
    await page.waitForSelector("#datagrams-1.chosen")
    await end(opened)
  })
})

const tshark = externalProgram("tshark", "tshark")

describe("an export of the shown exchange", () => {
  const saved = async (page: Page, button: string): Promise<{ readonly name: string; readonly path: string }> => {
    await page.click(".menu > summary")
    const [download] = await Promise.all([page.waitForEvent("download"), page.click(`button:text-is('${button}')`)])
    return { name: download.suggestedFilename(), path: await download.path() }
  }

  it.skipIf(tshark === undefined)(
    "can be a pcapng file, and tshark shows the comments in this file",
    MINUTE,
    async () => {
      const opened = await begin()
      const { page } = opened
      await input(page).fill(recorded("xash3d", "info: five bots").join("\n"))
      await page.waitForSelector(".findings")
      const { name, path } = await saved(page, "Save pcapng with comments")
      expect(name).toBe("sourcewire.pcapng")
      const fields = ["-T", "fields", "-e", "frame.comment", "-e", "udp.dstport"]
      const [request, reply] = execFileSync(tshark!, ["-r", path, ...fields], { encoding: "utf8" }).split("\n")
      expect(request).toBe("\t27015")
      expect(reply).toContain("warning: All 5 players are bots: no people play. (byte 53; byte 55)")
      await end(opened)
    }
  )

  it.each(screens)(
    "can be JSON lines, or Markdown that contains a link to the exchange: $colorScheme",
    MINUTE,
    async (screen) => {
      const opened = await begin(screen)
      const { page } = opened
      await input(page).fill(recorded("xash3d", "info: five bots").join("\n"))
      await page.waitForSelector(".findings")
      const { path } = await saved(page, "Save JSON lines")
      const lines = readFileSync(path, "utf8").trimEnd().split("\n")
      expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
        { message: { _tag: "InfoRequest" } },
        { message: { _tag: "InfoReply" } },
        { findings: [{ kind: "all-bots" }, { kind: "no-extra-data" }] }
      ])
      // The menu can be opened with the keyboard, and fits into the page.
      await page.focus(".menu > summary")
      await page.keyboard.press("Enter")
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
      const markdown = await copy(page, "button:text-is('Copy Markdown')")
      expect(markdown).toContain("- **warning**: All 5 players are bots")
      const link = /\]\((http[^)]*)\)/.exec(markdown)![1]!
      await page.keyboard.press("Escape")
      expect(await page.locator(".menu[open]").count()).toBe(0)
      const other = await begin()
      await other.page.goto(link)
      await other.page.waitForSelector("[data-finding=all-bots]")
      await other.page.context().close()
      await end(opened)
    }
  )
})
