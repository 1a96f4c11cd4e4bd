import { performance } from 'node:perf_hooks'
import type { VitestProject } from '../../test/support/vitest-workspace.ts'
import type { Metric, Metrics, Suite } from '../figures.ts'
import { installPeers, versionOf, PEER_PACKAGES } from '../replay/peers/install.ts'
import { median } from '../rounds.ts'
import { measureImports } from './import-cost.ts'
import { createProjects, type Kind, type Projects } from './projects.ts'
import { runTests, type TestTimes, type Workers } from './run-tests.ts'
import { FULL, QUICK, type RunnerSizes } from './sizes.ts'

/** The upper limits, in milliseconds. */
const GOALS = { warm: 9.9, file: 30, import: 30 }

type Times = Readonly<Partial<Record<Kind, readonly TestTimes[]>>>

/** Measures what goldens cost in the test runner, compared with tests without them. */
export const measureRunner: Suite = async (note, options) => {
  const sizes = options.quick ? QUICK : FULL
  const failure = sizes.mayInstall ? installPeers(note) : 'a quick run installs nothing to measure against'
  const kinds: readonly Kind[] = ['golden', 'plain', ...(failure === undefined ? (['aimock'] as const) : [])]
  note('Building the package, and recording the run that is tested.')
  await using projects = await createProjects()
  const measured = {
    ...(await measureWarm(note, sizes, projects, kinds)),
    ...(await measureFiles(note, sizes, projects, kinds)),
    ...(await measureImports(note, sizes, await projects.project('aimock', 0), failure === undefined)),
    ...(await measureMany(note, sizes, projects, kinds)),
  }
  const absences = failure === undefined ? {} : Object.fromEntries(AIMOCK_METRICS.map((name) => [name, failure]))
  return { metrics: measured, absences }
}

const AIMOCK_METRICS = ['aimock_test_warm_ms', 'aimock_file_added_ms', 'aimock_import_ms', 'hundred_aimock_tests_s']

async function measureWarm(note: (line: string) => void, sizes: RunnerSizes, projects: Projects, kinds: readonly Kind[]): Promise<Metrics> {
  note(`Running ${sizes.warmFiles} test files of each kind in one worker, up to ${sizes.rounds} times.`)
  const times = await interleave(await allProjects(projects, ['empty', ...kinds], sizes.warmFiles), 'one worker', sizes)
  const agent = median((times.plain ?? []).map((each) => each.agent))
  const metric = (kind: Kind): Metric => {
    const { added, own, other } = compare(times, kind, 'empty')
    const against = `${describe(kind)}: ${own} ms a file against ${other} ms of an empty test file in the same warm worker`
    return { value: added - agent, unit: 'ms', against: `${against}, less ${agent.toFixed(2)} ms of the agent's own work` }
  }
  return {
    golden_warm_ms: { ...metric('golden'), goal: GOALS.warm },
    plain_test_warm_ms: metric('plain'),
    ...(times.aimock === undefined ? {} : { aimock_test_warm_ms: metric('aimock') }),
  }
}

async function measureFiles(
  note: (line: string) => void,
  sizes: RunnerSizes,
  projects: Projects,
  kinds: readonly Kind[],
): Promise<Metrics> {
  note(`Running ${sizes.files} test files of each kind, each in a worker of its own, up to ${sizes.rounds} times.`)
  const times = await interleave(await allProjects(projects, ['empty', 'fetch', ...kinds], sizes.files), 'a worker each', sizes)
  // Node loads its fetch at the first call, whatever makes or answers it. That is the agent's work, and part of each of these files.
  const fetching = compare(times, 'fetch', 'empty')
  const metric = (kind: Kind): Metric => {
    const { added, own, other, cpu } = compare(times, kind, 'fetch')
    const against = `${describe(kind)}: ${own} ms a file against ${other} ms of an empty test file that has loaded Node's fetch`
    return { value: added, unit: 'ms', against: `${against} (${fetching.other} ms without) and has no plugin; ${cpu} ms more in CPU time` }
  }
  return {
    golden_file_added_ms: { ...metric('golden'), goal: GOALS.file },
    plain_file_added_ms: metric('plain'),
    ...(times.aimock === undefined ? {} : { aimock_file_added_ms: metric('aimock') }),
  }
}

/** Returns how much longer a file of one kind takes than a file of another kind in the same round (median), and the times of both, for the report. */
function compare(
  times: Times,
  kind: Kind,
  by: Kind,
): { readonly added: number; readonly own: string; readonly other: string; readonly cpu: string } {
  const pairs = (times[kind] ?? []).flatMap((own, round) => {
    const other = times[by]?.[round]
    return other === undefined ? [] : [{ own, other }]
  })
  return {
    added: median(pairs.map(({ own, other }) => own.file - other.file)),
    own: median(pairs.map(({ own }) => own.file)).toFixed(1),
    other: median(pairs.map(({ other }) => other.file)).toFixed(1),
    cpu: median(pairs.map(({ own, other }) => own.cpu - other.cpu)).toFixed(1),
  }
}

function describe(kind: Kind): string {
  switch (kind) {
    case 'golden':
      return 'a golden'
    case 'plain':
      return 'a test with an in-memory fetch'
    case 'aimock':
      return `a test with ${PEER_PACKAGES.aimock} ${versionOf(PEER_PACKAGES.aimock)}`
    case 'empty':
    case 'fetch':
      return 'an empty test file'
  }
}

async function measureMany(note: (line: string) => void, sizes: RunnerSizes, projects: Projects, kinds: readonly Kind[]): Promise<Metrics> {
  note(`Running ${sizes.many} test files of each kind as Vitest does by itself, up to ${sizes.rounds} times.`)
  const made = await allProjects(projects, kinds, sizes.many)
  const times = await interleave(made, 'as Vitest does', sizes)
  const metric = (kind: Kind): Metric => {
    const all = (times[kind] ?? []).map((each) => each.all / 1000)
    return { value: median(all), unit: 's', against: `${sizes.many} times ${describe(kind)}, a worker each, in parallel` }
  }
  return {
    hundred_goldens_s: metric('golden'),
    hundred_plain_tests_s: metric('plain'),
    ...(times.aimock === undefined ? {} : { hundred_aimock_tests_s: metric('aimock') }),
    hundred_rebased_s: await measureRebase(note, sizes, made),
  }
}

/** Measures the same hundred goldens with `-u`, after a change that affects each of them. */
async function measureRebase(
  note: (line: string) => void,
  sizes: RunnerSizes,
  made: readonly (readonly [Kind, VitestProject])[],
): Promise<Metric> {
  note(`Rebasing ${sizes.many} goldens.`)
  const [, project] = made.find(([kind]) => kind === 'golden') ?? []
  if (project === undefined) throw new Error('There is no project with goldens.')
  await project.edit('src/agent.ts', "role: 'user', content: question", "role: 'user', content: `Please: ${question}`")
  const { all } = await runTests(project, 'as Vitest does', ['-u'])
  return {
    value: all / 1000,
    unit: 's',
    against: `${sizes.many} goldens after a changed prompt, with -u: replayed, rebased, replayed again`,
  }
}

async function allProjects(projects: Projects, kinds: readonly Kind[], files: number): Promise<(readonly [Kind, VitestProject])[]> {
  const made: (readonly [Kind, VitestProject])[] = []
  for (const kind of kinds) made.push([kind, await projects.project(kind, files)])
  return made
}

/** Runs the projects' tests side by side: each once per round, and the first one changes from round to round. The first round is not counted. */
async function interleave(
  made: readonly (readonly [Kind, VitestProject])[],
  workers: Workers,
  { rounds, seconds }: RunnerSizes,
): Promise<Times> {
  const times: Partial<Record<Kind, TestTimes[]>> = {}
  const end = performance.now() + seconds * 1000
  for (let round = 0; round < rounds && (round === 0 || performance.now() < end); round += 1) {
    const first = round % made.length
    for (const [kind, project] of [...made.slice(first), ...made.slice(0, first)])
      (times[kind] ??= []).push(await runTests(project, workers))
  }
  return times
}
