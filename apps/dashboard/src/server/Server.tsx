/** One server: how it is, how it was, what happened. */
import type { TargetDetail, TargetRow } from "@sourcewire/monitor/api"
import { useSignal } from "@preact/signals"
import type { ComponentChild } from "preact"
import { useEffect } from "preact/hooks"
import { ask, useRepeatedly } from "../ask.ts"
import { ago, dateOf, milliseconds } from "../words.ts"
import { Players, Rules } from "./Answer.tsx"
import { Changes } from "./Changes.tsx"
import { History } from "./History.tsx"

const TITLE = "Sourcewire monitor"

/** The page of the server with that number. */
export const Server = ({ id }: { readonly id: string }) => {
  const detail = useSignal<TargetDetail | undefined>(undefined)
  const trouble = useSignal<string | undefined>(undefined)
  useRepeatedly(
    async (signal) => void (detail.value = await ask<TargetDetail>(`targets/${id}`, signal)),
    (told) => void (trouble.value = told),
    []
  )
  const name = detail.value?.target.name ?? detail.value?.target.address
  useEffect(() => {
    document.title = name === undefined ? TITLE : `${name} – ${TITLE}`
    return () => void (document.title = TITLE)
  }, [name])
  return (
    <article class="server">
      <a href="#/">← All servers</a>
      {trouble.value !== undefined && (
        <p class="notice wrong" role="alert">
          {trouble.value}
        </p>
      )}
      {detail.value !== undefined && <Detail {...detail.value} />}
    </article>
  )
}

const Detail = ({ answer, changes, target }: TargetDetail) => (
  <>
    <h2>
      {target.name ?? target.address} <span class={`state-${target.state}`}>{target.state}</span>
    </h2>
    <Facts target={target} />
    <History id={String(target.id)} />
    <div class="panels">
      {answer !== undefined && <Players answer={answer} />}
      <Changes changes={changes} />
      {answer !== undefined && <Rules answer={answer} />}
    </div>
  </>
)

const Facts = ({ target }: { readonly target: TargetRow }) => {
  const { address, answeredAt, bots, connect, error, game, group, map, maxPlayers, players, queue, rttMs, stateAt } =
    target
  const facts: ReadonlyArray<readonly [name: string, value: ComponentChild]> = [
    ["Address", connect?.startsWith("steam://") === true ? <a href={connect}>{address}</a> : address],
    ["Game", game],
    ["Map", map],
    [
      "Players",
      players === undefined ? undefined : `${players} of ${maxPlayers ?? "?"}${bots ? `, ${bots} bots` : ""}`
    ],
    ["Queue", queue],
    ["Round trip", milliseconds(rttMs)],
    ["Version", target.version],
    ["Password", target.password === true ? "wanted" : undefined],
    ["Group", group],
    ...Object.entries(target.labels),
    ["Since", stateAt === undefined ? undefined : <time title={dateOf(stateAt)}>{ago(stateAt)}</time>],
    ["Last answer", answeredAt === undefined ? "never" : <time title={dateOf(answeredAt)}>{ago(answeredAt)}</time>],
    ["Last failure", error?.message]
  ]
  return (
    <dl class="facts">
      {facts
        .filter(([, value]) => value !== undefined && value !== "")
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}
