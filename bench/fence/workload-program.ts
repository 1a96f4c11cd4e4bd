/**
 * A process that runs one workload with a built package, and prints its sample: `node workload-program.js <workload> <kind> <package> <provider>`. Runs
 * in the build's folder, where its goldens are.
 */
import type { Kind, Sample } from './figures.ts'
import { measure } from './meter.ts'
import type { Workload } from './workloads/workload.ts'

type Loaded = Promise<{ readonly workload: Workload }>

const workloads: Readonly<Record<string, () => Loaded>> = {
  'replayed-step': () => import('./workloads/replayed-step.ts'),
  'streamed-step': () => import('./workloads/streamed-step.ts'),
  conversation: () => import('./workloads/conversation.ts'),
  'recorded-call': () => import('./workloads/recorded-call.ts'),
  'recorded-stream': () => import('./workloads/recorded-stream.ts'),
  'recorded-100k': () => import('./workloads/recorded-100k.ts'),
  import: () => import('./workloads/import.ts'),
}

const [name = '', kind, folder = '', provider = ''] = process.argv.slice(2)
const load = workloads[name]
if (load === undefined) throw new Error(`There is no workload ${name} with a program. There are: ${Object.keys(workloads).join(', ')}.`)
const { workload } = await load()
const { units, run } = await workload({ folder, provider })
const whole = await measure(kind as Kind, run)
const sample: Sample = Object.fromEntries(Object.entries(whole).map(([figure, value]) => [figure, value / units]))
console.log(JSON.stringify(sample))
process.exit()
