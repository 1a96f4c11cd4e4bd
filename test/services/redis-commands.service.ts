import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createRedisStore } from '../../src/stores/redis.ts'
import { recordCancel, recordRefundTwice } from '../support/recordings.ts'
import { type CommandResult, runCommand } from '../support/run-command.ts'
import { type Service, startRedis } from '../support/services.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

let server: Service
beforeAll(async () => {
  server = await startRedis()
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
})

it('lists, shows, views, promotes, compares, counts, flags and removes recordings in Redis', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  // Redis takes any password of the user "default" that has none.
  const url = `redis://default:hunter2@127.0.0.1:${server.port}`
  const masked = `redis://default:***@127.0.0.1:${server.port}`
  const cancel = await recordCancel(url)
  const refund = await recordRefundTwice(url)
  const outputs: CommandResult[] = []
  const run = async (...args: readonly string[]): Promise<string> => {
    const result = await runCommand(project.path, [...args, '--store', url])
    outputs.push(result)
    // Two runs that differ have the status 1.
    const status = args[0] === 'diff' ? 1 : 0
    expect(result, args.join(' ')).toMatchObject({ status })
    return result.stdout
  }
  expect(await run('list')).toMatch(new RegExp(`Recordings in ${masked.replaceAll(/[*?]/g, '\\$&')}[^]*${refund}[^]*${cancel}`))
  expect(JSON.parse(await run('list', '--tag', 'user=42', '--json'))).toMatchObject({ recordings: [{ id: cancel }] })
  expect(await run('show', 'latest')).toContain(refund)
  expect(await run('show', 'latest~1')).toContain(cancel)
  expect(await run('show', cancel, '--step', '1')).toContain('get_order')
  await run('view', cancel, '--out', 'run.html', '--no-open')
  expect(readFileSync('run.html', 'utf8')).not.toContain('hunter2')
  await run('promote', cancel, '--name', 'cancel', '--yes')
  const golden = readFileSync('golden-traces/cancel.jsonl', 'utf8')
  expect(golden).toContain(`"promotedFrom":"${cancel}"`)
  expect(golden).not.toContain('hunter2')
  expect(await run('diff', cancel, refund)).not.toBe('')
  const stats = JSON.parse(await run('stats', '--json')) as { readonly runs: number; readonly bytes: number }
  expect([stats.runs, stats.bytes > 1000]).toEqual([2, true])
  await run('flag', refund, 'the customer wrote')
  expect(JSON.parse(await run('list', '--json'))).toMatchObject({
    recordings: [{ id: refund, flags: expect.arrayContaining(['the customer wrote']) }, { id: cancel }],
  })
  expect(JSON.parse(await run('gc', '--promoted', '0ms', '--flagged', 'forever', '--delete', '--json'))).toMatchObject({
    removed: true,
    recordings: [{ id: cancel }],
  })
  const store = createRedisStore(url)
  expect(await store.list()).toEqual([refund])
  store.close()
  for (const { stdout, stderr } of outputs) expect(stdout + stderr).not.toContain('hunter2')
})
