/** The frame: the views, and what is wrong with all of it. */
import type { Overview } from "@sourcewire/monitor/api"
import { useSignal } from "@preact/signals"
import { Alert, Top } from "@sourcewire/playground/widgets"
import { listLink, place } from "./address.ts"
import { ask, isSilent, useRepeatedly } from "./ask.ts"
import { Events } from "./events/Events.tsx"
import { NobodyYet } from "./list/NobodyYet.tsx"
import { Machines } from "./machines/Machines.tsx"
import { ServerList } from "./list/ServerList.tsx"
import { Server } from "./server/Server.tsx"

export const App = () => {
  const overview = useSignal<Overview | undefined>(undefined)
  const trouble = useRepeatedly(async (signal) => void (overview.value = await ask<Overview>("overview", signal)), [])
  const all = overview.value
  const { path, server } = place.value
  return (
    <>
      <Top
        page="monitor"
        home="#/"
        views={[
          ["Servers", listLink.value, path === "#/" || server !== undefined],
          ["Events", "#/events", path === "#/events"],
          ...(all?.shared === true ? [["Machines", "#/machines", path === "#/machines"] as const] : [])
        ]}
      />
      <main>
        <Alert text={isSilent.value ? "The monitor does not answer. What is shown is as it was." : trouble} />
        <Alert text={all?.storeTrouble && `History cannot be written now: ${all.storeTrouble}`} />
        {server !== undefined ? (
          <Server key={server} id={server} isOwn={all?.adds === true} />
        ) : path === "#/events" ? (
          <Events />
        ) : path === "#/machines" ? (
          <Machines />
        ) : all?.targets === 0 ? (
          <NobodyYet adds={all.adds} />
        ) : (
          <ServerList overview={all} />
        )}
      </main>
    </>
  )
}
