import { useSource } from '../../use-source.ts'

// node --import fast-clock.ts?times=… record.ts <base URL> <folder>: records the run, and prints the path of its golden.
useSource()
const { recordGolden } = await import('../record-golden.ts')
const { waitEightySeconds } = await import('./agent.ts')

const [baseUrl = '', keepIn = ''] = process.argv.slice(2)
const { file } = await recordGolden({ input: {}, context: { baseUrl }, keepIn }, waitEightySeconds)
console.log(JSON.stringify(file))
