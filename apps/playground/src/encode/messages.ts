/** The messages of the protocol, in groups by purpose. */
import { findDeclaration } from "@sourcewire/protocol/wire"
import groups from "./messages.json" with { type: "json" }

/** The title of each group, with the declarations of its messages. */
export const messageGroups = Object.entries(groups).map(([title, tags]) => ({
  title,
  messages: tags.map((tag) => findDeclaration(tag)!)
}))
