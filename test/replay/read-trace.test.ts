import { copyFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { promote } from '../../src/goldens/promote.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import { createDirectoryStore } from '../../src/stores/directory-store.ts'
import { readRecording } from '../support/read-recording.ts'
import { recordCancel, recordRefundTwice, ticket } from '../support/recordings.ts'
import { createTemporaryDirectory, type TemporaryDirectory } from '../support/temporary-directory.ts'

const store = '.goldenrun/runs'

it('reads a recording by its id, and by the beginning of it', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const id = await recordCancel(store)

  const trace = await readTrace(id)
  expect(trace.header.id).toBe(id)
  expect(trace.steps.map(({ name }) => name)).toEqual(['get_order', 'cancel_order'])
  expect(trace.end?.output).toEqual({ reply: 'Your order is cancelled.' })
  expect((await readTrace(id.slice(0, -2))).hash).toBe(trace.hash)
})

it('reads a recording of another store, given as a directory or as a store', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const id = await recordCancel('elsewhere')

  expect((await readTrace(id, { store: 'elsewhere' })).header.id).toBe(id)
  expect((await readTrace(id, { store: createDirectoryStore('elsewhere') })).header.id).toBe(id)
  await expect(readTrace(id)).rejects.toThrow(expect.objectContaining({ code: 'GOLDENRUN_TRACE_NOT_FOUND' }))
})

it('reads a golden by its name, from a folder below the project, and by its path', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  await promote(await readTrace(await recordCancel(store)), { name: 'support/cancel-unshipped' })
  await project.write('src/deep/agent.ts', '')

  for (const [directory, wanted] of [
    ['.', 'cancel-unshipped'],
    ['.', 'support/cancel-unshipped'],
    ['.', 'golden-traces/support/cancel-unshipped.jsonl'],
    ['src/deep', 'cancel-unshipped'],
    ['src/deep', project.resolve('golden-traces/support/cancel-unshipped.jsonl')],
  ] as const) {
    process.chdir(project.resolve(directory))
    expect((await readTrace(wanted)).header.golden?.name, `${wanted} in ${directory}`).toBe('support/cancel-unshipped')
  }
})

it('takes a golden before a recording whose id begins like its name', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const id = await recordCancel(store)
  await promote(await readTrace(id), { name: id.slice(0, 8) })
  expect((await readTrace(id.slice(0, 8))).header.golden?.name).toBe(id.slice(0, 8))
  expect((await readTrace(id)).header.golden).toBeUndefined()
})

it('names the nearest where there is no trace of a name', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const trace = await readTrace(await recordCancel(store))
  for (const name of ['cancel-unshipped', 'refund-thrice', 'refund-twice', 'lost']) await promote(trace, { name })

  await expect(readTrace('refnud-twice')).rejects.toThrow(
    expect.objectContaining({
      code: 'GOLDENRUN_TRACE_NOT_FOUND',
      wanted: 'refnud-twice',
      nearest: ['refund-twice', 'refund-thrice', 'lost'],
      message:
        'There is no golden trace "refnud-twice" in golden-traces, and no recording with that id in .goldenrun/runs. ' +
        'The nearest: refund-twice, refund-thrice, lost. To see all traces: npx goldenrun list',
    }),
  )
})

it('says what to do where there is no trace at all', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  await expect(readTrace('refund-twice')).rejects.toThrow(
    expect.objectContaining({
      code: 'GOLDENRUN_TRACE_NOT_FOUND',
      message:
        'There is no golden trace "refund-twice" in golden-traces, and no recording with that id in .goldenrun/runs. ' +
        'Both are empty: record a run of your agent with createRecorder, then promote it: npx goldenrun promote latest --name <name>',
    }),
  )
})

it('names the nearest files for a missing path', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  await promote(await readTrace(await recordCancel(store)), { name: 'cancel' })

  await expect(readTrace('golden-traces/cancle.jsonl')).rejects.toThrow(
    expect.objectContaining({
      code: 'GOLDENRUN_TRACE_NOT_FOUND',
      message:
        'There is no file golden-traces/cancle.jsonl. The nearest: golden-traces/cancel.jsonl. To see all traces: npx goldenrun list',
    }),
  )
  await expect(readTrace('cancel.jsonl')).rejects.toMatchObject({ nearest: ['golden-traces/cancel.jsonl'] })
  await project.write('elsewhere/a.jsonl', '')
  await expect(readTrace('elsewhere/b.jsonl')).rejects.toMatchObject({ nearest: ['elsewhere/a.jsonl', 'golden-traces/cancel.jsonl'] })
})

it('refuses a beginning that several ids share, and a name that stands in several folders', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const ids = [await recordCancel(store), await recordCancel(store)].toSorted()
  const trace = await readTrace(ids[0] ?? '')
  await promote(trace, { name: 'a/cancel' })
  await promote(trace, { name: 'b/cancel' })

  await expect(readTrace('2')).rejects.toThrow(
    expect.objectContaining({
      code: 'GOLDENRUN_TRACE_AMBIGUOUS',
      candidates: ids,
      message: `"2" may mean 2 recordings in .goldenrun/runs: ${ids.join(', ')}. Write out the one you mean.`,
    }),
  )
  await expect(readTrace('cancel')).rejects.toThrow(
    expect.objectContaining({
      code: 'GOLDENRUN_TRACE_AMBIGUOUS',
      message: '"cancel" may mean 2 golden traces: a/cancel, b/cancel. Write out the one you mean.',
    }),
  )
})

it('does not leave the store for an id that is a path', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const id = await recordCancel(store)
  await copyFile(`${store}/${id}.runlog`, 'outside.runlog')
  await expect(readTrace('../../outside')).rejects.toThrow(expect.objectContaining({ code: 'GOLDENRUN_TRACE_NOT_FOUND' }))
})

it('refuses an empty file', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  await project.write('golden-traces/empty.jsonl', '')
  await expect(readTrace('empty')).rejects.toThrow(
    expect.objectContaining({
      code: 'GOLDENRUN_TRACE_FORMAT',
      file: 'golden-traces/empty.jsonl',
      message: expect.stringMatching(/^golden-traces\/empty\.jsonl: the file is empty and has no run row\. /),
    }),
  )
})

it('refuses a trace of a newer format by name of version', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const file = await promoteCancel(project)
  await project.write('golden-traces/cancel.jsonl', file.replace(/"format":\d/, '"format":4'))
  await expect(readTrace('cancel')).rejects.toThrow(
    expect.objectContaining({
      code: 'GOLDENRUN_TRACE_VERSION',
      message:
        'golden-traces/cancel.jsonl was written in trace format 4; this goldenrun (0.1.0) reads up to 3. ' +
        'Update goldenrun: npm install --save-dev goldenrun@latest',
    }),
  )
})

it('reads a recording up to its torn last line, and refuses a torn golden', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const withoutClosed = (text: string): string => text.replace(/\{"kind":"closed".*\n$/, '')
  const golden = withoutClosed(await promoteCancel(project))
  const [name] = await createDirectoryStore(store).list()
  const recording = withoutClosed((await readRecording(store, name)).text)
  await project.write(`${store}/torn.jsonl`, recording.slice(0, -20))
  await project.write('golden-traces/torn-golden.jsonl', golden.slice(0, -20))

  const torn = await readTrace('torn')
  const line = recording.trimEnd().split('\n').length
  expect(torn.end).toBeUndefined()
  expect(torn.rows.at(-1)).toMatchObject({ kind: 'note', what: 'torn-tail', where: `line ${line}` })
  await expect(readTrace('torn-golden')).rejects.toThrow(
    expect.objectContaining({
      code: 'GOLDENRUN_TRACE_FORMAT',
      file: 'golden-traces/torn-golden.jsonl',
      line: golden.trimEnd().split('\n').length,
    }),
  )
})

it('reads a golden whose line breaks version control has changed', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const golden = await promoteCancel(project)
  const { hash } = await readTrace('cancel')
  await project.write('golden-traces/cancel.jsonl', `\uFEFF${golden.replaceAll('\n', '\r\n')}`)
  expect((await readTrace('cancel')).hash).toBe(hash)
})

it('reads what a recording redacted as stand-ins', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const { header } = await readTrace(await recordRefundTwice(store))
  expect(ticket).toContain('sk-proj-a1b2c3d4e5f6g7h8i9j0k1l2')
  expect(header.input).toEqual({ ticket: 'Where is ord_1? My key is sk-proj-w9t9h9l9a0a0a0a0a0a0a0a1.' })
})

async function promoteCancel(project: TemporaryDirectory): Promise<string> {
  await promote(await readTrace(await recordCancel(store)), { name: 'cancel' })
  return project.read('golden-traces/cancel.jsonl')
}
