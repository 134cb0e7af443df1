import { library } from "../../tooling/presets/tsup.ts"

export default library()
