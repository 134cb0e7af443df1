import { simulate } from "./faultMatrix/simulate.ts"
let all = 0, bad = 0
for (const loss of [0, 0.05, 0.1, 0.2, 0.3]) for (const duplication of [0, 0.3]) for (const reordering of [0, 0.3]) for (const [delayMs, jitterMs] of [[5,1],[50,40],[150,100],[450,30]] as const) for (const corruption of [0,0.05]) for (const forgery of [0,0.5]) {
 const t = simulate({ loss, duplication, reordering, delayMs, jitterMs, corruption, forgery, spoofing: forgery }, 2000, 11 + all); all++
 if (t.untrue) { bad += t.untrue; console.log(t.untrue, JSON.stringify({ loss, duplication, reordering, delayMs, corruption, forgery })) } }
console.log(all, bad)
