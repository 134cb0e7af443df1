/**
 * The types of `programs.mjs`.
 *
 * @module
 */

/** The path of each program. If the lockfile has no package for this platform, the path does not exist. */
export declare const programs: Readonly<Record<"node" | "node22" | "node26" | "deno" | "bun" | "pnpm", string>>
