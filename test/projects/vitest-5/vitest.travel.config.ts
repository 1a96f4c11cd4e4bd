import { goldenrun } from 'goldenrun/vitest/plugin'

// Back to a step of a golden, and on from there, some of it with a live model on loopback.
export default { plugins: [goldenrun()], test: { include: ['travel/*.ts'], slowTestThreshold: 60_000, exclude: ['golden-traces/**'] } }
