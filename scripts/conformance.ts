/**
 * Tries every HTTP client with every behaviour of HTTP on several versions of Node, and writes what came of it to `docs/conformance.md`:
 * `npm run conformance`. The versions come from the npm package `node`. Fails when a cell is neither green nor explained.
 */
import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { doors } from '../test/conformance/doors.ts'
import { explanations } from '../test/conformance/explanations.ts'
import { type TrialResult, unexplained, writePage } from '../test/conformance/page.ts'
import { runTrial, type Time } from '../test/conformance/trial.ts'
import { locateNode } from './locate-node.ts'

const nodes = [22, 24, 26].map(locateNode)
const times: readonly Time[] = ['early', 'late']
const trials = nodes.flatMap((node) => Object.keys(doors).flatMap((door) => times.map((time) => ({ node, door, time }))))

const results: TrialResult[] = Array.from({ length: trials.length })
const queue = [...trials.entries()]
await Promise.all(Array.from({ length: availableParallelism() }, work))

writeFileSync(new URL('../docs/conformance.md', import.meta.url), writePage(results, explanations))
const red = unexplained(results, explanations)
for (const line of red) console.error(line)
console.log(`docs/conformance.md: ${red.length === 0 ? 'every cell is green or explained' : `${red.length} cells are red`}.`)
if (red.length > 0) process.exitCode = 1

/** Takes one trial after the other until there are none left. */
async function work(): Promise<void> {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const [index, { node, door, time }] = next
    const findings = await runTrial({ door, time, extent: 'all' }, node.path)
    results[index] = { door, time, node: node.version, findings }
    const green = findings.filter(({ wrong }) => wrong.length === 0).length
    console.log(`${green}/${findings.length}  ${node.version} ${door}, ${time}`)
  }
}
