/**
 * Names for generated players: made up, in the manner of the games, with the scripts and oddities that clients stumble over.
 */
import type { Random } from "../random.ts"

/** The words of a text. */
export const words = (text: string): ReadonlyArray<string> => text.trim().split(/\s+/)

const WORDS = words(`
  Falcon Pixel Moss Kestrel Rubble Turnip Comet Sprocket Gravel Bandit Lantern Otter Nimbus Marble Quartz Biscuit
  Thistle Anvil Cobalt Dynamo Ember Fjord Gadget Harpoon Ibis Jigsaw Krill Lobster Magpie Nettle Oxide Pebble
  Quiver Raven Saddle Tundra
`)

const PREFIXES = ["", "", "", "", "xX ", "[DM] ", "=OG= ", "(1)", "the ", "Mr. ", "-|", "~"] as const
const SUFFIXES = ["", "", "", "", " Xx", " ツ", "_77", ".exe", " ☆", "|-", " <3", "?"] as const
const UNUSUAL = [
  "Zoë",
  "Łukasz",
  "Дядя Фёдор",
  "Игрок",
  "プレイヤー",
  "naïve",
  "señor gato",
  "Ærø",
  "",
  " ",
  "a\tb",
  "🦊"
] as const

/** A player's name: mostly plain, one in twelve with a script, an emoji or an emptiness that a careless client gets wrong. */
export const playerName = (random: Random): string =>
  random.chance(1 / 12)
    ? random.pick(UNUSUAL)
    : `${random.pick(PREFIXES)}${random.pick(WORDS)}${random.chance(0.3) ? random.int(1, 99) : ""}${random.pick(SUFFIXES)}`

/** A bot's name, as GoldSource and Source bots have it: one plain word. */
export const botName = (random: Random): string => random.pick(WORDS)
