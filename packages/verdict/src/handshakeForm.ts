/** Finds out which form of Valve's handshake a game uses. */

const FORMS: ReadonlyMap<number, "source" | "csgo"> = new Map([
  ...[220, 240, 300, 320, 360, 440, 500, 550, 630, 4000].map((appId) => [appId, "source"] as const),
  [4_465_480, "csgo"]
])

/**
 * Returns the form of the handshake for the game with this Steam app id: `source` for games on Source 2013 and related engines, `csgo` for
 * CS:GO. Returns `undefined` if no form is known for the game.
 */
export const handshakeForm = (appId: number | undefined): "source" | "csgo" | undefined =>
  appId === undefined ? undefined : FORMS.get(appId)
