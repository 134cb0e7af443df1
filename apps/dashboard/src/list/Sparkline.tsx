/** A day in a small picture: players hour by hour, and where there was no answer. */
import { pathOf } from "@sourcewire/playground/widgets"
import type { Day } from "./days.ts"

const HEIGHT = 24
const STEP = 4

/** As high as the day was full, measured by the most of it, or a quarter of `maxPlayers` where that is more. */
export const Sparkline = ({ day, maxPlayers }: { readonly day: Day; readonly maxPlayers: number }) => {
  const known = day.filter((players) => players !== null)
  const first = day.findIndex((players) => players !== null)
  if (first === -1) return null
  const most = Math.max(1, maxPlayers / 4, ...known)
  const x = (hour: number): number => hour * STEP
  const y = (players: number): number => HEIGHT - 1 - (players / most) * (HEIGHT - 2)
  const points = day.map((players, at) => ({ at, value: players ?? undefined }))
  return (
    <svg viewBox={`0 0 ${x(day.length - 1)} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {points.map(
        ({ at, value }) =>
          at > first && value === undefined && <rect key={at} x={x(at) - STEP / 2} y={0} width={STEP} height={HEIGHT} />
      )}
      <path class="area" d={pathOf(points, x, y, HEIGHT)} />
      <path class="line" d={pathOf(points, x, y)} />
    </svg>
  )
}
