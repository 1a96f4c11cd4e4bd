import { describeProject } from '../support/describe-project.ts'

const runs = ['esm', 'cjs', 'minified', 'rollup', 'webpack', 'read-only', 'lambda'].map((name) => [
  `records a run of a server: ${name}`,
  { command: `npm run -s ${name}`, status: 0, expected: `expected-${name}.txt` },
])

describeProject('bundlers', { runs: Object.fromEntries(runs) as Parameters<typeof describeProject>[1]['runs'] })
