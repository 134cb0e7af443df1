/** `GET /badge/ADDRESS.svg`: a server as a small picture, for forums and READMEs. */
import { displayText } from "@sourcewire/core/text"
import type { Watched } from "../watch/Watched.ts"

const MAX_NAME = 40
/** Of the font, on average, in px. */
const CHARACTER_WIDTH = 6.6
const PADDING = 12

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)

const shortened = (text: string): string => {
  const characters = [...text]
  return characters.length > MAX_NAME ? `${characters.slice(0, MAX_NAME - 1).join("")}…` : text
}

const COLOURS = { up: "#2e7d32", down: "#b3261e", unknown: "#5f6368" } as const

export const badgeOf = ({ address, known }: Watched): string => {
  const { last, state } = known
  const left = shortened(displayText(last?.summary.name ?? address))
  const right =
    state === "up" && last !== undefined
      ? `${last.summary.players}/${last.summary.maxPlayers} ${shortened(displayText(last.summary.map))}`
      : state
  const [leftWidth, rightWidth] = [left, right].map((text) =>
    Math.round([...text].length * CHARACTER_WIDTH + PADDING)
  ) as [number, number]
  const width = leftWidth + rightWidth
  const label = escaped(`${left}: ${right}`)
  // As wide as its half, whichever font there is and however wide its letters are.
  const text = (from: number, width: number, content: string): string =>
    `<text x="${from + PADDING / 2}" y="14" textLength="${width - PADDING}" lengthAdjust="spacingAndGlyphs">${escaped(content)}</text>`
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="${label}">` +
    `<title>${label}</title>` +
    `<rect width="${width}" height="20" rx="3" fill="#3c4043"/>` +
    `<path d="M${leftWidth} 0h${rightWidth - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-${rightWidth - 3}z" fill="${COLOURS[state]}"/>` +
    `<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">` +
    `${text(0, leftWidth, left)}${text(leftWidth, rightWidth, right)}</g></svg>\n`
  )
}
