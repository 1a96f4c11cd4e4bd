import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { startProvider } from '../../examples/world/provider.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import { slowAgent } from '../boundaries/time/programs/slow-agent.ts'
import { runNode } from '../support/run-command.ts'
import { disposeAfter } from '../support/dispose-after.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'
import type { Program } from './program.ts'

const overloaded = { status: 429, headers: { 'retry-after': '20' } }
const text = Array.from({ length: 20 }, (_, index) => `word${index} `).join('')
const programOf = (name: string): string => fileURLToPath(new URL(`../boundaries/time/programs/${name}`, import.meta.url))

/** A run of eighty seconds, recorded in a process whose clock runs a hundred times as fast. */
export const eightySeconds: Program = {
  about: '80 seconds of retries, a stream, an interval and a race',
  agent: slowAgent,
  async record() {
    const script = [overloaded, overloaded, overloaded, { text, chunks: 20, chunkDelayMs: 10 }]
    return await disposeAfter(await createTemporaryDirectory(), async (directory) =>
      disposeAfter(await startProvider({ script }), async ({ openaiBaseUrl }) => {
        const store = directory.resolve('runs')
        const args = ['--import', programOf('fast-clock.mjs'), programOf('slow-main.ts'), openaiBaseUrl, store]
        const { status, stderr } = await runNode(directory.path, args)
        if (status !== 0) throw new Error(`The run of eighty seconds could not be recorded: ${stderr}`)
        return await readTrace(directory.resolve('runs', readdirSync(store)[0] ?? ''))
      }),
    )
  },
}
