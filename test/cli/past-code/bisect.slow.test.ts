import { expect, it, vi } from 'vitest'
import { createRandom } from '../../support/random.ts'
import { broken, config, createHistory, createPastProject, goodbye, hello } from './past-project.ts'

// Processes are started, one after another.
vi.setConfig({ testTimeout: 300_000 })

it('finds the commit with which a golden stopped holding, and prints its report', async () => {
  const { project, hashes } = await createHistory([hello, hello, hello, goodbye, goodbye])
  await using _ = project
  const { status, stdout, stderr } = await project.replay('--bisect', 'c0..c4')
  const date = project.git('log', '-1', '--format=%aI', 'c3').trim()
  expect(stdout).toMatch(
    new RegExp(
      `^greet stopped holding with ${hashes[3]}\\n  Change 3\\n  ${date.replaceAll('+', String.raw`\+`)}\n\nFailed to replay "greet": `,
    ),
  )
  expect(stdout).toMatch(/received +"Goodbye Ada"/)
  const short = hashes.map((hash) => hash.slice(0, 12))
  expect(stderr).toBe(
    [
      `${short[0]} held           Change 0`,
      `${short[4]} not held       Change 4`,
      'About 2 commits to try.',
      `${short[2]} held           Change 2`,
      `${short[3]} not held       Change 3`,
      '',
    ].join('\n'),
  )
  expect(status).toBe(1)
  expect(project.leftovers()).toEqual([])
})

it('prints JSON and Markdown', async () => {
  const { project, hashes } = await createHistory([hello, goodbye])
  await using _ = project
  const json = await project.replay('--bisect', 'c0..c1', '--json')
  const first = { hash: hashes[1], subject: 'Change 1', date: project.git('log', '-1', '--format=%aI', 'c1').trim() }
  expect(JSON.parse(json.stdout)).toMatchObject({
    bisect: {
      first,
      candidates: [first],
      tried: [
        { hash: hashes[0], status: 'held' },
        { ...first, status: 'not held' },
      ],
    },
    counts: { notHeld: 1 },
    traces: [{ name: 'greet', file: 'golden-traces/greet.jsonl' }],
    reports: [{ trace: { name: 'greet' } }],
  })
  expect(json.status).toBe(1)
  const markdown = await project.replay('--bisect', 'c0..c1', '--markdown')
  expect(markdown.stdout).toMatch(
    new RegExp(`^\`greet\` stopped holding with ${hashes[1]}: \`Change 1\`\\n\\n### Failed to replay "greet": `),
  )
})

it('skips a commit that cannot run, and names all that it may be', async () => {
  const { project, hashes } = await createHistory([hello, broken, goodbye, goodbye])
  await using _ = project
  const { status, stdout, stderr } = await project.replay('--bisect', 'c0..c3')
  expect(stderr).toContain(`${hashes[1]?.slice(0, 12)} could not run  Change 1\n`)
  expect(stdout).toMatch(
    new RegExp(
      `^greet stopped holding with one of 2 commits, of which only the last can be replayed:\\n  ${hashes[1]} Change 1\\n  ${hashes[2]} Change 2\\n\\nFailed to replay`,
    ),
  )
  expect(status).toBe(1)
  const json = await project.replay('--bisect', 'c0..c3', '--json')
  const { bisect } = JSON.parse(json.stdout) as { bisect: { first?: unknown; candidates: { hash: string }[] } }
  expect(bisect.first).toBeUndefined()
  expect(bisect.candidates.map(({ hash }) => hash)).toEqual([hashes[1], hashes[2]])
  expect(project.leftovers()).toEqual([])
})

it('finds the commit beside one that cannot run', async () => {
  const { project, hashes } = await createHistory([hello, hello, broken, hello, goodbye])
  await using _ = project
  expect((await project.replay('--bisect', 'c0..c4')).stdout).toContain(`greet stopped holding with ${hashes[4]}\n`)
})

it('takes the current config along past commits that have none', async () => {
  const project = await createPastProject()
  await using _ = project
  await project.commit('First', { 'agent.ts': hello })
  const bad = await project.commit('Break', { 'agent.ts': goodbye })
  await project.commit('Add a config', { 'goldenrun.config.ts': config })
  const { stdout, stderr } = await project.replay('--bisect', 'HEAD~2..HEAD')
  expect(stdout).toContain(`greet stopped holding with ${bad}\n`)
  expect(stderr.match(/has no goldenrun\.config\.ts: the current one is used/g)).toHaveLength(2)
})

it('looks into a branch that began at the good commit or later, and blames the merge for one that began before', async () => {
  const { project } = await createHistory([goodbye, hello])
  await using _ = project
  project.git('checkout', '--quiet', '-b', 'later')
  const onBranch = await project.commit('Break it on a branch', { 'agent.ts': goodbye })
  project.git('checkout', '--quiet', 'main')
  await project.commit('Go on', { 'notes.txt': 'more\n' })
  project.git('merge', '--quiet', '--no-ff', '-m', 'Merge later', 'later')
  expect((await project.replay('--bisect', 'c1..main')).stdout).toContain(`greet stopped holding with ${onBranch}\n`)

  project.git('checkout', '--quiet', '-b', 'earlier', 'c0')
  await project.commit('Be of before', { 'other.txt': 'other\n' })
  project.git('checkout', '--quiet', '-B', 'main', 'c1')
  await project.commit('Go on again', { 'notes.txt': 'other\n' })
  project.git('merge', '--quiet', '--no-ff', '--no-commit', 'earlier')
  await project.write('agent.ts', goodbye)
  const merge = await project.commit('Merge earlier')
  await project.commit('And on', { 'notes.txt': 'third\n' })
  expect((await project.replay('--bisect', 'c1..main')).stdout).toContain(`greet stopped holding with ${merge}\n`)
})

it('says which end is wrong', async () => {
  const { project, hashes } = await createHistory([hello, goodbye, goodbye, hello, broken])
  await using _ = project
  const [c0 = '', c1 = '', , c3 = '', c4 = ''] = hashes.map((hash) => hash.slice(0, 12))
  const stderr = async (range: string): Promise<string> => {
    const result = await project.replay('--bisect', range)
    expect([result.status, result.stdout]).toEqual([2, ''])
    return result.stderr
  }
  expect(await stderr('c1..c2')).toContain(
    `Cannot bisect: greet does not hold at the good commit, ${c1} (Change 1). Name an earlier one.\n\nFailed to replay`,
  )
  expect(await stderr('c0..c3')).toContain(
    `Cannot bisect: everything holds at the bad commit, ${c3} (Change 3). Name one at which it does not.\n`,
  )
  expect(await stderr('c0..c4')).toContain(
    `Cannot bisect: greet could not be replayed at the bad commit, ${c4} (Change 4).\n\nCould not replay`,
  )
  expect(await stderr('c4..c0')).toContain(
    `Cannot bisect: the good commit, ${c4} (Change 4), does not come before the bad one, ${c0} (Change 0).\n`,
  )
  expect(await stderr('c0..c0')).toContain('does not come before the bad one')
  expect(await stderr('c0..c9')).toContain('There is no commit "c9" in this repository. The nearest: ')
  for (const range of ['c0', 'c0...c1', '..c1', 'c0..'])
    expect(await stderr(range)).toContain('It has to name two commits, the good one first: v1.2..HEAD.')
  expect(project.leftovers()).toEqual([])
})

const SEED = process.env['GOLDENRUN_SEED'] ?? String(Date.now())
const random = createRandom(SEED)

/** Of eight commits, the first is good. */
const positions = random.shuffle([1, 2, 3, 4, 5, 6, 7])

it.each(positions)(`finds commit %i of eight, beside one that cannot run (GOLDENRUN_SEED=${SEED})`, async (position) => {
  await using project = await createPastProject()
  await project.write('goldenrun.config.ts', config)
  const others = [1, 2, 3, 4, 5, 6].filter((index) => index !== position)
  const unable = random.shuffle(others)[0]
  const hashes: string[] = []
  for (let index = 0; index < 8; index += 1) {
    const agent = index === unable ? broken : index < position ? hello : goodbye
    hashes.push(await project.commit(`Change ${index}`, { 'agent.ts': agent, 'change.txt': `${index}\n` }))
  }
  const range = `${hashes[0]}..${hashes[7]}`
  const { status, stdout, stderr } = await project.replay('--bisect', range, '--json')
  const { bisect } = JSON.parse(stdout) as { bisect: { candidates: { hash: string }[] } }
  // A broken commit right before the one that is looked for may be it.
  const expected = unable === position - 1 ? [hashes[unable], hashes[position]] : [hashes[position]]
  expect(
    bisect.candidates.map(({ hash }) => hash),
    stderr,
  ).toEqual(expected)
  expect(status).toBe(1)
  expect(project.leftovers()).toEqual([])
})
