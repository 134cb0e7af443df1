/**
 * Starts the page.
 *
 * @module
 */
import { render } from "preact"
import { App } from "./App.tsx"
import { followAddress } from "./state/address.ts"
import { applyTheme } from "./state/theme.ts"

applyTheme()
followAddress()
render(<App />, document.querySelector("#app")!)
