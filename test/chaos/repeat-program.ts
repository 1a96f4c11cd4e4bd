/** Replays one program many times: `node repeat-program.ts <name> <replays> <seed>`. Prints what came of it as one line of JSON. */
import { programs } from './programs.ts'
import { repeat } from './repeat.ts'

const [name = '', replays = '', seed = ''] = process.argv.slice(2)
const create = programs[name]
if (create === undefined) throw new Error(`No program is called ${name}. There are: ${Object.keys(programs).join(', ')}.`)
console.log(JSON.stringify(await repeat(create(seed), Number(replays))))
