import { expect, it } from 'vitest'
import { digest } from '../../src/replay/traces/digest.ts'
import { decodeTrace } from '../../src/trace/read.ts'
import { recordRun } from '../support/record-run.ts'

const { trace } = await recordRun(() => 'done', { input: 'hello' })

it.each([
  ['a path that cannot be read', { path: 'customer..name' }, 'redaction.own[0].path', 'a path such as customer.name'],
  ['no path at all', { path: '' }, 'redaction.own[0].path', 'a path such as customer.name'],
  ['a pattern that is none', { pattern: '(' }, 'redaction.own[0].pattern', 'a regular expression'],
])('refuses a trace whose rules hold %s', (_what, rule, field, wanted) => {
  const header = { ...trace.header, redaction: { ...trace.header.redaction, own: [{ name: 'own', ...rule }] } }
  expect(() => decodeTrace(`${JSON.stringify(header)}\n`, 'edited.jsonl', digest)).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(new RegExp(`^edited\\.jsonl:1: .*${field.replaceAll(/[.[\]]/g, String.raw`\$&`)}.*${wanted}`)),
    }),
  )
})
