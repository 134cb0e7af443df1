/** Starts Debian's ioquake3 server with Debian's game module and an empty map. */
import { mkdir, mkdtemp, readdir, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { emptyMap } from "./emptyMap.ts"
import { freePort, untilUp } from "./startup.ts"
import { startProgram } from "./startProgram.ts"

const LIBRARY = "/usr/lib/ioquake3"

/** Starts the server. Disposing of the result stops it. */
export const startQuake3 = async (password: string) => {
  const folder = await mkdtemp(join(tmpdir(), "sourcewire-quake3-"))
  const game = join(folder, "ours")
  await mkdir(join(game, "maps"), { recursive: true })
  await writeFile(join(game, "default.cfg"), "// nothing\n")
  await writeFile(join(game, "maps", "empty.bsp"), emptyMap())
  const modules = await readdir(join(LIBRARY, "baseq3"))
  const module = modules.find((name) => name.startsWith("qagame"))!
  await symlink(join(LIBRARY, "baseq3", module), join(game, module))
  const port = await freePort()
  const settings: Readonly<Record<string, string>> = {
    com_standalone: "1",
    com_basegame: "ours",
    fs_basepath: folder,
    fs_homepath: folder,
    dedicated: "1",
    net_enabled: "1",
    net_ip: "127.0.0.1",
    net_port: String(port),
    rconPassword: password,
    vm_game: "0",
    bot_enable: "0",
    sv_pure: "0"
  }
  const args = Object.entries(settings).flatMap(([name, value]) => ["+set", name, value])
  const program = join(LIBRARY, "ioq3ded")
  const server = await startProgram(program, [...args, "+map", "empty"], folder, {}, () => untilUp(port))
  return { port, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}
