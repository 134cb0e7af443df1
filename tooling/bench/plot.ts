/** Plots samples with equal distances, as SVG for light and dark pages. */

/** One line of the plot. */
export interface Line {
  readonly name: string
  readonly values: ReadonlyArray<number>
  readonly unit: string
}

const WIDTH = 720
const PANEL = 120
const LEFT = 70
const RIGHT = 20

const STYLE = `text{font:12px sans-serif;fill:#444}path{fill:none;stroke:#2a6fb0;stroke-width:1.5}line{stroke:#999;stroke-width:.5}
@media(prefers-color-scheme:dark){text{fill:#ccc}path{stroke:#7db8ee}line{stroke:#666}}`

/** Draws one panel for each line, from zero to slightly above its highest value. `extent` is the label of its end, such as a duration. */
export const plot = (lines: ReadonlyArray<Line>, extent: string): string => {
  const height = lines.length * (PANEL + 34) + 30
  const panels = lines.map(({ name, unit, values }, panel) => {
    const top = panel * (PANEL + 34) + 26
    const most = Math.max(...values) * 1.1
    const x = (i: number) => (LEFT + (i / Math.max(1, values.length - 1)) * (WIDTH - LEFT - RIGHT)).toFixed(1)
    const y = (value: number) => (top + PANEL - (value / most) * PANEL).toFixed(1)
    const path = values.map((value, i) => `${i === 0 ? "M" : "L"}${x(i)} ${y(value)}`).join("")
    const grid = [0, 0.5, 1].map((share) => {
      const at = y(most * share)
      const label = `<text x="${LEFT - 8}" y="${at}" text-anchor="end" dominant-baseline="middle">${(most * share).toFixed(0)} ${unit}</text>`
      return `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${at}" y2="${at}"/>${label}`
    })
    return `<text x="${LEFT}" y="${top - 8}">${name}</text>${grid.join("")}<path d="${path}"/>`
  })
  const foot = `<text x="${WIDTH - RIGHT}" y="${height - 8}" text-anchor="end">${extent}</text>`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${lines.map(({ name }) => name).join(", ")} over ${extent}"><style>${STYLE}</style>${panels.join("")}${foot}</svg>\n`
}
