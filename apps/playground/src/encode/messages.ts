/** The messages of the protocol, grouped as people look for them. */
import { findDeclaration } from "@sourcewire/protocol/wire"
import groups from "./messages.json" with { type: "json" }

/** Each group's title, and the declarations of its messages. */
export const messageGroups = Object.entries(groups).map(([title, tags]) => ({
  title,
  messages: tags.map((tag) => findDeclaration(tag)!)
}))
