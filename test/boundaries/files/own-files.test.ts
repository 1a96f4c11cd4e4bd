import fs from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { replay } from '../../../src/replay/replay.ts'
import { live } from '../../../src/run/live.ts'
import { recordRun } from '../../support/record-run.ts'
import { fileShapes, type FileShape, fillFolder } from '../../support/file-shapes.ts'
import { describeTree } from '../../support/describe-tree.ts'

const folder = join(process.cwd(), 'node_modules/.own-files-test')
beforeAll(() => fillFolder(folder))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

const ours = (): string[] =>
  fs
    .readdirSync(fs.realpathSync(process.env['TMPDIR'] ?? '/tmp'))
    .filter((name) => name.startsWith('goldenrun-files-') && name.includes(`-${process.pid}-`))

/** Records a program in a folder, and replays it three times where the folder is as it was. */
async function hold(shape: FileShape): Promise<unknown> {
  fillFolder(folder)
  const { trace, output } = await recordRun(async () => await shape(folder))
  fillFolder(folder)
  const before = describeTree(folder)
  const hashes = new Set<string>()
  for (let time = 0; time < 3; time += 1) {
    const run = await replay(trace, async () => await shape(folder))
    hashes.add(run.hash)
    expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output }])
    expect(describeTree(folder)).toEqual(before)
  }
  return [hashes.size, ours()]
}

// All of them: own-files.slow.test.ts.
const some = Object.entries(fileShapes).filter((_shape, index) => index % 6 === 0)

it.each(some)('replays a program that %s, and changes nothing real', async (_what, shape) => {
  expect(await hold(shape)).toEqual([1, []])
})

it('names the files that the run changed, and not those that it removed again', async () => {
  const agent = async (): Promise<void> => {
    fs.writeFileSync(join(folder, 'new.txt'), 'new')
    fs.appendFileSync(join(folder, 'app.log'), 'more')
    fs.rmSync(join(folder, 'src/a.ts'))
    fs.writeFileSync(join(folder, 'temporary'), '')
    fs.unlinkSync(join(folder, 'temporary'))
    fs.readFileSync(join(folder, 'src/b.ts'))
  }
  fillFolder(folder)
  const { trace } = await recordRun(agent)
  fillFolder(folder)
  const run = await replay(trace, agent)
  expect(run.changedFiles).toEqual(['app.log', 'new.txt', 'src/a.ts'].map((name) => `node_modules/.own-files-test/${name}`))
})

it('writes real files in live, and those of code outside the run', async () => {
  fillFolder(folder)
  const agent = async (): Promise<string> => {
    await live('the report is for people', () => fs.promises.writeFile(join(folder, 'report.txt'), 'real'))
    fs.writeFileSync(join(folder, 'own.txt'), 'own')
    return fs.readFileSync(join(folder, 'report.txt'), 'utf8')
  }
  const { trace } = await recordRun(agent)
  fillFolder(folder)
  const outside = Promise.resolve().then(() => fs.writeFileSync(join(folder, 'outside.txt'), 'of the test'))
  const run = await replay(trace, agent)
  await outside
  expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output: 'real' }])
  expect(fs.readdirSync(folder).filter((name) => name.endsWith('.txt'))).toEqual(['outside.txt', 'report.txt'])
})

it('keeps what a run writes from another run that is replayed at the same time', async () => {
  fillFolder(folder)
  const agent = async (name: string): Promise<string[]> => {
    await fs.promises.writeFile(join(folder, name), name)
    await fs.promises.readFile(join(folder, name))
    return fs.readdirSync(folder).filter((each) => each.endsWith('.own'))
  }
  const names = ['a.own', 'b.own', 'c.own']
  const traces = []
  for (const name of names) {
    fillFolder(folder)
    traces.push((await recordRun(() => agent(name))).trace)
  }
  fillFolder(folder)
  const runs = await Promise.all(traces.map((trace, index) => replay(trace, () => agent(names[index] ?? ''))))
  expect(runs.map(({ outcome }) => outcome)).toEqual(names.map((name) => ({ status: 'returned', output: [name] })))
})

it('keeps from the disk what the run writes after it has ended', async () => {
  fillFolder(folder)
  const late = Promise.withResolvers<unknown>()
  const agent = async (): Promise<string> => {
    setTimeout(() => {
      fs.writeFileSync(join(folder, 'late.txt'), 'late')
      late.resolve(undefined)
    }, 5)
    return 'done'
  }
  const { trace } = await recordRun(agent)
  await late.promise
  fillFolder(folder)
  await replay(trace, agent)
  await new Promise((done) => setTimeout(done, 50))
  expect(fs.existsSync(join(folder, 'late.txt'))).toBe(false)
})
