/**
 * Writes `docs/screenshots/terminal.svg`, the README's picture of a terminal. The picture shows the output of `sourcewire query` and
 * `sourcewire scan --watch`. Both commands run from source on a pseudo-terminal, and query emulated servers. The names, maps and players of
 * the servers are made up. This script prints the prompts, and the program prints everything else.
 *
 *     pnpm --filter sourcewire picture
 */
import headless from "@xterm/headless"
import { type RunningServer, startServer } from "@sourcewire/emulator"
import type { InfoReply, PlayersReply, RulesReply } from "@sourcewire/protocol"
import type { Profile } from "@sourcewire/server"
import { layer } from "@sourcewire/transport-node/effect"
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { type Server, answerAt, COMMUNITY } from "../test/monitor/dashboard/community.ts"

const COLUMNS = 108
const ROWS = 25
const PORT = 27_015
const PROGRAM = fileURLToPath(new URL("../src/main.ts", import.meta.url))
const PICTURE = fileURLToPath(new URL("../../../docs/screenshots/terminal.svg", import.meta.url))
const NOW = Date.UTC(2026, 10, 23, 19, 30)

/** A part of a line: consecutive characters with the same style. */
interface Run {
  readonly text: string
  readonly column: number
  readonly colour: string | undefined
  readonly isBold: boolean
  readonly isDim: boolean
}
type Screen = ReadonlyArray<ReadonlyArray<Run>>
interface Scene {
  readonly screen: Screen
  readonly seconds: number
}

/** The terminal's sixteen colours, for a dark background. */
const COLOURS = (
  "#484f58 #ff7b72 #56d364 #e3b341 #79c0ff #d2a8ff #56d4dd #c9d1d9 " +
  "#8b949e #ffa198 #7ee787 #f2cc60 #a5d6ff #e2c5ff #a5f3fc #ffffff"
).split(" ")

const readScreen = (terminal: headless.Terminal): Screen => {
  const { active } = terminal.buffer
  const cell = active.getNullCell()
  return Array.from({ length: ROWS }, (_, row) => {
    const line = active.getLine(row)!
    const runs: Array<Run & { text: string }> = []
    for (let column = 0; column < COLUMNS; column++) {
      const style = readStyle(line.getCell(column, cell)!)
      if (style.width === 0) continue
      const last = runs.at(-1)
      const isSame =
        last !== undefined &&
        last.colour === style.colour &&
        last.isBold === style.isBold &&
        last.isDim === style.isDim &&
        // Each run has its own position in the picture. Text after two spaces begins a new run, so that the columns of a table are aligned
        // in every font.
        !(style.text !== " " && last.text.endsWith("  "))
      if (isSame) last.text += style.text
      else runs.push({ ...style, column })
    }
    return runs.filter(({ text }) => text.trim() !== "")
  })
}

const readStyle = (cell: headless.IBufferCell) => ({
  text: cell.getChars() || " ",
  width: cell.getWidth(),
  colour: cell.isFgPalette() ? COLOURS[cell.getFgColor()] : undefined,
  isBold: cell.isBold() !== 0,
  isDim: cell.isDim() !== 0
})

/** Prints a prompt with the command, and runs the command on a pseudo-terminal. */
const run = (args: ReadonlyArray<string>, directory: string) => {
  const prompt = `\u001b[32m$\u001b[0m sourcewire ${args.join(" ")}\r\n\r\n`
  const terminal = new headless.Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true, convertEol: true })
  const command = `stty columns ${COLUMNS} rows ${ROWS}; exec '${process.execPath}' '${PROGRAM}' ${args.join(" ")}`
  terminal.write(prompt)
  const { NO_COLOR: _, CI: __, ...environment } = process.env
  const child = spawn("script", ["--quiet", "--return", "--flush", "--command", command, "/dev/null"], {
    cwd: directory,
    env: { ...environment, TERM: "xterm-256color", FORCE_COLOR: "1", SHELL: "/bin/sh" },
    stdio: ["pipe", "pipe", "inherit"]
  })
  child.stdout.on("data", (chunk: Buffer) => terminal.write(chunk))
  const ended = new Promise<void>((resolve) => child.on("close", () => terminal.write("", resolve)))
  const text = (): string =>
    Array.from({ length: ROWS }, (_, row) => terminal.buffer.active.getLine(row)?.translateToString(true) ?? "").join(
      "\n"
    )
  return {
    ended,
    screen: () => readScreen(terminal),
    type: (keys: string) => child.stdin.write(keys),
    until: async (isRight: (text: string) => boolean) => {
      for (let tries = 0; tries < 600 && !isRight(text()); tries++) await sleep(50)
      if (!isRight(text())) throw new Error(`The expected screen did not appear:\n${text()}`)
    }
  }
}

const SHORT_RULES: RulesReply = {
  _tag: "RulesReply",
  announced: 4,
  truncated: false,
  rules: Object.entries({
    mp_friendlyfire: "0",
    mp_timelimit: "40",
    sv_alltalk: "1",
    sv_gravity: "800"
  }).map(([name, value]) => ({ name, value }))
}

/** Makes the profile of an emulated server. The replies of the server depend on a made-up time, which `at` returns. */
const makeProfile = (server: Server, at: () => number): Profile => {
  const answer = () => answerAt(server, at(), NOW)
  return {
    name: server.name,
    description: server.kind.game,
    oversize: { how: "split", maxBytes: 1260 },
    info: () => ({ ...(answer()?.info as InfoReply), port: PORT, keywords: "alltalk,bhop" }),
    players: () => answer()?.players as PlayersReply,
    rules: () => SHORT_RULES
  }
}

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

const LINE = 20
const CELL = 8.4
const PADDING = 18
const BAR = 36
const round = (number: number): string => String(Math.round(number * 10) / 10)

/**
 * Draws the picture as an animation, which repeats the scenes endlessly. A viewer that does not support animations shows the first scene.
 */
const renderSvg = (scenes: ReadonlyArray<Scene>): string => {
  const width = COLUMNS * CELL + 2 * PADDING
  const height = ROWS * LINE + BAR + PADDING
  const total = scenes.reduce((sum, { seconds }) => sum + seconds, 0)
  const percent = (seconds: number): string => round((seconds / total) * 100)
  let from = 0
  // With `steps(1, end)`, the value of a keyframe applies until the next keyframe.
  const styles: Array<string> = []
  const groups = scenes.map(({ screen, seconds }, number) => {
    const begin = percent(from)
    from += seconds
    const end = percent(from)
    const before = number === 0 ? "" : "0%{opacity:0}"
    const after = end === "100" ? "" : `${end}%{opacity:0}`
    styles.push(`@keyframes s${number}{${before}${begin}%{opacity:1}${after}100%{opacity:${after === "" ? 1 : 0}}}`)
    styles.push(`.s${number}{animation:s${number} ${total}s steps(1,end) infinite}`)
    const lines = screen.flatMap((runs, row) =>
      runs.map(({ colour, column, isBold, isDim, text }) => {
        const trimmed = text.trimEnd()
        const lead = trimmed.length - trimmed.trimStart().length
        const attributes = [
          `x="${round(PADDING + (column + lead) * CELL)}"`,
          `y="${round(BAR + (row + 0.75) * LINE)}"`,
          `textLength="${round((trimmed.length - lead) * CELL)}"`,
          ...(colour === undefined ? [] : [`fill="${colour}"`]),
          ...(isBold ? [`font-weight="600"`] : []),
          ...(isDim ? [`opacity=".62"`] : [])
        ]
        return `<text ${attributes.join(" ")}>${escaped(trimmed.trimStart())}</text>`
      })
    )
    return `<g class="s${number}"${number === 0 ? "" : ` opacity="0"`}>\n${lines.join("\n")}\n</g>`
  })
  const dots = ["#ff5f57", "#febc2e", "#28c840"].map(
    (colour, i) => `<circle cx="${PADDING + 6 + i * 20}" cy="${BAR / 2}" r="6" fill="${colour}"/>`
  )
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${round(width)} ${round(height)}" width="${round(width)}" height="${round(height)}" role="img">`,
    `<title>sourcewire query and sourcewire scan --watch on a terminal</title>`,
    `<!-- Written by apps/cli/scripts/terminalPicture.ts. -->`,
    `<style>svg{fill:#c9d1d9}text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre}`,
    ...styles,
    `@media (prefers-reduced-motion:reduce){g{animation:none!important}}</style>`,
    `<rect width="100%" height="100%" rx="10" fill="#0d1117"/>`,
    `<rect x=".5" y=".5" width="${round(width - 1)}" height="${round(height - 1)}" rx="9.5" fill="none" stroke="#30363d"/>`,
    ...dots,
    ...groups,
    `</svg>`,
    ""
  ].join("\n")
}

const directory = mkdtempSync(join(tmpdir(), "sourcewire-picture-"))
let at = NOW
const chosen = COMMUNITY.filter((_, i) => [0, 1, 2, 3, 4, 7, 8, 9, 10, 11, 13, 14, 16, 18, 19, 21, 23, 24].includes(i))
const formatHost = (number: number): string => `127.0.0.${11 + number}`
const servers: Array<RunningServer> = []
for (const [number, server] of chosen.entries()) {
  servers.push(
    await startServer({
      transport: layer,
      host: formatHost(number),
      port: PORT,
      profile: makeProfile(server, () => at)
    })
  )
}
writeFileSync(join(directory, "servers.txt"), chosen.map((_, number) => formatHost(number)).join("\n"))

const scenes: Array<Scene> = []
try {
  at = NOW - 5.7 * 3_600_000
  const query = run(["query", formatHost(3)], directory)
  await query.ended
  scenes.push({ screen: query.screen(), seconds: 6 })

  at = NOW
  const scan = run(["scan", "--file", "servers.txt", "--watch"], directory)
  await scan.until((text) => text.includes("$ sourcewire scan"))
  scenes.push({ screen: scan.screen(), seconds: 1 })
  await scan.until((text) => text.includes(`${chosen.length} of ${chosen.length} `) && text.includes("round 1 · next"))
  scenes.push({ screen: scan.screen(), seconds: 4 })
  for (const round of [2, 3, 4]) {
    at += 9 * 60_000
    if (round === 3) await servers.splice(6, 1)[0]!.close()
    // The key `n` starts the next round of the scan, but has no effect while a round runs. Therefore the script presses the key repeatedly
    // until the next round starts.
    const pressing = setInterval(() => scan.type("n"), 1500)
    await scan.until((text) => text.includes(`round ${round} ·`))
    clearInterval(pressing)
    const isOver = (text: string): boolean => text.includes(`round ${round} · next`) && /\d of \d+ respond/.test(text)
    // Directly after a round starts, the screen can still show that the previous round is finished. Therefore the script waits before it
    // checks whether the new round is finished.
    await sleep(1000)
    await scan.until(isOver)
    scenes.push({ screen: scan.screen(), seconds: 3 })
  }
  scan.type("q")
  await scan.ended
} finally {
  for (const server of servers) await server.close()
  rmSync(directory, { recursive: true })
}
writeFileSync(PICTURE, renderSvg(scenes))
