/**
 * Runs one of the big suites in full, where `npm test` and CI run a sample: `npm run test:full -- edits`. Further arguments are passed to
 * the suite's command.
 */
import { spawnSync } from 'node:child_process'

interface Suite {
  readonly command: string
  readonly env?: Readonly<Record<string, string>>
}

const suites: Readonly<Record<string, Suite>> = {
  advice: { command: 'vitest run --project=slow test/advice', env: { GOLDENRUN_ADVICE: 'all' } },
  addons: { command: 'node scripts/addons.ts' },
  conformance: { command: 'node scripts/conformance.ts' },
  determinism: { command: 'node scripts/determinism.ts' },
  doors: { command: 'node scripts/doors.ts' },
  drivers: { command: 'node scripts/conformance-drivers.ts' },
  edits: { command: 'vitest run --config vitest.edits.config.ts' },
  fence: { command: 'node bench/fence/prove.ts' },
  fleet: { command: 'node --max-semi-space-size=128 scripts/ship-fleet.ts' },
  hostile: { command: 'node scripts/hostile.ts' },
  inspect: { command: 'node scripts/inspect-hashes.ts' },
  kills: { command: 'node scripts/kills.ts' },
  mutations: { command: 'vitest run --project=shared test/trace/mutations.test.ts', env: { GOLDENRUN_MUTATIONS: '100000' } },
  pages: { command: 'vitest run --project=slow test/docs/pages.slow.test.ts' },
  places: { command: 'vitest run --project=slow test/redaction/kept-places.slow.test.ts', env: { GOLDENRUN_PLACES: '1000' } },
  projects: { command: 'vitest run --config vitest.projects.config.ts' },
  sdks: { command: 'node scripts/conformance-sdks.ts' },
  'ship-kills': { command: 'node scripts/ship-kills.ts' },
  soak: { command: 'node scripts/soak.ts' },
  stores: { command: 'vitest run --config vitest.services.config.ts store-faults', env: { GOLDENRUN_STORES: 'all' } },
  surfaces: { command: 'vitest run --project=slow test/surfaces', env: { GOLDENRUN_SURFACES: 'all' } },
  unsaid: { command: 'vitest run --project=slow test/unsaid', env: { GOLDENRUN_UNSAID: '1000' } },
  untouched: { command: 'node scripts/untouched.ts' },
}

const [name = '', ...args] = process.argv.slice(2)
const suite = suites[name]
if (suite === undefined) throw new Error(`No suite is called "${name}". There are: ${Object.keys(suites).join(', ')}.`)
// A shell finds the command on the PATH that npm set, also on Windows.
const command = [suite.command, ...args.map((arg) => `"${arg}"`)].join(' ')
const { status } = spawnSync(command, { shell: true, stdio: 'inherit', env: { ...process.env, ...suite.env } })
process.exitCode = status ?? 1
