/** The first step of `pnpm release`: what nobody but the repository's owner can fill in is filled in. */
import { address, hasAddress } from "./publication.ts"
import { conclude } from "./workspace.ts"

const problem = `Nothing is released yet: ${address} stands for the repository's public address. Set it in tooling/checks/src/publication.ts, run \`pnpm exports\` and commit.`
conclude(hasAddress ? [] : [problem], `The packages come from ${address}`)
