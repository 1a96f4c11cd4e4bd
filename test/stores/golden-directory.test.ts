import { mkdir, readdir, symlink } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { createGoldenDirectory, findGoldenDirectory, lookForGoldensFrom } from '../../src/stores/golden-directory.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

it('keeps goldens in files of their names, in folders where the name has slashes', async () => {
  await using project = await createTemporaryDirectory()
  const goldens = createGoldenDirectory(project.resolve('golden-traces'))

  await goldens.write('refund-twice', 'a\n')
  await goldens.write('support/cancel', 'b\n')

  expect(await goldens.list()).toEqual(['refund-twice', 'support/cancel'])
  expect(goldens.listNow()).toEqual(['refund-twice', 'support/cancel'])
  expect(await project.read('golden-traces/support/cancel.jsonl')).toBe('b\n')
  expect((await goldens.read('support/cancel'))?.text).toBe('b\n')
  expect(await goldens.read('cancel')).toBeUndefined()
})

it('lists nothing where there is no directory', async () => {
  await using project = await createTemporaryDirectory()
  const goldens = createGoldenDirectory(project.resolve('golden-traces'))
  expect([await goldens.list(), goldens.listNow()]).toEqual([[], []])
})

it('lists neither hidden files nor other kinds of files', async () => {
  await using project = await createTemporaryDirectory()
  await project.write('golden-traces/.hidden.jsonl', '')
  await project.write('golden-traces/.folder/a.jsonl', '')
  await project.write('golden-traces/README.md', '')
  await project.write('golden-traces/b.jsonl', '')
  expect(await createGoldenDirectory(project.resolve('golden-traces')).list()).toEqual(['b'])
})

it('finds a golden by its name without the folders, the exact name first', async () => {
  await using project = await createTemporaryDirectory()
  const goldens = createGoldenDirectory(project.resolve('golden-traces'))
  for (const name of ['a/refund', 'b/refund', 'cancel', 'a/cancel']) await goldens.write(name, '\n')

  expect(await goldens.find('refund')).toEqual(['a/refund', 'b/refund'])
  expect(await goldens.find('b/refund')).toEqual(['b/refund'])
  expect(await goldens.find('cancel')).toEqual(['cancel'])
  expect(await goldens.find('fund')).toEqual([])
})

it('refuses to write over a golden, and leaves it as it is', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const goldens = createGoldenDirectory()
  await goldens.write('refund', 'first\n')

  await expect(goldens.write('refund', 'second\n')).rejects.toThrow(
    expect.objectContaining({
      code: 'GOLDENRUN_GOLDEN_EXISTS',
      golden: 'refund',
      message:
        'There is already a golden trace "refund": golden-traces/refund.jsonl. ' +
        'Choose another name, or replace it: --force on the command line, { force: true } in code.',
    }),
  )
  expect(await project.read('golden-traces/refund.jsonl')).toBe('first\n')
  expect(await readdir('golden-traces')).toEqual(['refund.jsonl'])
})

it('replaces a golden when it is told to', async () => {
  await using project = await createTemporaryDirectory()
  const goldens = createGoldenDirectory(project.resolve('golden-traces'))
  await goldens.write('refund', 'first\n')
  await goldens.write('refund', 'second\n', { force: true })
  expect(await project.read('golden-traces/refund.jsonl')).toBe('second\n')
  expect(await readdir(project.resolve('golden-traces'))).toEqual(['refund.jsonl'])
})

it('lets one of two writers of a name win', async () => {
  await using project = await createTemporaryDirectory()
  const goldens = createGoldenDirectory(project.resolve('golden-traces'))
  const texts = Array.from({ length: 20 }, (_, index) => `${index}\n`)

  const results = await Promise.allSettled(texts.map((text) => goldens.write('refund', text)))

  const winners = results.flatMap(({ status }, index) => (status === 'fulfilled' ? [texts[index]] : []))
  expect(winners).toHaveLength(1)
  expect(await project.read('golden-traces/refund.jsonl')).toBe(winners[0])
  expect(await readdir(project.resolve('golden-traces'))).toEqual(['refund.jsonl'])
})

const unseen = 'it contains a character that is not shown, or text that a CI service takes for a command'

it.each<[name: string, problem: string, shown?: string]>([
  ['', 'it is empty'],
  ['../refund', 'it leads out of the folder (..)'],
  ['a/../../refund', 'it leads out of the folder (..)'],
  ['/etc/refund', 'it starts or ends with a slash, or has two in a row'],
  ['refund/', 'it starts or ends with a slash, or has two in a row'],
  ['a//b', 'it starts or ends with a slash, or has two in a row'],
  ['./refund', 'a part of it starts with a dot'],
  ['.refund', 'a part of it starts with a dot'],
  ['refund.', 'a part of it ends with a dot or a space'],
  ['refund.jsonl', 'the ".jsonl" of its file is added automatically, leave it out'],
  ['a\\b', 'it contains "\\\\", which not every file system allows'],
  ['C:refund', 'it contains ":", which not every file system allows'],
  ['a\u0000b', 'it contains "\\u0000", which not every file system allows'],
  ['CON', '"CON" is a device on Windows'],
  ['support/nul.v2', '"nul.v2" is a device on Windows'],
  ['com¹', '"com¹" is a device on Windows'],
  ['lpt9 .a', '"lpt9 .a" is a device on Windows'],
  [' refund', 'a part of it starts with a space'],
  ['support /refund', 'a part of it ends with a dot or a space'],
  ['a\ud800b', 'it contains half a character, which not every file system allows'],
  ['refund\u202e', unseen, String.raw`"refund\u202e"`],
  ['re\u00adfund', unseen, String.raw`"re\u00adfund"`],
  ['##[error]refund', unseen, String.raw`"\u0023#[error]refund"`],
  ['x'.repeat(201), 'a part of it is longer than 200 bytes'],
])('refuses the name %j', (name, problem, shown = JSON.stringify(name)) => {
  expect(() => createGoldenDirectory('/nowhere').fileForNew(name)).toThrow(
    expect.objectContaining({
      code: 'GOLDENRUN_GOLDEN_NAME',
      message:
        `A golden trace cannot be named ${shown}: ${problem}. ` +
        'Its name is the name of its file in golden-traces, such as "refund-twice", or "support/refund-twice" in a folder.',
    }),
  )
})

it('takes names with spaces, dots within and letters of any script', () => {
  const { directory, fileForNew } = createGoldenDirectory('/nowhere')
  for (const name of ['refund twice', 'v1.2', 'Rückgabe', '返金', 'console', 'null', 'com10'])
    expect(fileForNew(name)).toBe(path.join(directory, `${name}.jsonl`))
})

it.each(['Refund', 'Support/cancel', 're\u0301clame'])(
  'refuses the name %j next to one that some systems take for the same',
  async (name) => {
    await using project = await createTemporaryDirectory()
    project.enter()
    const goldens = createGoldenDirectory()
    for (const other of ['refund', 'support/cancel', 'r\u00e9clame']) await goldens.write(other, '\n')
    await expect(goldens.write(name, '\n')).rejects.toThrow(
      expect.objectContaining({
        code: 'GOLDENRUN_GOLDEN_NAME',
        message: expect.stringMatching(
          /: it differs from golden-traces\/\S+ only in the case or the encoding of its letters, and macOS and Windows make one file of both\. /,
        ) as string,
      }),
    )
    expect(await goldens.list()).toEqual(['refund', 'r\u00e9clame', 'support/cancel'])
  },
)

it.runIf(process.platform === 'linux').each([
  ['CON', 'A golden trace cannot be named "CON": "CON" is a device on Windows. Rename or delete the file golden-traces/CON.jsonl.'],
  [
    'a\u001b[2J',
    'A golden trace cannot be named "a\\u001b[2J": it contains "\\u001b", which not every file system allows. Rename or delete the file golden-traces/a\\u001b[2J.jsonl.',
  ],
  [
    'REFUND',
    'A golden trace cannot be named "REFUND": it differs from golden-traces/refund.jsonl only in the case or the encoding of its letters, and macOS and Windows make one file of both. Rename or delete the file golden-traces/REFUND.jsonl.',
  ],
])('refuses to read a golden that is named %j', async (name, message) => {
  await using project = await createTemporaryDirectory()
  project.enter()
  await project.write('golden-traces/refund.jsonl', '\n')
  await project.write(`golden-traces/${name}.jsonl`, '\n')
  const goldens = createGoldenDirectory()
  expect(await goldens.list()).toContain(name)
  await expect(goldens.read(name)).rejects.toThrow(expect.objectContaining({ code: 'GOLDENRUN_GOLDEN_NAME', message }))
})

it.runIf(process.platform !== 'win32')('refuses to read a golden that is a link out of the project', async () => {
  await using project = await createTemporaryDirectory()
  await using elsewhere = await createTemporaryDirectory()
  project.enter()
  await elsewhere.write('secret', 'KEY=1\n')
  await project.write('shared/refund.jsonl', 'a\n')
  await mkdir('golden-traces')
  await symlink('../shared/refund.jsonl', 'golden-traces/refund.jsonl')
  await symlink(elsewhere.resolve('secret'), 'golden-traces/secret.jsonl')
  await symlink(elsewhere.path, 'golden-traces/folder')
  const goldens = createGoldenDirectory()
  expect((await goldens.read('refund'))?.text).toBe('a\n')
  await expect(goldens.read('secret')).rejects.toThrow(
    expect.objectContaining({
      code: 'GOLDENRUN_TRACE_FORMAT',
      message:
        'golden-traces/secret.jsonl: this is a link to a file outside of the project. Remove the link, or put the file in its place.',
    }),
  )
  await elsewhere.write('deep.jsonl', 'KEY=1\n')
  await expect(goldens.read('folder/deep')).rejects.toThrow('this is a link to a file outside of the project')
})

it('looks for golden-traces upwards, before any package.json', async () => {
  await using project = await createTemporaryDirectory()
  await project.write('packages/agent/package.json', '{}')
  await mkdir(project.resolve('packages/agent/src'))
  expect(findGoldenDirectory(project.resolve('packages/agent/src'))).toBe(project.resolve('packages/agent/golden-traces'))

  await mkdir(project.resolve('golden-traces'))
  expect(findGoldenDirectory(project.resolve('packages/agent/src'))).toBe(project.resolve('golden-traces'))

  await mkdir(project.resolve('packages/agent/golden-traces'))
  expect(findGoldenDirectory(project.resolve('packages/agent/src'))).toBe(project.resolve('packages/agent/golden-traces'))
})

it('looks for golden-traces from the test file first where that lies in the working directory, as in a workspace', async () => {
  await using workspace = await createTemporaryDirectory()
  await using elsewhere = await createTemporaryDirectory()
  await workspace.write('packages/web/golden-traces/a.jsonl', '')
  await workspace.write('packages/web/test/agent.test.ts', '')
  await workspace.write('packages/mail/package.json', '')
  await elsewhere.write('golden-traces/b.jsonl', '')
  let test = ''
  lookForGoldensFrom(() => test)
  workspace.enter()

  test = workspace.resolve('packages/web/test')
  expect(findGoldenDirectory()).toBe(workspace.resolve('packages/web/golden-traces'))
  test = workspace.resolve('packages/mail/test')
  expect(findGoldenDirectory()).toBe(workspace.resolve('packages/mail/golden-traces'))
  test = elsewhere.path
  expect(findGoldenDirectory()).toBe(elsewhere.resolve('golden-traces'))
  await workspace.write('golden-traces/c.jsonl', '')
  expect(findGoldenDirectory()).toBe(workspace.resolve('golden-traces'))
  test = workspace.resolve('packages/mail/test')
  expect(findGoldenDirectory()).toBe(workspace.resolve('golden-traces'))
  test = workspace.resolve('packages/web/test')
  expect(findGoldenDirectory()).toBe(workspace.resolve('packages/web/golden-traces'))
  lookForGoldensFrom(() => undefined)
})
