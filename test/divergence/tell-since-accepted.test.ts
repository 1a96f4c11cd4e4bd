import { expect, it } from 'vitest'
import { formatRows, parseRows } from '../../src/replay/traces/accepted/accepted-rows.ts'
import { isUnchanged, tellSinceAccepted } from '../../src/divergence/report/tell-since-accepted.ts'

const nothing = { files: [], versions: [], notCompared: [] }

it('says what has changed of an agent, and what was not compared', () => {
  const openai = { name: 'openai', from: '5.2.0', to: '5.3.0' }
  const node = { name: 'Node', from: '24.20.0', to: '24.21.0' }
  expect(tellSinceAccepted(nothing, true)).toBe(
    'The code, files and packages of the agent have not changed since this golden was accepted.',
  )
  expect(tellSinceAccepted({ ...nothing, notCompared: ['.env'] }, true)).toBe(
    'The code, files and packages of the agent have not changed since this golden was accepted, apart from .env, which is not compared.',
  )
  expect(tellSinceAccepted({ ...nothing, versions: [openai, node] }, true)).toBe(
    "openai 5.2.0 → 5.3.0, Node 24.20.0 → 24.21.0; the agent's code did not change.",
  )
  expect(tellSinceAccepted({ ...nothing, versions: [{ ...openai, to: '' }] }, true)).toBe(
    "openai 5.2.0 is no longer installed; the agent's code did not change.",
  )
  expect(tellSinceAccepted({ ...nothing, files: ['a.ts', 'b.ts', 'c.md'], versions: [openai, node] }, true)).toBe(
    'Changed since this golden was accepted: a.ts, b.ts, c.md and 2 more.',
  )
  expect(tellSinceAccepted(nothing, false)).toBe(
    "The code, files and packages of goldenrun.config.ts's agent have not changed since this golden was accepted. The test's own code is not compared.",
  )
  expect([isUnchanged(nothing), isUnchanged({ ...nothing, files: ['a.ts'] }), isUnchanged(undefined)]).toEqual([true, false, false])
})

it('reads rows of both sides of a merge conflict, and writes them sorted, each once', () => {
  const row = { kind: 'module', name: 'src/a.ts', value: '0123456789abcdef' } as const
  const other = { kind: 'golden', name: 'golden-traces/b c.jsonl', value: 'fedcba9876543210' } as const
  const text = formatRows('chat', [row, other, row])
  expect(text.split('\n').slice(-3)).toEqual([
    'golden\tgolden-traces/b c.jsonl\tfedcba9876543210',
    'module\tsrc/a.ts\t0123456789abcdef',
    '',
  ])
  expect(parseRows(text.replaceAll('\n', '\r\n'))).toEqual([other, row])
  expect(parseRows(`<<<<<<< ours\n${text}=======\nmodule\tsrc/b.ts\t1\n>>>>>>> theirs\nunknown\ta\tb\nmodule\ta\tb\tc\n`)).toEqual([
    other,
    row,
    { kind: 'module', name: 'src/b.ts', value: '1' },
  ])
})
