import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'

import { expect, it } from 'vitest'

import { GoldenrunError } from '../../src/trace/errors/goldenrun-error.ts'
import { TraceFormatError } from '../../src/trace/errors/trace-format-error.ts'
import { TraceVersionError } from '../../src/trace/errors/trace-version-error.ts'
import { ValueNotKeptError } from '../../src/trace/errors/value-not-kept-error.ts'
import { GOLDENRUN_VERSION } from '../../src/trace/version.ts'

it('tells its errors from others, also those of another copy of the package', () => {
  const error = new GoldenrunError('GOLDENRUN_TEST', 'a test', { cause: 'why' })
  const copy: unknown = runInNewContext("Object.defineProperty(new Error('a test'), Symbol.for('goldenrun.error'), { value: true })")
  expect(error).toBeInstanceOf(Error)
  expect([error.name, error.code, error.message, error.cause]).toStrictEqual(['GoldenrunError', 'GOLDENRUN_TEST', 'a test', 'why'])
  expect(GoldenrunError.isInstance(error)).toBe(true)
  expect(GoldenrunError.isInstance(copy)).toBe(true)
  expect(GoldenrunError.isInstance(new Error('another'))).toBe(false)
  expect(GoldenrunError.isInstance({ code: 'GOLDENRUN_TEST' })).toBe(false)
  expect(GoldenrunError.isInstance(undefined)).toBe(false)
})

it('tells its classes apart by their codes', () => {
  const format = new TraceFormatError({ problem: 'it is empty' })
  const version = new TraceVersionError('a.jsonl', 2)
  const value = new ValueNotKeptError({ path: '$', reason: 'a stream' })
  expect([format, version, value].map((error) => TraceFormatError.isInstance(error))).toStrictEqual([true, false, false])
  expect([format, version, value].map((error) => TraceVersionError.isInstance(error))).toStrictEqual([false, true, false])
  expect([format, version, value].map((error) => ValueNotKeptError.isInstance(error))).toStrictEqual([false, false, true])
  expect([format, version, value].every((error) => GoldenrunError.isInstance(error))).toBe(true)
  expect([format, version, value].map((error) => [error.name, error.code])).toStrictEqual([
    ['TraceFormatError', 'GOLDENRUN_TRACE_FORMAT'],
    ['TraceVersionError', 'GOLDENRUN_TRACE_VERSION'],
    ['ValueNotKeptError', 'GOLDENRUN_VALUE_NOT_KEPT'],
  ])
})

it('says of a faulty trace what, where and what to do, as far as it is known', () => {
  const problem = 'the row is no good'
  expect(new TraceFormatError({ problem }).message).toBe('the row is no good.')
  expect(new TraceFormatError({ problem, file: 'a.jsonl' }).message).toBe('a.jsonl: the row is no good.')
  expect(new TraceFormatError({ problem, file: 'a.jsonl', line: 3, field: 'at', advice: 'Mend it.' })).toMatchObject({
    message: 'a.jsonl:3: the row is no good. Mend it.',
    problem,
    file: 'a.jsonl',
    line: 3,
    field: 'at',
  })
})

it('names the versions of a trace that is too new', () => {
  expect(new TraceVersionError('golden-traces/x.jsonl', 4)).toMatchObject({
    message:
      'golden-traces/x.jsonl was written in trace format 4; this goldenrun (0.1.0) reads up to 3. ' +
      'Update goldenrun: npm install --save-dev goldenrun@latest',
    file: 'golden-traces/x.jsonl',
    format: 4,
    supported: 3,
  })
})

it('says which value was not kept and why', () => {
  expect(new ValueNotKeptError({ path: '$.order.save', reason: 'a function', where: 'the output of step 4 (get_order)' })).toMatchObject({
    message:
      'The trace does not hold $.order.save of the output of step 4 (get_order): a function cannot be recorded. Return plain data ' +
      "at this boundary and record the run again, or let its function run in the replay (tools: { <name>: 'run' }).",
    path: '$.order.save',
    reason: 'a function',
  })
})

it('knows the version of its package', () => {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  expect(manifest).toHaveProperty('version', GOLDENRUN_VERSION)
})
