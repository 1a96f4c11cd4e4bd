import fs from 'node:fs'
import fsp from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { replay } from '../../../src/replay/replay.ts'
import type { ReplayedRun } from '../../../src/replay/contract/replayed-run.ts'
import { recordLateRun } from '../../support/record-late-run.ts'
import { recordRun } from '../../support/record-run.ts'
import {
  again,
  base,
  branchesCases,
  data,
  fill,
  home,
  look,
  out,
  permittedCases,
  record,
  setUpFilesOutside,
  testBranches,
  testPermitted,
  testWays,
  waysCases,
} from '../../support/files-outside.ts'

setUpFilesOutside()

// The other ways: outside.slow.test.ts.
testWays(waysCases.filter((_, index) => index % 2 === 0))

it('replays a look through the folder above, and a file of environment variables', async () => {
  const agent = (): unknown => {
    fs.writeFileSync(join(data, 'new.env'), 'OF_FILES_TEST=1')
    process.loadEnvFile(join(data, 'new.env'))
    const loaded = process.env['OF_FILES_TEST']
    delete process.env['OF_FILES_TEST']
    return [loaded, fs.readdirSync(base, { recursive: true }).map(String).toSorted()]
  }
  const { trace, output } = await record(agent)
  fs.rmSync(base, { recursive: true })
  const run = await again(trace, agent)
  expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output }])
})

it('follows recorded links that are gone in the replay', async () => {
  const agent = (): unknown => [
    fs.readFileSync(join(home, 'current/a.txt'), 'utf8'),
    fs.readFileSync(join(data, 'leads-out/o.txt'), 'utf8'),
  ]
  const { trace, output } = await record(agent)
  for (const name of ['app', 'out', 'current']) fs.rmSync(join(home, name), { recursive: true })
  const run = await again(trace, agent)
  expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output }])
})

it('records a folder below the working directory that a pattern names', async () => {
  const own = join(process.cwd(), 'node_modules/.of-files-test')
  fs.mkdirSync(own, { recursive: true })
  const agent = (): number => {
    fs.writeFileSync(join(own, 'x.txt'), 'x')
    return fs.readFileSync('package.json').length
  }
  try {
    const { trace, output } = await recordRun(async () => agent(), { recorder: { files: { record: [`${own}/**`] } } })
    fs.rmSync(own, { recursive: true })
    const run = await replay(trace, async () => agent())
    expect([run.divergences, run.outcome, fs.existsSync(own)]).toEqual([[], { status: 'returned', output }, false])
  } finally {
    fs.rmSync(own, { recursive: true, force: true })
  }
})

const brought: Readonly<Record<string, (text: string) => unknown>> = {
  renamed: async (text) => {
    await fsp.writeFile(join(out, 'x'), text)
    await fsp.rename(join(out, 'x'), join(data, 'report.json'))
    return fs.existsSync(join(out, 'x'))
  },
  copied: async (text) => {
    await fsp.writeFile(join(out, 'o.txt'), text)
    await fsp.copyFile(join(out, 'o.txt'), join(data, 'report.json'))
  },
  'copied with its folder': async (text) => {
    await fsp.writeFile(join(out, 'o.txt'), text)
    await fsp.cp(out, join(data, 'copy'), { recursive: true })
  },
  linked: async (text) => {
    await fsp.writeFile(join(out, 'o.txt'), text)
    await fsp.link(join(out, 'o.txt'), join(data, 'report.json'))
  },
}

it.each(Object.entries(brought))('compares what is %s into the folder', async (_what, agent) => {
  const { trace } = await record(async () => (await agent('{"amount":5}')) ?? 0)
  fill()
  const run = async (text: string): Promise<ReplayedRun> => {
    fill()
    return replay(trace, async () => [await look('before'), (await agent(text)) ?? 0, await look('after')])
  }
  expect((await run('{"amount":5}')).divergences).toEqual([])
  expect((await run('{"amount":5000}')).divergences).toMatchObject([{ cause: 'input', differences: [{ expected: 5, received: 5000 }] }])
})

testPermitted(permittedCases.filter((_, index) => index % 3 === 0))

it('records what a stream writes that the agent does not wait for', async () => {
  const agent = (text: string) => async (): Promise<string> => {
    const stream = fs.createWriteStream(join(data, 'log.txt'))
    stream.write('line 1\n')
    stream.end(text)
    return 'done'
  }
  fill()
  const trace = await recordLateRun(agent('line 2\n'), {}, { files: { record: [`${data}/**`] } })
  expect(trace.steps.map(({ name }) => name)).toEqual(['file read', 'file write'])
  fill()
  expect((await replay(trace, agent('line 2\n'))).divergences).toEqual([])
  expect((await replay(trace, agent('line 3\n'))).divergences).toMatchObject([{ name: 'file write' }])
})

testBranches(branchesCases.filter((_, index) => index % 2 === 0))
