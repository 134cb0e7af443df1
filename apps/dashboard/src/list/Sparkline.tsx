/** A day in a small picture: players hour by hour, and where there was no answer. */
import type { Day } from "./days.ts"

const HEIGHT = 24
const STEP = 4

/** Runs of hours that follow one another and have a value. */
const runsOf = (day: Day): ReadonlyArray<ReadonlyArray<readonly [hour: number, players: number]>> => {
  const runs: Array<Array<readonly [number, number]>> = [[]]
  for (const [hour, players] of day.entries()) {
    if (players === null) runs.push([])
    else runs.at(-1)!.push([hour, players])
  }
  return runs.filter(({ length }) => length > 0)
}

/** As high as the day was full, measured by the most of it, or a quarter of `maxPlayers` where that is more. */
export const Sparkline = ({ day, maxPlayers }: { readonly day: Day; readonly maxPlayers: number }) => {
  const known = day.filter((players) => players !== null)
  const first = day.findIndex((players) => players !== null)
  if (first === -1) return null
  const most = Math.max(1, maxPlayers / 4, ...known)
  const x = (hour: number): number => hour * STEP
  const y = (players: number): number => Number((HEIGHT - 1 - (players / most) * (HEIGHT - 2)).toFixed(1))
  const lines = runsOf(day).map((run) => {
    const points = run.map(([hour, players]) => `${x(hour)},${y(players)}`)
    // One hour alone is a short line.
    const [hour, players] = run[0]!
    return run.length === 1 ? [...points, `${x(hour) + 1},${y(players)}`] : points
  })
  const isSilent = (hour: number): boolean => hour > first && day[hour] === null
  return (
    <svg viewBox={`0 0 ${x(day.length - 1)} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {day.map(
        (_, hour) => isSilent(hour) && <rect key={hour} x={x(hour) - STEP / 2} y={0} width={STEP} height={HEIGHT} />
      )}
      {lines.map((points) => (
        <g key={points[0]}>
          <path class="area" d={`M${points[0]!.split(",")[0]},${HEIGHT}L${points.join("L")}V${HEIGHT}Z`} />
          <path class="line" d={`M${points.join("L")}`} />
        </g>
      ))}
    </svg>
  )
}
