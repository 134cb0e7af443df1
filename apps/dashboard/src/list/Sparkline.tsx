/** The number of players in the last 24 hours, as a small plot. */
import { formatPath } from "@sourcewire/ui/widgets"

const HEIGHT = 24
const STEP = 4

/** The plot. The scale ends at the highest number of players in the 24 hours, or at a quarter of `maxPlayers` if this quarter is larger. */
export const Sparkline = ({
  day,
  maxPlayers
}: {
  readonly day: ReadonlyArray<number | null>
  readonly maxPlayers: number
}) => {
  const known = day.filter((players) => players !== null)
  if (known.length === 0) return null
  const most = Math.max(1, maxPlayers / 4, ...known)
  const x = (hour: number): number => hour * STEP
  const y = (players: number): number => HEIGHT - 1 - (players / most) * (HEIGHT - 2)
  const points = day.map((players, at) => ({ at, value: players ?? undefined }))
  return (
    <svg class="sparkline" viewBox={`0 0 ${x(day.length - 1)} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <path class="area" d={formatPath(points, x, y, HEIGHT)} />
      <path class="line" d={formatPath(points, x, y)} />
    </svg>
  )
}
