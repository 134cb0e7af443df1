/** The form of Valve's handshake that each game uses. */

const FORMS: ReadonlyMap<number, "source" | "csgo"> = new Map([
  ...[220, 240, 300, 320, 360, 440, 500, 550, 630, 4000].map((appId) => [appId, "source"] as const),
  [4_465_480, "csgo"]
])

/**
 * The form of the handshake for a game, by its Steam app id: `source` for the family of Source 2013, `csgo` for CS:GO, or `undefined` if we
 * know no form for the game.
 */
export const handshakeForm = (appId: number | undefined): "source" | "csgo" | undefined =>
  appId === undefined ? undefined : FORMS.get(appId)
