import { expect, it } from 'vitest'
import { installDoors } from '../../src/boundaries/doors.ts'
import { AmbientAnswers } from '../../src/record/ambient-answers.ts'
import { checkLimits } from '../../src/record/limits.ts'
import type { RunSink } from '../../src/record/raw/raw-entry.ts'
import { RecordingRun } from '../../src/record/recording-run.ts'
import { createRuleSet } from '../../src/redaction/rule-set.ts'
import { SinkOpener } from '../../src/record/sink-opener.ts'
import { digest } from '../../src/replay/traces/digest.ts'
import { runInScope } from '../../src/run/scope.ts'
import { tool } from '../../src/run/tool.ts'
import { createDirectoryStore, type DirectoryStore } from '../../src/stores/directory-store.ts'
import { decodeTrace } from '../../src/trace/read.ts'
import type { RunRow } from '../../src/trace/run-row.ts'
import { toRecorded } from '../../src/trace/values.ts'
import { readRecording } from '../support/read-recording.ts'
import { recordOnThread } from '../support/record-on-thread.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'
import { agent, expectKeptByThread, look, secret } from './runs-on-thread.ts'

function makeHeader(input: unknown): RunRow {
  return {
    kind: 'run',
    format: 1,
    id: '20260101-000000000-00000000',
    traceId: '0'.repeat(32),
    agent: 'agent',
    agentVersion: secret,
    input,
    startedAt: '2026-01-01T00:00:00.000Z',
    runtime: { node: '24.0.0', goldenrun: '0.1.0', timeZone: 'UTC', locale: 'en-US', env: { KEY: secret } },
    contracts: { models: [], systemPrompts: [], tools: {} },
    fidelity: 'wire',
    redaction: { rules: [], standIns: 0 },
  }
}

/** Hands all over twice. */
function both(first: RunSink, second: RunSink): RunSink {
  return {
    take(entry, body) {
      first.take(entry, body)
      second.take(entry, body)
    },
    announce: (call) => [first.announce(call), second.announce(call)].every(Boolean),
    flush: () => [first.flush(), second.flush()].every(Boolean),
    close: (onClosed) => first.close((failure) => second.close((other) => onClosed(failure ?? other))),
  }
}

it('makes the same rows of a run on its thread as on the agent’s', async () => {
  await using directory = await createTemporaryDirectory()
  const warm = await recordOnThread(directory.resolve('warm'))
  const header = makeHeader({ customer: `Ada, ${secret}` })
  const redact = { rules: [{ name: 'piece', pattern: /piece 1\d/ }], draws: 'stand-in' } as const
  const ruleSet = createRuleSet(redact)
  const limits = { ...checkLimits('test'), sideEffectMilliseconds: 5_000 }
  const opener = (store: DirectoryStore, thread: boolean): SinkOpener =>
    new SinkOpener({ store, directory: store.directory, ruleSet, redact, limits, thread, asks: false, onStoreFailure: () => undefined })
  const inlineStore = createDirectoryStore(directory.resolve('inline'))
  const recorded = { ...header, input: toRecorded(header.input) }
  const threaded = opener(createDirectoryStore(directory.resolve('thread')), true)
  const inline = opener(inlineStore, false)
  const sink = both(threaded.open(recorded), inline.open(recorded))
  const policy = {
    muting: () => 'recorded' as const,
    onMuted: () => undefined,
    ambient: new AmbientAnswers([], () => undefined),
    standsInForDraws: true,
    limits,
    onCut: () => undefined,
  }
  const run = new RecordingRun(header, sink, policy)
  const release = installDoors()
  const output = await runInScope({ run, owner: 0 }, () => agent(header.input))
  run.end({ output })
  const closed = await new Promise((resolve) => sink.close(resolve))
  release()
  expect([closed, run.failure]).toEqual([{ isKept: true }, undefined])
  // That a batch was written is told a moment after that a run in it was.
  await expect.poll(() => threaded.waitingBytes).toBeLessThan(200)
  const [a, b] = [await readRecording(directory.resolve('thread')), await readRecording(directory.resolve('inline'))]
  expect(a.text).toBe(b.text)
  expect(a.text).not.toContain(secret.slice(3))
  const trace = decodeTrace(a.text, a.file, digest)
  expect(trace.hash).toBe(decodeTrace(b.text, b.file, digest).hash)
  expect(trace.steps.length).toBe(11)
  expect(Object.keys(trace.end?.output as object)).toEqual(Object.keys(output as object))
  await inlineStore.flush()
  await threaded.close()
  await warm.close()
})

// More of them: thread.slow.test.ts.
it('replays what the thread kept of six runs at once', async () => {
  await expectKeptByThread(6)
})

it('writes the call of a side effect before it is made', async () => {
  await using directory = await createTemporaryDirectory()
  const recorder = await recordOnThread(directory.resolve('runs'), { limits: { sideEffectMilliseconds: 5_000 } })
  const store = createDirectoryStore(directory.resolve('runs'))
  const peek = tool('peek', { effect: 'write' }, async () => {
    const ids = await store.list()
    const stored = await store.read(ids.at(-1) ?? '')
    return decodeTrace(stored?.text ?? '', 'peek', digest).steps.map(({ name, output }) => [name, output])
  })
  expect(await recorder.run({ agent: 'agent', input: 1 }, () => peek())).toEqual([['peek', undefined]])
  await recorder.close()
})

it('keeps runs on the agent’s thread where a rule is a function, and where it is told to', async () => {
  await using directory = await createTemporaryDirectory()
  for (const options of [{ thread: false }, { redact: { rules: [{ name: 'own', find: () => ['ord_1'] }] } }]) {
    const recorder = await recordOnThread(directory.resolve('runs'), options)
    await recorder.run({ agent: 'agent', input: 1 }, () => look({ id: 'ord_1' }))
    await recorder.flush()
    expect(recorder.stats()).toMatchObject({ recorded: 2, waitingBytes: 0 })
    await recorder.close()
  }
})
