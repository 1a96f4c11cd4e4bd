import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { renderReport } from '../../src/divergence/create-report.ts'
import { replay } from '../../src/replay/replay.ts'
import { recordRun } from '../support/record-run.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

// A client of a package that calls through a queue hides the agent's line from V8. The line that waits for its answer is still known.

const shop = await listen(async (request, response) => void request.resume().on('end', () => response.end('{}')))
const directory = await createTemporaryDirectory()
afterAll(async () => {
  await shop.close()
  await directory[Symbol.asyncDispose]()
})

const client = await directory.write(
  'node_modules/client/index.mjs',
  `export const ask = (url, body) => new Promise((resolve, reject) => {
  const send = () => fetch(url, { method: 'POST', body }).then((response) => response.text())
  void Promise.resolve().then(() => send().then(resolve, reject))
})
`,
)
const { ask: asks } = (await import(pathToFileURL(client).href)) as { ask: (url: string, body: string) => Promise<string> }
const ask = (body: string): Promise<string> => asks(shop.url, body)

/** The line of this file with a remark. */
const lineOf = (remark: string): number =>
  readFileSync(import.meta.filename, 'utf8')
    .split('\n')
    .findIndex((line) => line.endsWith(`// ${remark}`)) + 1

async function both(): Promise<void> {
  await ask('first')
  await ask('second')
  await ask('third')
}

it('names the line that the agent went on with for a missing call, and the call', async () => {
  const { trace } = await recordRun(both)
  const run = await replay(trace, async () => {
    await ask('first')
    await ask('third') // goes on
  })
  expect(run.divergences[0]).toMatchObject({ cause: 'missing-call', step: 2, instead: 3, site: { line: lineOf('goes on') } })
  expect(renderReport(run, { color: false, width: 200 })).toContain(
    `received  no such call: it went on with step 3, POST ${shop.url}/ "third"\n`,
  )
})

it('names the line of calls that are no longer made one after the other', async () => {
  const { trace } = await recordRun(both)
  const run = await replay(trace, async () => {
    await Promise.all([ask('first'), ask('second')]) // at once
    await ask('third')
  })
  expect(run.divergences[0]).toMatchObject({ cause: 'order', step: 2, site: { line: lineOf('at once') } })
})

it('names no line of another branch, and none where nothing follows', async () => {
  const { trace } = await recordRun(both)
  const run = await replay(trace, async () => await ask('first'))
  expect(run.divergences[0]).toMatchObject({ cause: 'missing-call', step: 2 })
  expect(run.divergences[0]).not.toHaveProperty('site')
})
