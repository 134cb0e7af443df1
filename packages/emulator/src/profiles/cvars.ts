/**
 * The rules of emulated servers, from `cvars.json`. The names are those of console variables of real engines. The values include every kind
 * of text that a client may convert to a number. As special cases, the rule `sv_contact` of Source is empty and `sv_search_key` has leading
 * zeros.
 */
import type { Rule, RulesReply } from "@sourcewire/protocol"
import type { Random } from "../random.ts"
import cvars from "./cvars.json" with { type: "json" }
import vocabulary from "./vocabulary.json" with { type: "json" }

/** Creates a RULES reply with the correct number of rules. */
export const rulesReply = (rules: ReadonlyArray<Rule>): RulesReply => ({
  _tag: "RulesReply",
  announced: rules.length & 0xffff,
  rules,
  truncated: false
})

export const toRules = (values: Readonly<Record<string, string | number>>): ReadonlyArray<Rule> =>
  Object.entries(values).map(([name, value]) => ({ name, value: String(value) }))

/** Creates rules from names and values. The rules are sorted by name, as engines sort them. */
export const sortedRules = (values: Readonly<Record<string, string | number>>): ReadonlyArray<Rule> =>
  toRules(values).toSorted((a, b) => (a.name < b.name ? -1 : 1))

/** The rules that all Source games have. */
export const SOURCE_RULES = sortedRules({ ...cvars.engine, ...cvars.source })

/** Rules of a GoldSource server with the usual plugins. */
export const GOLDSOURCE_RULES = sortedRules({ ...cvars.engine, ...cvars.goldsource })

/**
 * Further rules of a GoldSource server with many plugins. A RULES reply with {@link GOLDSOURCE_RULES} and these rules needs two fragments.
 */
export const AMX_RULES = toRules(cvars.amx)

/** Settings of made-up plugins, without duplicates. `count` is the number of settings (at most 560). */
export const pluginRules = (random: Random, count: number): ReadonlyArray<Rule> =>
  vocabulary.plugins
    .flatMap((plugin) => Object.entries(vocabulary.settings).map(([name, values]) => ({ plugin, name, values })))
    .slice(0, count)
    .map(({ name, plugin, values }) => ({
      name: `sm_${plugin}_${name}`,
      value:
        name === "version"
          ? `${random.int(0, 3)}.${random.int(0, 12)}.${random.int(0, 9)}`
          : random.pick(values.length === 0 ? vocabulary.settingValues : values)
    }))
