import { transport } from "../../tooling/presets/tsup.ts"

export default transport()
