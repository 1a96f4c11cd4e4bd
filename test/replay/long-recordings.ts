import { setImmediate as turn } from 'node:timers/promises'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import { createRecorder } from '../../src/record/recorder.ts'
import { inSlices } from '../../src/node/in-slices.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import { readTraceText } from '../../src/replay/traces/read-trace-text.ts'
import { external } from '../../src/run/external.ts'
import { readingLog, readLog } from '../../src/stores/event-log/read-log.ts'
import { createRandom } from '../support/random.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

/** How often others have their turn while something is waited for. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0
  const over = new AbortController()
  const counting = (async () => {
    while (!over.signal.aborted) {
      await turn()
      turns += 1
    }
  })()
  await work.finally(() => over.abort())
  await counting
  return turns
}

/** Reads a recording of so many long pages, and expects others to have their turn meanwhile. */
export async function expectTurns(pages: number): Promise<void> {
  await using directory = await createTemporaryDirectory()
  const random = createRandom('long recordings')
  const store = directory.resolve('runs')
  const recorder = createRecorder({ store })
  const look = external(
    'look',
    async (page: number) => `${page} ${Array.from({ length: 60_000 }, () => random.whole(0, 1e9).toString(36)).join(' ')}`,
  )
  await recorder.run({ agent: 'reader', input: undefined }, async () => {
    for (let page = 0; page < pages; page += 1) {
      await look(page)
      await recorder.flush()
    }
  })
  await recorder.close()
  const [name = ''] = readdirSync(store).filter((each) => each !== 'index')
  const file = path.join(store, name)
  const bytes = readFileSync(file)
  const text = readLog(bytes, name)
  expect(text.length).toBeGreaterThan(pages * 375_000)
  const slices = Math.floor(text.length / 1_000_000)
  // A slice for each million characters, of those that are decompressed and of those that are read; one row may be longer.
  expect(await turnsDuring(inSlices(readingLog(bytes, name)))).toBeGreaterThan(slices / 2)
  expect(await turnsDuring(readTraceText(text, name))).toBeGreaterThan(slices / 2)
  expect((await readTrace(file)).steps).toHaveLength(pages)
}
