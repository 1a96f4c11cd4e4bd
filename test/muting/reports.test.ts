import { expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { createReport } from '../../src/divergence/create-report.ts'
import { createRecorder } from '../../src/record/recorder.ts'
import { replay } from '../../src/replay/replay.ts'
import { listTraces } from '../../src/replay/traces/list-traces.ts'
import { recordRun } from '../support/record-run.ts'
import { runCommand } from '../support/run-command.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

async function post(url: string, body: string): Promise<string> {
  return await (await fetch(url, { method: 'POST', body })).text()
}

it('proposes to mute what looks like telemetry of an unknown product, and the line does', async () => {
  await using server = await listen(async (_, response) => void response.end('ok'))
  const agent = (batches: number) => async () => {
    for (let batch = 0; batch < batches; batch += 1) await post(`${server.url}/acme/events?key=k`, `batch ${batch}`)
    return 'done'
  }
  const { trace } = await recordRun(agent(2))
  const line = `mute: ['${server.url}/acme/events']`
  for (const batches of [1, 3]) {
    const { advice } = createReport(await replay(trace, agent(batches)))
    expect(advice[0]).toEqual({
      id: 'mute-telemetry',
      words: 'If it is telemetry, leave it out:',
      command: `replay('${trace.header.id}', agent, { ${line} })`,
    })
  }
  const mute = JSON.parse(line.replace('mute: ', '').replaceAll("'", '"')) as string[]
  expect((await replay(trace, agent(3), { mute })).divergences).toEqual([])
})

it('proposes nothing of the kind for a call that does not look so', async () => {
  await using server = await listen(async (_, response) => void response.end('ok'))
  const { trace } = await recordRun(() => 'done')
  for (const path of ['/orders', '/v1/refunds', '/tracker', '/eventually']) {
    const { advice } = createReport(await replay(trace, () => post(`${server.url}${path}`, 'one')))
    expect(advice.filter(({ words }) => words.includes('telemetry'))).toEqual([])
  }
})

it('shows and counts what was left out', async () => {
  await using server = await listen(async (_, response) => void response.end('ok'))
  await using directory = await createTemporaryDirectory()
  const recorder = createRecorder({ store: directory.resolve('runs'), thread: false })
  await recorder.run({ agent: 'support', input: {} }, async () => {
    for (let batch = 0; batch < 3; batch += 1) await post(`${server.url}/api/public/ingestion`, '{"batch":[]}')
    return 'done'
  })
  await recorder.run({ agent: 'support', input: {} }, () => post(`${server.url}/loki/api/v1/push`, '{}'))
  await recorder.run({ agent: 'quiet', input: {} }, () => 'done')
  await recorder.close()
  expect(recorder.stats()).toMatchObject({ recorded: 3, muted: 4 })
  const shown: string[] = []
  const counts: number[] = []
  for (const { id } of await listTraces({ store: directory.resolve('runs') })) {
    const show = ['show', id, '--store', 'runs', '--no-pager']
    shown.push(...(await runCommand(directory.path, show)).stdout.split('\n').filter((line) => line.startsWith('Left out')))
    const { muted } = JSON.parse((await runCommand(directory.path, [...show, '--json'])).stdout) as { readonly muted: number }
    counts.push(muted)
  }
  expect(shown.toSorted()).toEqual(['Left out: 1 request, as telemetry or by mute.', 'Left out: 3 requests, as telemetry or by mute.'])
  expect(counts.toSorted((a, b) => a - b)).toEqual([0, 1, 3])
})

it('answers JSON with JSON in a replay, because clients parse it', async () => {
  const { trace } = await recordRun(() => 'done')
  const run = await replay(trace, async () => {
    const options = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"batch":[]}' }
    const response = await fetch('https://langfuse.example/api/public/ingestion', options)
    return [response.status, await response.json()]
  })
  expect(run.outcome).toEqual({ status: 'returned', output: [200, {}] })
})
