import { describeProject } from '../support/describe-project.ts'

const runs = ['node-18', 'node-20', 'node-22.14', 'bun', 'deno'].map((name) => [
  `runs an agent unrecorded, and says so: ${name}`,
  { command: `npm run -s ${name}`, status: 0, expected: `expected-${name}.txt` },
])

describeProject('other-runtimes', { runs: Object.fromEntries(runs) as Parameters<typeof describeProject>[1]['runs'] })
