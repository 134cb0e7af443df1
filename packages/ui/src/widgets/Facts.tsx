/**
 * A list of names with their values. A value may be an untrusted text, because the component shows texts with {@link Coloured}. Names
 * without a value are omitted.
 */
import type { ComponentChild } from "preact"
import { Coloured } from "./Coloured.tsx"

export const Facts = ({ facts }: { readonly facts: ReadonlyArray<readonly [name: string, value: ComponentChild]> }) => (
  <dl class="facts">
    {facts.map(([name, value]) =>
      value === undefined || value === "" || value === false ? null : (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{typeof value === "string" ? <Coloured text={value} /> : value}</dd>
        </div>
      )
    )}
  </dl>
)
