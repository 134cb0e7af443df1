/** A small strip with the state of a server in each of the last 24 hours. Each state has its own height and colour. */
import { type Grade, chooseGrade, GRADES } from "../grades.ts"
import { plural } from "../words.ts"
import type { Day } from "./perServer.ts"

const HEIGHT = 8

/**
 * For each state: the upper edge and the height of the bar that represents an hour with this state. Hours in which the server was not
 * monitored have no bar.
 */
const BARS: Readonly<Partial<Record<Grade, readonly [top: number, height: number]>>> = {
  good: [5, 3],
  partly: [2, 6],
  silent: [0, 8],
  muted: [3, 1.5]
}

/** Groups consecutive hours with the same state. */
const groupRuns = (grades: ReadonlyArray<Grade>) => {
  const runs: Array<{ readonly grade: Grade; readonly from: number; hours: number }> = []
  for (const [hour, grade] of grades.entries()) {
    const last = runs.at(-1)
    if (last?.grade === grade) last.hours++
    else runs.push({ grade, from: hour, hours: 1 })
  }
  return runs
}

export const DayStrip = ({ times }: Pick<Day, "times">) => {
  const grades = times.map(([upMs, downMs, mutedMs]) => chooseGrade({ upMs, downMs, mutedMs }))
  const down = grades.filter((grade) => grade === "silent" || grade === "partly").length
  return (
    <svg class="day-strip" viewBox={`0 0 ${times.length} ${HEIGHT}`} preserveAspectRatio="none" role="img">
      <title>{down === 0 ? "Last 24 hours: not down" : `Last 24 hours: down in ${plural(down, "hour")}`}</title>
      {groupRuns(grades).map(({ from, grade, hours }) => {
        const bar = BARS[grade]
        return (
          bar && (
            <rect key={from} class={grade} x={from} y={bar[0]} width={hours} height={bar[1]}>
              <title>{GRADES[grade]}</title>
            </rect>
          )
        )
      })}
    </svg>
  )
}
