import { useSource } from '../use-source.ts'

// node --import ../replay/eighty-seconds/fast-clock.ts?times=… record.ts <base URL> <turns> <folder>: records a run, and prints the path of its golden.
useSource()
const { recordGolden } = await import('../replay/record-golden.ts')
const { takeTurns } = await import('./turns-agent.ts')

const [baseUrl = '', turns = '', keepIn = ''] = process.argv.slice(2)
const { file } = await recordGolden({ input: { turns: Number(turns) }, context: { baseUrl }, keepIn }, takeTurns)
console.log(JSON.stringify(file))
