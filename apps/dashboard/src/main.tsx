/** Starts the page. */
import { followTheme } from "@sourcewire/ui/widgets"
import { render } from "preact"
import { App } from "./App.tsx"
import { followAddress } from "./address.ts"
import { followMonitor } from "./live.ts"

followTheme()
followAddress()
followMonitor()
render(<App />, document.querySelector("#app")!)
