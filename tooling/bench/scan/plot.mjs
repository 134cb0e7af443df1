// A line in a frame, as SVG: small enough to read in a diff, light or dark.
const WIDTH = 640
const HEIGHT = 240
const MARGIN = { left: 56, right: 16, top: 16, bottom: 36 }

/** `points` as `[x, y]`; both axes begin at 0. */
export const plot = ({ points, title, xLabel, yLabel }) => {
  const xMax = Math.max(...points.map(([x]) => x))
  const yMax = Math.ceil((1.2 * Math.max(...points.map(([, y]) => y))) / 50) * 50
  const x = (value) => MARGIN.left + ((WIDTH - MARGIN.left - MARGIN.right) * value) / xMax
  const y = (value) => HEIGHT - MARGIN.bottom - ((HEIGHT - MARGIN.top - MARGIN.bottom) * value) / yMax
  const line = points.map(([px, py]) => `${x(px).toFixed(1)},${y(py).toFixed(1)}`).join(" ")
  const ticks = [0, 0.25, 0.5, 0.75, 1]
  const xTicks = ticks.map(
    (share) =>
      `<text x="${x(share * xMax)}" y="${HEIGHT - MARGIN.bottom + 16}" text-anchor="middle">${(share * xMax).toLocaleString("en-US")}</text>`
  )
  const yTicks = ticks.map(
    (share) =>
      `<path d="M${MARGIN.left} ${y(share * yMax)}H${WIDTH - MARGIN.right}" stroke-opacity=".2"/><text x="${MARGIN.left - 6}" y="${y(share * yMax) + 4}" text-anchor="end">${share * yMax}</text>`
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}">
<style>text{font:11px system-ui,sans-serif;fill:#888;stroke:none}path,polyline{fill:none;stroke:#888}polyline{stroke:#2a7de1;stroke-width:2}</style>
${[...yTicks, ...xTicks].join("\n")}
<text x="${WIDTH / 2}" y="${HEIGHT - 4}" text-anchor="middle">${xLabel}</text>
<text x="12" y="${MARGIN.top}">${yLabel}</text>
<polyline points="${line}"/>
</svg>
`
}
