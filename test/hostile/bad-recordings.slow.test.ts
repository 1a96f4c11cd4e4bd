import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { listTraces } from '../../src/replay/traces/list-traces.ts'
import { record, recordCancel } from '../support/recordings.ts'
import { collectWarnings } from '../support/collect-warnings.ts'
import { runCommand } from '../support/run-command.ts'
import { createTemporaryDirectory, type TemporaryDirectory } from '../support/temporary-directory.ts'
import { frameBomb } from './bombs.ts'

const store = '.goldenrun/runs'
const warnings = collectWarnings()

interface BadStore {
  /** A recording that can be read. */
  readonly good: string
  /** Three that cannot be. */
  readonly bad: readonly string[]
}

/** A store with one good recording; one whose frames have changed places, one with a flipped byte, and one that takes 400 MB. */
async function createStore(project: TemporaryDirectory): Promise<BadStore> {
  const [swapped, flipped, large] = [await recordCancel(store), await recordCancel(store), await recordCancel(store)]
  const fileOf = (id: string): string => path.join(project.path, store, `${id}.runlog`)
  const log = readFileSync(fileOf(swapped))
  writeFileSync(fileOf(swapped), Buffer.concat([log.subarray(0, 8), log.subarray(8), log.subarray(8)]))
  const bytes = readFileSync(fileOf(flipped))
  bytes[9] = 255 - (bytes[9] ?? 0)
  writeFileSync(fileOf(flipped), Buffer.concat([bytes, log.subarray(8)]))
  writeFileSync(fileOf(large), await frameBomb(400))
  const good = await record(store, { input: {} }, () => 'done')
  return { good, bad: [swapped, flipped, large] }
}

it.each([
  ['list', ['list']],
  ['stats', ['stats']],
  ['gc', ['gc', '--successful', '7d']],
  ['similar', ['similar', 'latest']],
])('%s names recordings that cannot be read, and goes on with the others', async (_, args) => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const { bad } = await createStore(project)
  const { status, stdout, stderr } = await runCommand(project.path, args)
  expect(status).toBe(0)
  expect(stdout).not.toBe('')
  for (const id of bad) expect(stderr).toContain(`${id}.runlog: `)
  const json = JSON.parse((await runCommand(project.path, [...args, '--json'])).stdout) as { unreadable: readonly { trace: string }[] }
  expect(json.unreadable.map(({ trace }) => trace).toSorted()).toEqual(bad.toSorted())
})

it('listTraces lists the others, and warns of each that cannot be read', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const { good, bad } = await createStore(project)
  expect((await listTraces({ store })).map(({ id }) => id)).toEqual([good])
  await new Promise((resolve) => setImmediate(resolve))
  expect(
    warnings.filter((warning) => warning.startsWith(`goldenrun cannot read the trace "<id>" and left it out: ${store}/<id>.runlog: `)),
  ).toHaveLength(bad.length)
})
