/**
 * What differs from game to game: ports, app ids, where the true counts of players stand, and what keywords and rules mean.
 *
 * @module
 */
export { bohemiaRules } from "./bohemiaRules.ts"
export type { BohemiaRules } from "./bohemiaRules.ts"
export type { Mod } from "./facts/declaration.ts"
export { readFacts } from "./facts/facts.ts"
export type { Fact, Facts } from "./facts/facts.ts"
export { findGames, gameOf, identify } from "./find.ts"
export { queryPortsOf } from "./Game.ts"
export type { Game } from "./Game.ts"
export { summary } from "./summary.ts"
export type { Summary } from "./summary.ts"
export { Unaskable, unaskable } from "./unaskable.ts"
