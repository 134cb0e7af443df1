/** Starts the page. */
import { render } from "preact"
import { App } from "./App.tsx"
import { followAddress } from "./address.ts"

followAddress()
render(<App />, document.querySelector("#app")!)
