/** The first step of `pnpm release`: fails while the repository's public address is a placeholder. */
import { address, hasAddress } from "./publication.ts"
import { conclude } from "./workspace.ts"

const problem = `The repository's public address is still the placeholder ${address}, so nothing can be released. Set it in tooling/checks/src/publication.ts, run \`pnpm generate\` and commit.`
conclude(hasAddress ? [] : [problem], `The packages come from ${address}`)
