import { execFileSync } from 'node:child_process'
import { symlink } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { readTraceFile, readTraceFileNow } from '../../src/stores/read-trace-file.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

it('gives undefined for a file that does not exist', async () => {
  await using project = await createTemporaryDirectory()
  expect(await readTraceFile(project.resolve('a.jsonl'))).toBeUndefined()
  expect(await readTraceFile(project.resolve('package.json/a.jsonl'))).toBeUndefined()
})

it('names the file from the working directory', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  expect(await readTraceFile(await project.write('golden-traces/a.jsonl', '{}\n'))).toEqual({ file: 'golden-traces/a.jsonl', text: '{}\n' })
})

it('refuses a directory', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  await project.write('a.jsonl/b', '')
  await expect(readTraceFile('a.jsonl')).rejects.toThrow(
    expect.objectContaining({ code: 'GOLDENRUN_TRACE_FORMAT', message: 'a.jsonl: this is a directory, not a trace. Name a file in it.' }),
  )
})

it.skipIf(process.platform === 'win32').each([
  ['a device or a socket', (file: string) => symlink('/dev/zero', file)],
  ['a pipe', async (file: string) => void execFileSync('mkfifo', [file])],
])('reads nothing of %s', async (what, make) => {
  await using project = await createTemporaryDirectory()
  project.enter()
  await make(project.resolve('a.jsonl'))
  const failure = {
    code: 'GOLDENRUN_TRACE_FORMAT',
    message: `a.jsonl: this is ${what}, not a trace. Remove it, or the link that leads to it.`,
  }
  await expect(readTraceFile('a.jsonl')).rejects.toThrow(expect.objectContaining(failure))
  expect(() => readTraceFileNow('a.jsonl')).toThrow(expect.objectContaining(failure))
})

it('names the line that is not UTF-8', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  await project.write('a.jsonl', Buffer.concat([Buffer.from('"ä"\n"'), Buffer.from([0xc3]), Buffer.from('"\n"c"\n')]))
  await expect(readTraceFile('a.jsonl')).rejects.toThrow(
    expect.objectContaining({
      code: 'GOLDENRUN_TRACE_FORMAT',
      line: 2,
      message:
        'a.jsonl:2: the line is not UTF-8. The file was edited by hand or damaged: restore it from a backup, or record the run again.',
    }),
  )
})

it('reads a file whose last line was torn within a character', async () => {
  await using project = await createTemporaryDirectory()
  await project.write('a.jsonl', Buffer.concat([Buffer.from('"a"\n"b'), Buffer.from([0xe2, 0x82])]))
  expect((await readTraceFile(project.resolve('a.jsonl')))?.text).toBe('"a"\n"b\uFFFD')
})
