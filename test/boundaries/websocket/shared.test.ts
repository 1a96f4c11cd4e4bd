import { expect, it } from 'vitest'
import { installDoors } from '../../../src/boundaries/doors.ts'
import { replay } from '../../../src/replay/replay.ts'
import { recordRun, startRecorder } from '../../support/record-run.ts'
import { expectClean } from '../../support/replay-clean.ts'
import { watch, type Watched } from './client-events.ts'
import { clients, openGlobal, openWs } from './clients.ts'
import { listen } from './listen.ts'
import { answerById, ask, openBefore, testSharing } from './sharing-cases.ts'

// All clients, again and again: shared.slow.test.ts.
testSharing(1, clients.slice(1, 4))

it('is red at a changed message over a connection that was opened before', async () => {
  const server = await listen(answerById)
  const release = installDoors()
  const shared = await openBefore(openGlobal, server.url)
  const { trace } = await recordRun(() => ask(shared, 'a', 'one'))
  const run = await replay(trace, () => ask(shared, 'a', 'two'))
  expect(run.divergences[0]).toMatchObject({ cause: 'input', step: 1 })
  expect(server.heard).toEqual(['{"id":"a","text":"one"}'])
  release()
  await server.stop()
})

it('keeps a connection of an earlier run, and what is sent outside of runs, out of a trace', async () => {
  const server = await listen(answerById)
  const opened: Watched[] = []
  const first = await recordRun(async () => {
    opened.push(await openBefore(openWs, server.url))
    return 'open'
  })
  const [shared] = opened
  if (shared === undefined) throw new Error('not open')
  const release = installDoors()
  expect(await ask(shared, 'outside', 'mine')).toBe('MINE')
  const { output, trace } = await recordRun(() => ask(shared, 'in', 'yours'))
  expect(output).toBe('YOURS')
  expect(first.trace.steps.length).toBe(1)
  expect(trace.steps.map(({ input }) => input)).toEqual([{ id: 'in', text: 'yours' }])
  await expectClean(trace, () => ask(shared, 'in', 'yours'))
  release()
  await server.stop()
})

it('gives a run that uses the connection of another none of the answers to that one', async () => {
  const server = await listen(answerById)
  const release = installDoors()
  await using recorder = await startRecorder()
  const opened = Promise.withResolvers<Watched>()
  const hasAsked = Promise.withResolvers<void>()
  const [first, second] = await Promise.all([
    recorder.record(async () => {
      const shared = watch(openWs(server.url))
      await shared.next('open')
      opened.resolve(shared)
      const answers = [await ask(shared, 'first-1', 'one'), await ask(shared, 'first-2', 'two')]
      await hasAsked.promise
      return [...answers, await ask(shared, 'first-3', 'three')]
    }),
    recorder.record(async () => {
      const shared = await opened.promise
      const answer = await ask(shared, 'second-1', 'other')
      hasAsked.resolve()
      return [answer, await ask(shared, 'second-2', 'more')]
    }),
  ])
  await server.stop()
  release()
  expect([first.output, second.output]).toEqual([
    ['ONE', 'TWO', 'THREE'],
    ['OTHER', 'MORE'],
  ])
  expect(second.text).toContain('"OTHER"')
  expect(second.text).not.toContain('first-')
})
