/**
 * `GET /badge/ADDRESS.svg` returns a small picture for forums and READMEs. The badge shows the players and the map of a server that is up;
 * otherwise, it shows the state of the server. With `?uptime=30d`, the badge shows the uptime instead of the players, the map and the
 * state.
 */
import { displayText } from "@sourcewire/core/text"
import { computeAvailability } from "../history/StateTime.ts"
import type { Period, Uptimes } from "../history/uptime.ts"
import { type Known, findName, type Watched } from "../watch/Watched.ts"
import { escaped } from "./html.ts"

const MAX_NAME = 40
/** Average width of a character in the font of the badge, in pixels. */
const CHARACTER_WIDTH = 6.6
const PADDING = 12

const shortened = (text: string): string => {
  const characters = [...text]
  return characters.length > MAX_NAME ? `${characters.slice(0, MAX_NAME - 1).join("")}…` : text
}

const COLOURS = { up: "#2e7d32", down: "#b3261e", unknown: "#5f6368", muted: "#8a6100" } as const

/** The right half of a badge: its text and its colour. */
interface Half {
  readonly text: string
  readonly colour: string
}

const stateHalf = ({ last, state }: Known, isMuted: boolean): Half => {
  const text =
    state === "up" && last !== undefined
      ? `${last.summary.players}/${last.summary.maxPlayers} ${shortened(displayText(last.summary.map))}`
      : isMuted
        ? "maintenance"
        : state
  return { text, colour: COLOURS[isMuted ? "muted" : state] }
}

/** A badge is green if the uptime is at least `GOOD`, brown if it is at least `FAIR`, and red if it is lower. */
const [GOOD, FAIR] = [0.99, 0.9]

/** Formats an uptime in percent with two decimal places. The value is rounded down, so that it is never too high. */
export const formatPercent = (share: number): string => `${(Math.floor(share * 10_000) / 100).toFixed(2)} %`

const uptimeHalf = (period: Period, uptimes: Uptimes): Half => {
  const share = computeAvailability(uptimes[period])
  if (share === undefined) return { text: "not monitored", colour: COLOURS.unknown }
  return {
    text: `${formatPercent(share)} up, ${period}`,
    colour: share >= GOOD ? COLOURS.up : share >= FAIR ? COLOURS.muted : COLOURS.down
  }
}

/** Options for the right half of a badge, which shows the state of the server or its uptime. */
export interface BadgeOptions {
  readonly isMuted?: boolean
  readonly uptime?: readonly [period: Period, uptimes: Uptimes]
}

export const renderBadge = (
  { address, group, known }: Watched,
  { isMuted = false, uptime }: BadgeOptions = {}
): string => {
  const left = shortened(displayText(findName({ address, group, known }) ?? address))
  const { colour, text: right } = uptime === undefined ? stateHalf(known, isMuted) : uptimeHalf(...uptime)
  const [leftWidth, rightWidth] = [left, right].map((text) =>
    Math.round([...text].length * CHARACTER_WIDTH + PADDING)
  ) as [number, number]
  const width = leftWidth + rightWidth
  const label = escaped(`${left}: ${right}`)
  // The browser stretches or compresses the text to `textLength`, because the characters of the browser's font may be wider or narrower
  // than `CHARACTER_WIDTH`.
  const text = (from: number, width: number, content: string): string =>
    `<text x="${from + PADDING / 2}" y="14" textLength="${width - PADDING}" lengthAdjust="spacingAndGlyphs">${escaped(content)}</text>`
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="${label}">` +
    `<title>${label}</title>` +
    `<rect width="${width}" height="20" rx="3" fill="#3c4043"/>` +
    `<path d="M${leftWidth} 0h${rightWidth - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-${rightWidth - 3}z" fill="${colour}"/>` +
    `<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">` +
    `${text(0, leftWidth, left)}${text(leftWidth, rightWidth, right)}</g></svg>\n`
  )
}
