/** The frame of the page: navigation, warnings and the current view. */
import type { Overview } from "@sourcewire/monitor/api"
import { useSignal } from "@preact/signals"
import { Alert, Choice, theme, THEMES, Top } from "@sourcewire/ui/widgets"
import { LIST, listLink, path as shownPath, server as shownServer } from "./address.ts"
import { getJson, useRepeatedly } from "./requests.ts"
import { Connection, NoConnection } from "./Connection.tsx"
import { Events } from "./events/Events.tsx"
import { NoServers } from "./list/NoServers.tsx"
import { Instances } from "./instances/Instances.tsx"
import { ServerList } from "./list/ServerList.tsx"
import { Server } from "./server/Server.tsx"
import { useTitle } from "./title.ts"
import { Undo } from "./Undo.tsx"
import { Webhooks } from "./webhooks/Webhooks.tsx"

export const App = () => {
  const overview = useSignal<Overview | undefined>(undefined)
  // The overview is also requested in a background tab, because the title of the tab shows how many servers are down.
  const trouble = useRepeatedly(
    async (signal) => void (overview.value = await getJson<Overview>("overview", signal)),
    [],
    {
      isHiddenToo: true
    }
  )
  const all = overview.value
  const path = shownPath.value
  const server = shownServer.value
  return (
    <>
      <Top
        page="monitor"
        home="#/"
        views={[
          ["Servers", listLink.value, path === LIST || server !== undefined],
          ["Events", "#/events", path === "/events"],
          ...(all?.history === true ? [["Webhooks", "#/webhooks", path === "/webhooks"] as const] : []),
          ...(all?.shared === true ? [["Instances", "#/instances", path === "/instances"] as const] : [])
        ]}
      >
        <Connection />
        <Choice class="theme" label="Theme" value={theme} options={THEMES} />
      </Top>
      <main>
        <NoConnection />
        <Undo />
        <Alert text={trouble} />
        <Alert text={all?.storeTrouble} />
        {all?.warnings?.map((warning) => (
          <Alert key={warning} text={warning} />
        ))}
        {server !== undefined ? (
          <Server key={server} id={server} isOwn={all?.adds === true} mutes={all?.history === true} />
        ) : path === "/events" ? (
          <Events groups={all?.groups ?? []} />
        ) : path === "/webhooks" ? (
          <Webhooks adds={all?.adds === true} />
        ) : path === "/instances" ? (
          <Instances />
        ) : path !== LIST ? (
          <NotFound />
        ) : all?.targets === 0 ? (
          <NoServers adds={all.adds} />
        ) : (
          <ServerList overview={all} />
        )}
      </main>
    </>
  )
}

const NotFound = () => {
  useTitle("Page not found")
  return (
    <section class="empty">
      <h2>Page not found</h2>
      <p>
        There is no page with this address. <a href="#/">Show all servers</a>
      </p>
    </section>
  )
}
