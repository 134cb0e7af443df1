/** The page of one server: current values, history and events. */
import type { TargetDetail, TargetRow } from "@sourcewire/monitor/api"
import { type Signal, useSignal } from "@preact/signals"
import { Alert, CopyButton } from "@sourcewire/ui/widgets"
import { incidentsLink, listLink } from "../address.ts"
import { getJson, useRepeatedly } from "../requests.ts"
import { ChangeList } from "../events/ChangeList.tsx"
import { useChanges, withNewest } from "../events/changes.ts"
import { Mute } from "../Mute.tsx"
import { useTitle } from "../title.ts"
import { formatDate, displayName, since, formatState } from "../words.ts"
import { Players, Rules } from "./Answer.tsx"
import { Badge } from "./Badge.tsx"
import { Edit } from "./Edit.tsx"
import { Facts } from "./Facts.tsx"
import { Findings } from "./Findings.tsx"
import { History } from "./History.tsx"
import { Locations } from "./Locations.tsx"
import { Panel } from "./Panel.tsx"
import { Remove } from "./Remove.tsx"

/** Maximum number of changes in the monitor's response about a server. The response contains the server's newest changes. */
const SHOWN_CHANGES = 20

interface Rights {
  /** Whether the monitor manages its list of servers itself. Only then can users remove the server. */
  readonly isOwn: boolean
  /** Whether the monitor stores mutes. */
  readonly mutes: boolean
}

/** The page of the server with the number `id`. */
export const Server = ({ id, ...rights }: { readonly id: string } & Rights) => {
  const detail = useSignal<TargetDetail | undefined>(undefined)
  const { changes, more } = useChanges(`target=${id}`)
  const isRemoving = useSignal(false)
  const trouble = useRepeatedly(async (signal) => {
    // When the monitor has removed the server, this view remains open for a moment. During this time, the view sends no request, because
    // the monitor would reply with the status 404.
    if (isRemoving.value) return
    const loaded = await getJson<TargetDetail>(`targets/${id}`, signal)
    detail.value = loaded
    changes.value = withNewest(changes.value, loaded.changes, SHOWN_CHANGES)
  }, [])
  const shown = detail.value
  useTitle(shown === undefined ? "" : displayName(shown.target))
  return (
    <article class="server">
      <a href={listLink.value}>← All servers</a>
      <Alert text={trouble} />
      {shown !== undefined && (
        <>
          <Heading target={shown.target} isRemoving={isRemoving} {...rights} />
          <ErrorNotice target={shown.target} />
          <Facts {...shown} />
          {shown.locations !== undefined && <Locations locations={shown.locations} />}
          {shown.findings !== undefined && <Findings id={id} findings={shown.findings} />}
          <History
            id={id}
            map={shown.target.state === "up" ? shown.target.map : undefined}
            locations={(shown.locations ?? []).map(({ location }) => location)}
          />
          <div class="panels">
            {shown.answer !== undefined && <Players answer={shown.answer} console={shown.console} />}
            <Panel id="changes" title="Events" empty={changes.value.known.length === 0 && "No events yet."}>
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

interface HeadingProps extends Rights {
  readonly target: TargetRow
  readonly isRemoving: Signal<boolean>
}

const Heading = ({ isOwn, isRemoving, mutes, target }: HeadingProps) => {
  const { address, connect, group, muted, state, stateAt } = target
  return (
    <div class="heading">
      <h2>
        <bdi>{displayName(target)}</bdi>{" "}
        <span
          class={`pill state-${muted === undefined ? state : "muted"}`}
          title={stateAt === undefined ? undefined : formatDate(stateAt)}
        >
          {formatState(target)}
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
        <a class="button" href={incidentsLink(target.id)}>
          Incidents
        </a>
        {mutes && <Mute address={address} group={group} />}
        {isOwn && (
          <>
            <Edit target={target} />
            <Remove target={target} isRemoving={isRemoving} />
          </>
        )}
      </div>
    </div>
  )
}

/** A notice with the reason why the last query of the server failed. */
const ErrorNotice = ({ target: { answeredAt, error, failures, state } }: { readonly target: TargetRow }) => {
  if (error === undefined) return null
  const age = answeredAt === undefined ? "" : ` The last reply arrived at ${formatDate(answeredAt)}.`
  return (
    <p class={state === "down" ? "problem" : "notice"}>
      {error.message}
      {failures > 1 ? ` ${failures} queries in a row have failed.` : ""}
      {state === "down" ? age : ""}
    </p>
  )
}
