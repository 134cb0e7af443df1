/** One server: how it is, how it was, what happened. */
import type { TargetDetail, TargetRow } from "@sourcewire/monitor/api"
import { useSignal } from "@preact/signals"
import { Alert, CopyButton } from "@sourcewire/playground/widgets"
import { listLink } from "../address.ts"
import { ask, useRepeatedly } from "../ask.ts"
import { ChangeList } from "../events/ChangeList.tsx"
import { useChanges, withNewest } from "../events/changes.ts"
import { useTitle } from "../title.ts"
import { dateOf, nameOf, since, stateOf } from "../words.ts"
import { Players, Rules } from "./Answer.tsx"
import { Badge } from "./Badge.tsx"
import { Facts } from "./Facts.tsx"
import { History } from "./History.tsx"
import { Locations } from "./Locations.tsx"
import { Panel } from "./Panel.tsx"
import { Remove } from "./Remove.tsx"

/** So many of the newest changes come with a server. */
const SHOWN_CHANGES = 20

/** The page of the server with that number; `isOwn` where the monitor keeps its list itself. */
export const Server = ({ id, isOwn }: { readonly id: string; readonly isOwn: boolean }) => {
  const detail = useSignal<TargetDetail | undefined>(undefined)
  const { changes, more } = useChanges(`target=${id}`)
  const trouble = useRepeatedly(async (signal) => {
    const told = await ask<TargetDetail>(`targets/${id}`, signal)
    detail.value = told
    changes.value = withNewest(changes.value, told.changes, SHOWN_CHANGES)
  }, [])
  const shown = detail.value
  useTitle(shown === undefined ? "" : nameOf(shown.target))
  return (
    <article class="server">
      <a href={listLink.value}>← All servers</a>
      <Alert text={trouble} />
      {shown !== undefined && (
        <>
          <Heading target={shown.target} isOwn={isOwn} />
          <Trouble target={shown.target} />
          <Facts {...shown} />
          {shown.locations !== undefined && <Locations locations={shown.locations} />}
          <History id={id} locations={(shown.locations ?? []).map(({ location }) => location)} />
          <div class="panels">
            {shown.answer !== undefined && <Players answer={shown.answer} />}
            <Panel id="changes" title="Events" empty={changes.value.known.length === 0 && "Nothing has changed yet."}>
              <ChangeList changes={changes.value} more={more} named={false} />
            </Panel>
            {shown.answer !== undefined && <Rules answer={shown.answer} />}
            <Badge address={shown.target.address} id={shown.target.id} />
          </div>
        </>
      )}
    </article>
  )
}

const Heading = ({ isOwn, target }: { readonly target: TargetRow; readonly isOwn: boolean }) => {
  const { address, connect, state, stateAt } = target
  return (
    <div class="heading">
      <h2>
        {nameOf(target)}{" "}
        <span class={`pill state-${state}`} title={stateAt === undefined ? undefined : dateOf(stateAt)}>
          {stateOf(target)}
          {stateAt === undefined ? "" : ` ${since(stateAt)}`}
        </span>
      </h2>
      <code>{address}</code>
      <div class="bar">
        {connect?.startsWith("steam://") === true && (
          <a class="button primary" href={connect}>
            Join
          </a>
        )}
        <CopyButton label="Copy address" text={address} />
        {isOwn && <Remove id={target.id} />}
      </div>
    </div>
  )
}

/** Why it does not answer. */
const Trouble = ({ target: { answeredAt, error, failures, state } }: { readonly target: TargetRow }) => {
  if (error === undefined) return null
  const asOf = answeredAt === undefined ? "" : ` What is below is of ${dateOf(answeredAt)}.`
  return (
    <p class={state === "down" ? "problem" : "notice"}>
      {error.message}
      {failures > 1 ? ` So it went ${failures} times in a row.` : ""}
      {state === "down" ? asOf : ""}
    </p>
  )
}
