import { programs } from '../../chaos/programs.ts'
import { repeatInspected } from './repeat-inspected.ts'

// node repeat-inspected-program.ts <program of test/chaos> <replays> <seed>
const [name = '', replays = '1', seed = ''] = process.argv.slice(2)
const create = programs[name]
if (create === undefined) throw new Error(`No program is called "${name}".`)
process.stdout.write(`${JSON.stringify(await repeatInspected(create(seed), Number(replays)))}\n`, () => process.exit(0))
