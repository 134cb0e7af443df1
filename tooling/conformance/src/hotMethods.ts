/** Calls two methods equally often. One of these methods is excluded from FTL, the highest compiler tier of JavaScriptCore. */
import { withoutFtl } from "@sourcewire/protocol/wire"

class Spared {
  sum = 0
  sparedMethod(): void {
    for (let i = 0; i < 100; i++) this.sum += i % 7
  }
}

class Usual {
  sum = 0
  usualMethod(): void {
    for (let i = 0; i < 100; i++) this.sum += i % 7
  }
}

const spareCompiler = withoutFtl(() => [Spared])
spareCompiler()
spareCompiler()
const [spared, usual] = [new Spared(), new Usual()]
for (let i = 0; i < 200_000; i++) {
  spared.sparedMethod()
  usual.usualMethod()
}
console.log(spared.sum === usual.sum)
