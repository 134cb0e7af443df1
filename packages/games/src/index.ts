/**
 * What differs from game to game: ports, app ids, where the true counts of players stand, and what keywords and rules mean.
 *
 * @module
 */
export { bohemiaRules, type BohemiaRules } from "./bohemiaRules.ts"
export type { Mod } from "./facts/declaration.ts"
export { readFacts, type Fact, type Facts } from "./facts/facts.ts"
export { findGames, gameOf, identify } from "./find.ts"
export { queryPortsOf, type Game } from "./Game.ts"
export { summary, type Summary } from "./summary.ts"
export { Unaskable, unaskable } from "./unaskable.ts"
