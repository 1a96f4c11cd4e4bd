import { expect, it, vi } from 'vitest'
import { describeTrace, titleOf } from '../../src/goldens/described-golden.ts'
import { promote } from '../../src/goldens/promote.ts'
import { createReport } from '../../src/divergence/create-report.ts'
import { toMarkdown } from '../../src/divergence/report/markdown.ts'
import { groupReports } from '../../src/divergence/report/group-reports.ts'
import { groupsToMarkdown, groupsToTerminal } from '../../src/divergence/report/print-groups.ts'
import { runnerMatchers } from '../../src/matchers/runner-matchers.ts'
import type { MatchResult } from '../../src/matchers/matcher-types.ts'
import type { RunnerState } from '../../src/matchers/runner-matchers.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import { replay } from '../../src/replay/replay.ts'
import type { ReplayedRun } from '../../src/replay/contract/replayed-run.ts'
import { checkpoint } from '../../src/run/checkpoint.ts'
import { say, warn } from '../../src/run/tell.ts'
import { tool } from '../../src/run/tool.ts'
import { gatherResults } from '../../src/goldens/results/gather.ts'
import { rebaseLines } from '../../src/goldens/results/report-goldens.ts'
import { record } from '../support/recordings.ts'
import { runCommand } from '../support/run-command.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

const store = '.goldenrun/runs'

/** What a name may hold that drives a terminal or a runner, or reads otherwise than it is. */
const hostile = (name: string): string =>
  `${name}\u001b[2J\u0007\u009b8m\u202e\u200b\n::error::${name}\r\n  ::add-mask::a\n##[group]${name}\n##vso[task.complete]`

const agent =
  (change = '') =>
  async (input: string): Promise<string> => {
    const read = tool(hostile('read'), {}, (args: unknown) => args)
    const order = await read({ [hostile('field')]: hostile('value') })
    checkpoint(hostile('checkpoint'), { [hostile('state')]: change })
    await read({ [hostile('field')]: hostile(`value ${change}`) })
    if (change === 'other') tool(hostile('other'), {}, () => null)()
    if (change !== 'throws') return JSON.stringify([input, order, change])
    const error = new Error(hostile('message'))
    error.name = hostile('TypeError')
    throw error
  }

/** No part of a name may drive anything, and no line of ours begins with a command. */
function expectHarmless(text: string): void {
  expect(text).not.toBe('')
  // oxlint-disable-next-line no-control-regex -- that is what is looked for
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u202e]/)
  expect(text).not.toMatch(/^\s*::/m)
  expect(text).not.toMatch(/##(?:\[|vso\[)/)
}

/** The same of what is printed by a printer that knows where its lines end: what a name holds begins none of them. */
function expectOwnLines(text: string): void {
  expectHarmless(text)
  for (const line of text.split('\n')) expect(line).not.toMatch(/^\s*(?:\\u003a:|\\u0023#)/)
}

const state: RunnerState = {
  equals: (a, b) => JSON.stringify(a) === JSON.stringify(b),
  utils: {
    iterableEquality: () => undefined,
    subsetEquality: () => undefined,
    RECEIVED_COLOR: (text) => text,
    diff: (expected, received) => `- ${JSON.stringify(expected)}\n+ ${JSON.stringify(received)}`,
  },
}

async function replayChanged(project: string, change: string): Promise<ReplayedRun> {
  const trace = await readTrace(`${project}/golden-traces/evil.jsonl`)
  return await replay(trace, agent(change))
}

async function recordGolden(): Promise<{ readonly id: string }> {
  const id = await record(store, { agent: hostile('agent'), input: hostile('input'), tags: { [hostile('tag')]: hostile('tag') } }, agent())
  await promote(await readTrace(id, { store }), { name: 'evil', description: hostile('about'), expectedOutcome: hostile('outcome') })
  return { id }
}

it.each(['changed', 'other', 'throws'])('prints reports of runs with hostile names harmlessly: %s', async (change) => {
  await using project = await createTemporaryDirectory()
  project.enter()
  await recordGolden()
  const run = await replayChanged(project.path, change)
  const golden = { ...describeTrace(run.trace, ''), name: hostile('golden') }
  const renamed = { ...run, trace: { ...run.trace, header: { ...run.trace.header, golden } } }
  expect(run.divergences).not.toHaveLength(0)
  const report = createReport(renamed)
  const groups = groupReports([report, { ...report, subject: { ...report.subject, name: hostile('another') } }])
  expect(groups).toHaveLength(1)
  expectOwnLines(groupsToTerminal(groups, { color: false, width: 4000 }))
  expectOwnLines(groupsToTerminal(groups, { color: false, width: 80 }))
  expectOwnLines(groupsToMarkdown(groups))
  expectOwnLines(toMarkdown(report))
  expectOwnLines(titleOf(golden))
})

it('prints what matchers say of hostile names harmlessly', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  await recordGolden()
  const run = await replayChanged(project.path, 'other')
  const results: (MatchResult | Promise<MatchResult>)[] = [
    runnerMatchers.toReplayWithoutDivergence.call(state, run),
    runnerMatchers.toHaveCalledTool.call(state, run, 'nothing'),
    runnerMatchers.toHaveCalledTools.call(state, run, [hostile('wanted')]),
    runnerMatchers.toHaveReachedCheckpoint.call(state, run, hostile('wanted')),
    runnerMatchers.toHaveOutcome.call(state, run, { status: 'threw' }),
    runnerMatchers.toStayWithin.call(state, run, { steps: 0 }),
    runnerMatchers.toMatchCheckpoints.call(state, run),
  ]
  const failed = (await Promise.all(results.map(async (result) => await result))).filter(({ pass }) => !pass)
  expect(failed.length).toBeGreaterThan(4)
  for (const { message } of failed) expectHarmless(message())
})

it('prints hostile names harmlessly in every command', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const { id } = await recordGolden()
  const other = await record(store, { agent: hostile('agent'), input: 'b' }, agent('other'))
  const commands = [
    ['list'],
    ['list', '--json'],
    ['show', id],
    ['show', id, '--full'],
    ['show', id, '--json'],
    ['show', 'evil'],
    ['diff', id, other],
    ['diff', id, other, '--json'],
    ['diff', id, other, '--markdown'],
    ['stats'],
    ['flag', id, hostile('reason')],
    ['promote', id, '--name', 'again'],
    ['check'],
    ['replay', 'evil'],
    ['gc', '--keep-days', '1'],
    ['show', hostile('no such run')],
    ['list', '--agent', hostile('nobody')],
  ]
  const shown: string[] = []
  for (const args of commands) {
    const { stdout, stderr } = await runCommand(project.path, args)
    expectHarmless(`${args[0]}\n${stdout}${stderr}`)
    shown.push(stdout)
  }
  // What names hold is shown, by all but those that name a run by its id.
  expect(shown.filter((text) => text.includes(String.raw`\u001b[2J`)).length).toBeGreaterThan(8)
})

it('prints what a rebase takes over harmlessly', () => {
  const change = { key: '1', of: hostile('read'), path: hostile('field'), expected: hostile('a'), received: hostile('b') }
  const result = { name: hostile('golden'), file: 'golden-traces/a.jsonl', status: 'rebased' as const }
  const rebase = (key: string) => ({ file: 'a', rebased: 'b', key, changes: [change] })
  const lines = rebaseLines(
    gatherResults([
      { ...result, rebase: rebase('one') },
      { ...result, file: 'b', refusal: { reason: hostile('reason'), command: hostile('command') } },
      { ...result, file: 'c', test: hostile('test'), rebase: rebase('one') },
      { ...result, file: 'c', test: hostile('other'), rebase: rebase('other') },
    ]),
  )
  expect(lines.join('\n')).toContain('would accept')
  // oxlint-disable-next-line no-control-regex -- the runner's own colours
  expectOwnLines(lines.join('\n').replaceAll(/\u001b\[\d+m/g, ''))
})

it('warns of hostile names harmlessly', async () => {
  const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
  const written = vi.spyOn(process.stderr, 'write').mockImplementation(() => true)
  warn(hostile('agent'))
  say(hostile('line'))
  const texts = [...warned.mock.calls.map(([text]) => String(text)), ...written.mock.calls.map(([text]) => String(text))]
  vi.restoreAllMocks()
  expect(texts).toHaveLength(2)
  for (const text of texts) expectHarmless(text)
})
