import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, closeSync, mkdirSync, openSync, rmSync, symlinkSync, writeFileSync, writeSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { mountDead } from '../../support/dead-mount.ts'
import { createTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts'

const program = fileURLToPath(new URL('recording-program.ts', import.meta.url))

/** Nobody may do less than this user. */
const NOBODY = 65_534

/** How a disk fails. */
interface Failure {
  /** The store. Default: `runs`, which is not there yet. */
  readonly store?: (directory: TemporaryDirectory) => string
  /** Before anything is recorded. False where this machine cannot. */
  readonly prepare?: (runs: string) => boolean | void | Promise<AsyncDisposable | false | undefined>
  /** Between the first runs and the others. */
  readonly breakIt?: (runs: string) => boolean | void
  readonly asNobody?: boolean
  /** What happens to the agents' own thread on a disk that answers nobody is another matter. */
  readonly which?: 'thread' | 'both'
  /** What each recorder counts of its twelve runs. Default: all have failed. */
  readonly counted?: Readonly<Record<string, number>>
  /** What is said of it. */
  readonly warning: RegExp
}

const run = (command: string, ...args: readonly string[]): boolean => spawnSync(command, args, { stdio: 'ignore' }).status === 0

function mount(runs: string, options: string): boolean {
  mkdirSync(runs, { recursive: true })
  return run('mount', '-t', 'tmpfs', '-o', options, 'none', runs)
}

/** Until nothing more goes in. */
function fill(runs: string): void {
  const file = openSync(`${runs}/other`, 'w')
  try {
    for (;;) writeSync(file, Buffer.alloc(4096))
  } catch {
    closeSync(file)
  }
}

function replaceByFile(runs: string): void {
  rmSync(runs, { recursive: true })
  writeFileSync(runs, 'a file')
}

const failures: Readonly<Record<string, Failure>> = {
  'is a file': { prepare: (runs) => writeFileSync(runs, 'a file'), warning: /EEXIST|ENOTDIR/ },
  'lies where nothing can be made': { store: () => '/proc/goldenrun/runs', warning: /ENOENT/ },
  'is a link to nowhere': { prepare: (runs) => symlinkSync(`${runs}-nowhere`, runs), warning: /EEXIST/ },
  'is a loop of links': { prepare: (runs) => symlinkSync(runs, runs), warning: /ELOOP/ },
  'has too long a name': { store: (directory) => directory.resolve('r'.repeat(300)), warning: /ENAMETOOLONG/ },
  'may not be written': {
    prepare(runs) {
      mkdirSync(runs)
      chmodSync(runs, 0o555)
    },
    asNobody: true,
    warning: /EACCES/,
  },
  'is read-only': { prepare: (runs) => mount(runs, 'ro'), warning: /EROFS/ },
  'is full': {
    prepare(runs) {
      if (!mount(runs, 'size=64k')) return false
      fill(runs)
      return true
    },
    warning: /ENOSPC/,
  },
  'becomes full': { prepare: (runs) => mount(runs, 'size=4m'), breakIt: fill, counted: { recorded: 6, failed: 6 }, warning: /ENOSPC/ },
  'has room for no more files': { prepare: (runs) => mount(runs, 'nr_inodes=1'), warning: /ENOSPC/ },
  // It is made anew.
  'is removed': { breakIt: (runs) => rmSync(runs, { recursive: true }), counted: { recorded: 12 }, warning: /^$/ },
  'is replaced by a file': { breakIt: replaceByFile, counted: { recorded: 6, failed: 6 }, warning: /EEXIST|ENOTDIR/ },
  'has lost its server': {
    async prepare(runs) {
      mkdirSync(runs)
      const dead = await mountDead(runs)
      return dead !== undefined && (await dead.lose())
    },
    warning: /ENOTCONN/,
  },
  'answers nobody': {
    async prepare(runs) {
      mkdirSync(runs)
      return (await mountDead(runs)) ?? false
    },
    which: 'thread',
    counted: { lost: 12 },
    warning: /were not written within limits\.closeMilliseconds/,
  },
}

/** What a child came to. */
interface Ended {
  readonly status: number | null
  readonly results: string
  readonly stats: readonly Readonly<Record<string, number>>[]
  readonly warnings: string
}

/** Whether the program can be read, and what it imports. */
const mayRunAsNobody = (): boolean =>
  process.getuid?.() !== 0 ||
  spawnSync(process.execPath, ['--eval', `import(${JSON.stringify(program)}).catch(() => process.exit(1))`], { uid: NOBODY, input: 'on\n' })
    .status === 3

async function runProgram(store: string, { which = 'both', breakIt, asNobody = false }: Partial<Failure>, runs: string): Promise<Ended> {
  const child = spawn(process.execPath, [program, store, which], {
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(asNobody && process.getuid?.() === 0 ? { uid: NOBODY } : {}),
  })
  const errors = text(child.stderr)
  let results = ''
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    results += piece
    if (!piece.endsWith('half\n')) return
    breakIt?.(runs)
    child.stdin.end('on\n')
  })
  const [status] = (await once(child, 'close')) as [number | null]
  const lines = (await errors).split('\n')
  const stats = lines.flatMap((line) => (line.startsWith('stats ') ? [JSON.parse(line.slice(6)) as Record<string, number>] : []))
  return { status, results, stats, warnings: lines.filter((line) => line.includes('Warning')).join('\n') }
}

const alone = new Map<string, Promise<Ended>>()

for (const [what, failure] of Object.entries(failures)) {
  it.runIf(process.platform === 'linux')(
    `ends with the agents’ results and each run counted, where the disk ${what}`,
    { timeout: 60_000 },
    async ({ skip }) => {
      const { store, prepare, asNobody = false, which = 'both', counted = { failed: 12 }, warning } = failure
      if (asNobody && !mayRunAsNobody()) skip('nobody else may read the program')
      await using directory = await createTemporaryDirectory()
      chmodSync(directory.path, 0o755)
      const runs = directory.resolve('runs')
      await using stack = new AsyncDisposableStack()
      // A directory that is removed must have nothing mounted.
      stack.defer(() => void run('umount', '-l', runs))
      const prepared = await prepare?.(runs)
      if (prepared === false) skip('nothing can be mounted here')
      if (typeof prepared === 'object') stack.use(prepared)
      const plain = alone.get(which) ?? runProgram('none', { which }, runs)
      alone.set(which, plain)
      const { results } = await plain
      const ended = await runProgram(store?.(directory) ?? runs, failure, runs)
      expect({ status: ended.status, results: ended.results }).toEqual({ status: 3, results })
      const nothing = { active: 0, watching: 0, writing: 0, cut: 0, sampledOut: 0, recorded: 0, failed: 0, lost: 0 }
      const all = { ...nothing, ...counted, begun: 12 }
      expect(ended.stats).toEqual((which === 'both' ? [all, all] : [all]).map((stats) => expect.objectContaining(stats) as unknown))
      expect(ended.warnings).toMatch(warning)
    },
  )
}
