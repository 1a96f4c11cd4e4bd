import { expect, it } from 'vitest'
import { ProcessKeeper } from '../../src/record/keep/process-keeper.ts'
import { Places } from '../../src/redaction/places.ts'
import { createRedactor } from '../../src/redaction/redactor.ts'
import type { Row } from '../../src/trace/rows.ts'

it('holds back messages of a WebSocket only while a text arrives in them', () => {
  const rows: Row[] = []
  const keeper = new ProcessKeeper(new Places((row) => rows.push(row)), createRedactor())
  const arrives = (message: object): number => {
    keeper.output({ kind: 'output', step: 1, at: rows.length, stream: 'text' }, Buffer.from(`${JSON.stringify(message)}\n`))
    return rows.length
  }
  const type = 'response.output_text.delta'
  expect(
    [
      { type, delta: 'To ann' },
      { type, delta: '.lee@firm.de' },
    ].map(arrives),
  ).toEqual([0, 0])
  expect([{ type: 'response.output_text.done' }, { type: 'told', text: 'ok' }].map(arrives)).toEqual([3, 4])
  expect([{ type, delta: 'and bob' }].map(arrives)).toEqual([4])
  keeper.end()
  expect(
    rows.flatMap((row) => (row.kind === 'chunk' ? [/"(?:delta|text)":"(?<text>.*)"/.exec(row.text ?? '')?.groups?.['text']] : [])),
  ).toEqual(['To wit', '.hhe@laab.zz', undefined, 'ok', 'and bob'])
})
