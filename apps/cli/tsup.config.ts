import { program } from "../../tooling/presets/tsup.ts"

export default program({ sourcewire: "src/main.ts" })
