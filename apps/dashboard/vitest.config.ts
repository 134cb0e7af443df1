import { project } from "../../tooling/presets/vitest.ts"

export default project("dashboard")
