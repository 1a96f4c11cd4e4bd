import { expect, it } from 'vitest'
import { digest } from '../../src/replay/traces/digest.ts'
import { promote } from '../../src/goldens/promote.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import { replay } from '../../src/replay/replay.ts'
import { checkpoint } from '../../src/run/checkpoint.ts'
import { tool } from '../../src/run/tool.ts'
import { decodeTrace } from '../../src/trace/read.ts'
import { matchGoldens } from '../../src/stores/golden-pattern.ts'
import { isGolden } from '../../src/stores/golden-directory.ts'
import { recordRun } from '../support/record-run.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

const read = tool('read_file', { effect: 'read' }, async (file: string) => ({ file, folder: 'C:\\orders\\' }))

async function agent(): Promise<string> {
  const { folder } = await read(String.raw`C:\orders\new\1.json`)
  checkpoint(String.raw`read\file`, { folder, line: 'a\\nb' })
  return String.raw`\\server\share\done`
}

const { trace, text } = await recordRun(agent)

it('finds goldens by names and paths that were joined with backslashes', async () => {
  await using project = await createTemporaryDirectory()
  await project.write(
    'golden-traces/support/done.jsonl',
    (await promote(trace, { name: 'support/done', directory: project.resolve('golden-traces') })).text,
  )
  project.enter()
  for (const wanted of [
    String.raw`support\done`,
    'support/done',
    'done',
    String.raw`golden-traces\support\done.jsonl`,
    String.raw`.\golden-traces\support\done.jsonl`,
  ]) {
    expect((await readTrace(wanted)).header.golden?.name).toBe('support/done')
  }
  await expect(readTrace(String.raw`support\gone`)).rejects.toThrow(String.raw`There is no golden trace "support\gone" in golden-traces`)
})

it('replays a run whose arguments, checkpoints and output are paths of Windows', async () => {
  const run = await replay(trace, agent)
  expect(run.divergences).toEqual([])
  expect(run.outcome).toEqual({ status: 'returned', output: String.raw`\\server\share\done` })
  expect(run.checkpoints[0]).toMatchObject({ name: String.raw`read\file`, state: { folder: 'C:\\orders\\', line: 'a\\nb' } })
})

it('reads a trace that was checked out with carriage returns, and call sites of Windows in its notes', async () => {
  const [header = '', ...rows] = text.trimEnd().split('\n')
  const note = JSON.stringify({ kind: 'note', what: 'unrecorded-contact', where: String.raw`db:5432 at C:\app\src\agent.ts:3:1`, at: 1 })
  const checkedOut = decodeTrace([header, note, ...rows, ''].join('\r\n'), 'windows.jsonl', digest)
  expect(checkedOut.hash).toBe(trace.hash)
  expect(checkedOut.rows[1]).toMatchObject({ where: String.raw`db:5432 at C:\app\src\agent.ts:3:1` })
  expect((await replay(checkedOut, agent)).divergences).toEqual([])
})

it('knows the files of goldens whatever their separators', () => {
  expect(isGolden(String.raw`C:\app\golden-traces\support\done.jsonl`)).toBe(true)
  expect(isGolden('C:/app/golden-traces/done.jsonl')).toBe(true)
  expect(isGolden(String.raw`C:\app\traces\done.jsonl`)).toBe(false)
})

it('takes patterns with backslashes for folders', async () => {
  const names = ['support/refund', 'support/deep/refund', 'refund']
  expect(await matchGoldens(String.raw`support\re*`, names)).toEqual(['support/refund'])
})
