import { goldenrun } from 'goldenrun/vitest/plugin'

// The one test that the projects of every runner have.
export default {
  plugins: [goldenrun()],
  // What is printed does not depend on how fast the machine is.
  test: { include: ['verdicts/*.ts'], exclude: ['golden-traces/**'], slowTestThreshold: 60_000 },
}
