import { goldenrun } from 'goldenrun/vitest/plugin'

// The one test that the projects of every runner have.
export default { plugins: [goldenrun()], test: { include: ['verdicts/*.ts'], exclude: ['golden-traces/**'] } }
