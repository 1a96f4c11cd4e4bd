import { mergeConfig, type ViteUserConfig } from 'vitest/config'
import config from './vitest.shared.config.ts'

// The whole matrix of edits takes minutes: `npm run test:edits`. A part of it is in the ordinary suite.
const edits: ViteUserConfig = mergeConfig(config, { test: { testTimeout: 3_600_000 } })
edits.test = { ...edits.test, include: ['test/edits/whole.matrix.ts'] }

export default edits
