/** The current values of a server. */
import type { TargetDetail } from "@sourcewire/monitor/api"
import * as widgets from "@sourcewire/ui/widgets"
import type { ComponentChild } from "preact"
import { formatDate, formatLength, milliseconds, formatMoment, PERIODS, plural, since, formatUptime } from "../words.ts"

const Ago = ({ at }: { readonly at: number }) => (
  <time dateTime={new Date(at).toISOString()} title={formatDate(at)}>
    {since(at)} ago
  </time>
)

type FactList = ReadonlyArray<readonly [name: string, value: ComponentChild]>

/**
 * The values of a server's last reply, and the values that the monitor has measured. If the server is not up, the values of the reply are
 * shown in grey, with the time of the reply.
 */
export const Facts = ({
  intervalMs,
  sources,
  target,
  uptime
}: Pick<TargetDetail, "intervalMs" | "sources" | "target" | "uptime">) => {
  const {
    answeredAt,
    bots,
    game,
    group,
    map,
    maxPlayers,
    mode,
    password,
    players,
    queue,
    rttMs,
    secure,
    state,
    version
  } = target
  const isKnown = answeredAt !== undefined
  const reported: FactList = [
    [
      "Players",
      players !== undefined && (
        <>
          <b class="large">{players}</b> of {maxPlayers ?? "?"}
          {bots ? `, ${plural(bots, "bot")}` : ""}
        </>
      )
    ],
    ["Queue", queue !== undefined && queue > 0 && plural(queue, "player")],
    ["Map", map],
    ["Game", game],
    ["Mode", mode],
    ["RTT", milliseconds(rttMs)],
    ["Version", version],
    ["Password", isKnown && (password === true ? "required" : "none")],
    ["Valve Anti-Cheat", isKnown && (secure === true ? "on" : "off")]
  ]
  const known: FactList = [
    ...Object.entries(PERIODS).map(
      ([period, title]) => [`Uptime, ${title}`, formatUptime(uptime?.[period as keyof typeof PERIODS])] as const
    ),
    ["Group", group],
    ...Object.entries(target.labels),
    ["Source", sources.join() !== "configuration" && sources.join(", ")],
    ["Last reply", isKnown ? <Ago at={answeredAt} /> : "never"],
    ["Interval", formatLength(intervalMs / 1000)]
  ]
  if (state === "up") return <widgets.Facts facts={[...reported, ...known]} />
  return (
    <>
      <widgets.Facts facts={known} />
      {isKnown && (
        <section class="is-old" aria-label="Last known values">
          <p class="quiet">As of {formatMoment(answeredAt)}</p>
          <widgets.Facts facts={reported} />
        </section>
      )}
    </>
  )
}
