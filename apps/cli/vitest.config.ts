import { project } from "../../tooling/presets/vitest.ts"

export default project("cli", { globalSetup: "test/buildProgram.ts" })
