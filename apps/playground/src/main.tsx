/** Starts the page. */
import { render } from "preact"
import { App } from "./App.tsx"
import { followAddress } from "./state/address.ts"
import { followSteps } from "./state/steps.ts"
import { followTheme } from "@sourcewire/ui/widgets"

followTheme()
followAddress()
followSteps()
render(<App />, document.querySelector("#app")!)
