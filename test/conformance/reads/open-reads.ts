/** Probes that a replay does not give what was recorded, and why. */
export interface OpenReads {
  /** Names of modes. */
  readonly modes: readonly string[]
  /** By the way that the module was loaded. */
  readonly probes: Readonly<Partial<Record<'modules' | 'packages' | 'commonJs', readonly string[]>>>
  readonly why: string
}

const countingModules = ['uuid v1', 'uuid v7', 'nanoid', 'nanoid of an alphabet', 'ulid, monotonic', 'cuid2']
const countingCommonJs = ['ulid, monotonic']
const named = [
  'wait: setTimeout of node:timers/promises',
  'wait: setImmediate of node:timers/promises',
  'wait: setInterval of node:timers/promises',
  'wait: setTimeout of node:timers',
]

/** All of them. One that is held again is to be taken out. */
export const openReads: readonly OpenReads[] = [
  {
    modes: ['node, early'],
    probes: {
      modules: ['Date.now', 'Date', 'Temporal.Now.instant, taken'],
      commonJs: [
        'randomUUID of node:crypto',
        'randomUUID of node:crypto, bound',
        'randomUUID of the global crypto, bound',
        'randomBytes of node:crypto',
        'randomBytes of node:crypto, called back',
        'randomInt of node:crypto',
        'randomInt of node:crypto, called back',
        'randomFill of node:crypto, called back',
        'randomFillSync of node:crypto',
        'Math.random',
        'Date.now',
        'Date',
        'a subclass of Date',
        'process.hrtime',
        'process.hrtime.bigint',
        'process.uptime',
        'performance.now',
        'format of Intl.DateTimeFormat',
        'cpus of node:os',
        'process.memoryUsage',
        'process.cpuUsage',
        'process.resourceUsage',
        'wait: setTimeout of node:timers/promises',
        'wait: setImmediate of node:timers/promises',
        'wait: setTimeout of node:timers',
        'wait: setTimeout',
        'wait: promisify(setTimeout)',
        'wait: AbortSignal.timeout, bound',
      ],
    },
    why: 'anything that a module captured before the doors opened is out of reach. `--import goldenrun/register` opens them first.',
  },
  {
    modes: ['node, early', 'node, late'],
    probes: { modules: countingModules, commonJs: countingCommonJs },
    why: 'id libraries keep random bytes or a counter for the next id from before the run. `goldenrun/register` gives each run its own.',
  },
  {
    modes: ['vmForks', 'vmThreads'],
    probes: { modules: named, packages: named },
    why: "in a `node:vm` context, named imports of Node's modules are copies. Those that were made before the doors opened cannot be updated. `execArgv`, in addition to the setup file, has them made of the doors.",
  },
  {
    modes: ['vmForks', 'vmThreads', 'vmForks, --import', 'vmThreads, --import'],
    probes: { modules: countingModules, packages: countingModules, commonJs: countingCommonJs },
    why: "Vitest's vm pools load packages without Node's hooks, so id libraries keep random bytes or a counter from before the run. In the pools forks and threads each run has its own.",
  },
]
