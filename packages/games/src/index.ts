/**
 * Everything that differs from game to game: ports, app ids, the place of the true counts of players, and the meaning of keywords and
 * rules. It needs no other package.
 *
 * @module
 */
export { bohemiaRules, type BohemiaResult, type BohemiaRules, type Difficulty } from "./bohemiaRules.ts"
export type { Said } from "./edge.ts"
export type { FactValue, Mod } from "./facts/declaration.ts"
export { playerNames, readFacts, type Fact, type Facts } from "./facts/facts.ts"
export { findGames, gameOf, identify } from "./find.ts"
export type { ReaderName } from "./facts/readers.ts"
export { queryPortsOf, type Game, type Instead, type QueryPort } from "./Game.ts"
export type { Source } from "./Source.ts"
export { SUMMARY_FACTS, summary, type Summary } from "./summary.ts"
export { Unaskable, unaskable } from "./unaskable.ts"
