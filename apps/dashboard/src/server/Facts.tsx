/** How a server is now. */
import type { TargetDetail } from "@sourcewire/monitor/api"
import * as widgets from "@sourcewire/playground/widgets"
import type { ComponentChild } from "preact"
import { dateOf, lengthOf, milliseconds, plural, since } from "../words.ts"

const Ago = ({ at }: { readonly at: number }) => (
  <time dateTime={new Date(at).toISOString()} title={dateOf(at)}>
    {since(at)} ago
  </time>
)

/** What is known of it, and how long that holds. */
export const Facts = ({ intervalMs, sources, target }: Pick<TargetDetail, "intervalMs" | "sources" | "target">) => {
  const { answeredAt, bots, game, group, map, maxPlayers, mode, password, players, queue, rttMs, secure, version } =
    target
  const isKnown = answeredAt !== undefined
  const facts: ReadonlyArray<readonly [name: string, value: ComponentChild]> = [
    [
      "Players",
      players !== undefined && (
        <>
          <b class="large">{players}</b> of {maxPlayers ?? "?"}
          {bots ? `, ${plural(bots, "bot")}` : ""}
        </>
      )
    ],
    ["Waiting to join", queue !== undefined && queue > 0 && plural(queue, "player")],
    ["Map", map],
    ["Game", game],
    ["Mode", mode],
    ["Round trip", milliseconds(rttMs)],
    ["Version", version],
    ["To join", isKnown && (password === true ? "password wanted" : "open to all")],
    ["Valve Anti-Cheat", isKnown && (secure === true ? "on" : "off")],
    ["Group", group],
    ...Object.entries(target.labels),
    ["Listed by", sources.join() !== "configuration" && sources.join(", ")],
    ["Last answer", isKnown ? <Ago at={answeredAt} /> : "never"],
    ["Asked", `every ${lengthOf(intervalMs / 1000)}`]
  ]
  return <widgets.Facts facts={facts} />
}
