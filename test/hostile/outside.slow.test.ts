import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createTemporaryDirectory, type TemporaryDirectory } from '../support/temporary-directory.ts'
import { createVitestWorkspace, type VitestProject, type VitestWorkspace } from '../support/vitest-workspace.ts'
import { golden, PROJECT, type Rows } from './pull-request.ts'

// What goldens make a replay do, as the system sees it: strace lists what its processes open, change, start and connect to.

vi.setConfig({ testTimeout: 60_000 })

const hasTrace = process.platform === 'linux' && spawnSync('strace', ['-f', '-o', '/dev/null', 'true']).status === 0
const skipped = hasTrace ? '' : " (skipped: needs Debian's strace, and a system that allows it)"

let workspace: VitestWorkspace
let project: VitestProject
/** A project with links out of it among its goldens. */
let linked: VitestProject
/** What lies outside of the project, as the runner's keys do. */
let elsewhere: TemporaryDirectory

beforeAll(async () => {
  if (!hasTrace) return
  workspace = await createVitestWorkspace()
  elsewhere = await createTemporaryDirectory()
  await elsewhere.write('secret', 'KEY=1\n')
  await elsewhere.write('agent.js', "import { writeFileSync } from 'node:fs'\nwriteFileSync(new URL('pwned', import.meta.url), '')\n")
  await elsewhere.write('deep.jsonl', golden('deep'))
  project = await workspace.project({ ...PROJECT, 'golden-traces/plain.jsonl': golden('plain') })
  for (const [name, text] of Object.entries(evilGoldens())) await project.write(`golden-traces/${name}.jsonl`, text)
  acceptOutside()
  linked = await workspace.project({ ...PROJECT, 'golden-traces/red.jsonl': golden('red') })
  const links = {
    'link.jsonl': elsewhere.resolve('secret'),
    folder: elsewhere.path,
    'device.jsonl': '/dev/zero',
    'keys.jsonl': '/proc/self/environ',
  }
  for (const [name, to] of Object.entries(links)) symlinkSync(to, path.join(linked.path, 'golden-traces', name))
}, 60_000)

afterAll(async () => {
  if (!hasTrace) return
  await workspace[Symbol.asyncDispose]()
  await elsewhere[Symbol.asyncDispose]()
})

/** Goldens that name what lies elsewhere, in every field that is a path, an address, a variable or a name of something. */
function evilGoldens(): Record<string, string> {
  const out = path.relative(path.join(project.path, 'golden-traces'), elsewhere.path)
  const red = ([, call]: Rows): void => void (call['input'] = { q: 'other' })
  const sent: Readonly<Record<string, string>> = {
    NODE_OPTIONS: `--import=${elsewhere.resolve('agent.js')}`,
    NODE_REDIRECT_WARNINGS: elsewhere.resolve('warnings'),
    NODE_V8_COVERAGE: elsewhere.resolve('coverage'),
    LD_PRELOAD: elsewhere.resolve('secret'),
    GOLDENRUN_PAGES: elsewhere.resolve('pages'),
    GOLDENRUN_MARKDOWN_FILE: elsewhere.resolve('out.md'),
    GITHUB_STEP_SUMMARY: elsewhere.resolve('summary.md'),
  }
  return {
    red: golden('red', red),
    variables: golden('variables', ([header, call, returned, end]) => {
      header.golden['variables'] = sent
      const calls = Object.entries(sent).flatMap(([name, value], index) => [
        {
          kind: 'call',
          step: index + 2,
          owner: 0,
          boundary: 'http',
          name: 'a.example',
          at: 2,
          input: { method: 'GET', url: 'https://a.example/', headers: [['x-a', value]] },
          credentials: [{ at: 'x-a', variables: [name] }],
        },
        { kind: 'head', step: index + 2, at: 2.1, status: 200, headers: [] },
        { kind: 'return', step: index + 2, at: 2.2 },
      ])
      return [header, call, returned, ...calls, end]
    }),
    environment: golden('environment', (rows) => {
      rows[0].runtime['env'] = sent
      red(rows)
    }),
    zone: golden('zone', ([header]) => void (header.runtime['timeZone'] = `:${elsewhere.resolve('secret')}`)),
    'zone-path': golden('zone-path', ([header]) => void (header.runtime['timeZone'] = `../../..${elsewhere.resolve('secret')}`)),
    locale: golden('locale', (rows) => {
      rows[0].runtime['locale'] = elsewhere.resolve('secret')
      red(rows)
    }),
    name: golden('name', (rows) => {
      rows[0].golden['name'] = `${out}/deep`
      red(rows)
    }),
    follows: golden('follows', ([header]) => void (header.golden['follows'] = `${out}/deep`)),
    agent: golden('agent', ([header]) => void (header['agent'] = `${elsewhere.resolve('agent.js')}#agent`)),
    prototype: golden('prototype', ([header]) => void (header['agent'] = '__proto__')),
    source: golden('source', (rows) => {
      rows[0].golden['promotedFrom'] = elsewhere.resolve('deep')
      red(rows)
    }),
    address: golden('address', ([header]) => void (header['input'] = { text: 'hi', url: 'http://127.0.0.1:9/x' })),
    error: golden('error', ([header, call, , end]) => [
      header,
      call,
      { kind: 'throw', step: 1, at: 1.6, error: { name: 'Error', message: `x\n    at f (${elsewhere.resolve('agent.js')}:1:1)` } },
      end,
    ]),
  }
}

/** Says that a golden was accepted with files that lie elsewhere, so that its report would compare them. */
function acceptOutside(): void {
  const folder = path.join(project.path, 'golden-traces')
  const digest = createHash('sha256')
    .update(readFileSync(path.join(folder, 'red.jsonl')))
    .digest('hex')
    .slice(0, 16)
  const up = path.relative(project.path, elsewhere.path)
  const rows = [
    ['golden', 'golden-traces/red.jsonl', digest],
    ['text', `${up}/secret`, '0000000000000000'],
    ['module', elsewhere.resolve('agent.js'), '0000000000000000'],
    ['folder', up, '0000000000000000'],
    ['package', `../${up}`, '1.0.0'],
  ]
  writeFileSync(path.join(folder, 'support.accepted'), `${rows.map((row) => row.join('\t')).join('\n')}\n`)
}

interface Traced {
  readonly calls: readonly string[]
  readonly output: string
}

/** What a program and its processes did, one system call a line, without those that failed. */
function traced(
  { path: cwd }: VitestProject,
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Traced {
  const file = path.join(path.dirname(cwd), 'calls.txt')
  const seen =
    'open,openat,openat2,creat,truncate,unlink,unlinkat,rename,renameat,renameat2,mkdir,mkdirat,rmdir,link,linkat,symlink,symlinkat,chmod,fchmodat,execve,connect,bind,sendto'
  const { stdout, stderr } = spawnSync(
    'strace',
    ['-f', '--seccomp-bpf', '-qq', '-y', '-e', `trace=${seen}`, '-o', file, process.execPath, program, ...args],
    { cwd, encoding: 'utf8', env: { ...clean(), NO_COLOR: '1', CI: 'true', TMPDIR: path.dirname(cwd), ...env }, timeout: 50_000 },
  )
  const calls = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => !/ = -1 E|<unfinished|resumed>|^\d+ +[+-]{3}/.test(line))
  return { calls, output: stdout + stderr }
}

function clean(): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:VITEST|NODE_|GITHUB_|GOLDENRUN|CI$)/.test(name)))
}

const writing = /O_WRONLY|O_RDWR|O_CREAT|^\d+ +(?:creat|truncate|unlink|rename|mkdir|rmdir|link|symlink|chmod|fchmod)/

/** Where a replay may write: the project, what is installed for it, and temporary files, which lie there, too. */
function isOwnPlace(call: string): boolean {
  const named = [...call.matchAll(/"(\/[^"]*)"/g)].map(([, file = '']) => file)
  const own = [path.dirname(project.path), '/dev/', '/proc/self/']
  return named.every((file) => own.some((start) => file.startsWith(start)))
}

function expectInside({ calls, output }: Traced): void {
  expect(calls.some((call) => call.includes('golden-traces/red.jsonl'))).toBe(true)
  // Vitest looks for test files in folders that a link leads to.
  expect(calls.filter((call) => call.includes(elsewhere.path) && !call.includes('O_DIRECTORY'))).toEqual([])
  expect(calls.filter((call) => call.includes('/dev/zero') || /"\/proc\/[^"]*\/environ"/.test(call))).toEqual([])
  expect(calls.filter((call) => call.includes('AF_INET'))).toEqual([])
  expect(calls.filter((call) => writing.test(call) && !isOwnPlace(call))).toEqual([])
  const programs = calls.flatMap((call) => /execve\("([^"]*)"/.exec(call)?.[1] ?? [])
  expect([...new Set(programs)]).toEqual([process.execPath])
  expect(output).not.toContain('KEY=1')
}

const commandLine = (): string => path.join(project.path, '../node_modules/goldenrun/dist/cli.js')
const vitest = (): string => path.join(project.path, '../node_modules/vitest/vitest.mjs')
const refused = 'golden-traces/link.jsonl: this is a link to a file outside of the project. Remove the link, or put the file in its place.'

it.runIf(hasTrace)(`reads, writes, starts and reaches nothing outside of the project that a golden names${skipped}`, () => {
  const { calls, output } = traced(project, commandLine(), ['replay', '--network', '--html', 'pages'])
  expectInside({ calls, output })
  expect(output).toMatch(/\n\d+ traces replayed: /)
})

it.runIf(hasTrace)(`nor does it under Vitest${skipped}`, () => {
  const { calls, output } = traced(project, vitest(), ['run'], { GOLDENRUN_MARKDOWN_FILE: path.join(project.path, 'out.md') })
  expectInside({ calls, output })
  expect(output).toMatch(/Goldens .* not held/)
})

it.runIf(hasTrace)(`follows no link out of the project, and starts no test run with one${skipped}`, () => {
  const replayed = traced(linked, commandLine(), ['replay', '--network'])
  expectInside(replayed)
  expect(replayed.output).toContain(refused)
  const run = traced(linked, vitest(), ['run'])
  expectInside({ ...run, calls: [...run.calls, ...replayed.calls] })
  expect(run.output).toContain(': this is a link to a file outside of the project. ')
})
