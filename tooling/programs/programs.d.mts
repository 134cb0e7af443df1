/**
 * Types of `programs.mjs`, which says what they are.
 *
 * @module
 */

/** Paths by the program's name. Where a platform has no package there is nothing at the path. */
export declare const programs: Readonly<Record<"node" | "node22" | "node26" | "deno" | "bun" | "pnpm", string>>
