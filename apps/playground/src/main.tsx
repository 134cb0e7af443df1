/** Starts the page. */
import { render } from "preact"
import { App } from "./App.tsx"
import { followAddress } from "./state/address.ts"
import { followTheme } from "./state/theme.ts"

followTheme()
followAddress()
render(<App />, document.querySelector("#app")!)
