import { project } from "../presets/vitest.ts"

export default project("binaries")
