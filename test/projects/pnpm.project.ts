import { describeProject } from '../support/describe-project.ts'

const pnpm = 'npx --yes --loglevel=error pnpm@12.21.0'

describeProject('pnpm', {
  install: [`${pnpm} install --frozen-lockfile --prefer-offline`, `${pnpm} add --save-dev --prefer-offline "<tarball>"`],
  runs: {
    'tells what it tells where npm installed it': {
      command: `${pnpm} test`,
      status: 1,
      expected: '../vitest-5/expected-output.txt',
      exec: 'pnpm exec',
    },
  },
})
