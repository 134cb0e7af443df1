/**
 * Runs the single-file program in a root directory that contains only the program, the libraries of the program, and /proc. A container
 * image that is built `FROM scratch` has a similar root directory.
 */
import { profiles, startServer } from "@sourcewire/emulator"
import { layer } from "@sourcewire/transport-node/effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { bundle, program, start } from "./runCli.ts"

const SCRIPT = `set -e
program=$1 root=$2 address=$3
mkdir -p "$root/usr/local/bin" "$root/proc" "$root/tmp"
cp "$program" "$root/usr/local/bin/sourcewire"
for library in $(ldd "$program" | grep -o '/[^ ]*'); do cp --parents --dereference "$library" "$root"; done
mount -t proc proc "$root/proc"
exec chroot "$root" /usr/local/bin/sourcewire health "$address" --max-age 60`

it.runIf(bundle === undefined && process.platform === "linux")(
  "the single-file program can check the health of a server in a root directory that contains no other program",
  async () => {
    await using server = await startServer({ transport: layer, profile: profiles.css() })
    const root = mkdtempSync(join(tmpdir(), "sourcewire-root-"))
    const words = [program[0]!, root, `127.0.0.1:${server.port}`]
    const spaces = ["--user", "--map-root-user", "--mount", "--pid", "--fork"]
    // `start` appends the command that runs the program to the arguments of the script. The script ignores this command.
    const { ended } = start([], { through: ["unshare", ...spaces, "sh", "-c", SCRIPT, "sh", ...words] })
    const { exitCode, stderr, stdout } = await ended
    rmSync(root, { recursive: true })
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" })
    expect(stdout).toContain(" is healthy: 26/32 players on de_dust2")
  }
)
