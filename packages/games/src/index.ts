/**
 * Differences between games: ports, app ids, the reply with the true player counts, and the meaning of keywords and rules. The package has
 * no network code.
 *
 * @module
 */
export { bohemiaRules, type BohemiaResult, type BohemiaRules, type Difficulty } from "./bohemiaRules.ts"
export type { GameReplies } from "./edge.ts"
export type { FactValue, Mod } from "./facts/declaration.ts"
export { playerNames, readFacts, type Fact, type Facts } from "./facts/facts.ts"
export { findGames, findGame, identify } from "./find.ts"
export type { ReaderName } from "./facts/readers.ts"
export { likelyQueryPorts, type Game, type Instead, type QueryPort } from "./Game.ts"
export type { Source } from "./Source.ts"
export { SUMMARY_FACTS, summary, type Summary } from "./summary.ts"
export { NotQueryable, notQueryable } from "./notQueryable.ts"
