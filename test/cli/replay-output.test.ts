import { expect, it } from 'vitest'
import { toOutput } from '../../src/cli/replay-output.ts'
import type { TraceResult } from '../../src/cli/trace-result.ts'
import pc from 'picocolors'

const held = (name: string, step: number): TraceResult => ({
  name,
  status: 'held',
  credentials: [{ step, at: 'authorization', why: 'unknown-origin' }],
})

it('says once what several traces held without proof', () => {
  const { status, text, markdown, json } = toOutput([held('first', 1), held('second', 1), { name: 'third', status: 'held' }], {
    colors: pc.createColors(false),
    width: 120,
  })
  const note =
    'Held first, second. Note: authorization of step 1: the credential was not compared, because it is in no environment variable, on one side or on both.'
  expect(status).toBe(0)
  expect(text).toBe(`${note}\n\n3 traces replayed: 3 held.`)
  expect(markdown).toContain(note)
  expect(json).toMatchObject({
    traces: [{ name: 'first', credentials: [{ step: 1, at: 'authorization', why: 'unknown-origin' }] }, {}, {}],
  })
})
