import path from 'node:path'
import { expect } from '@jest/globals'
import { lookForGoldensFrom } from '../stores/golden-directory.ts'

// In a workspace the tests of every package run from one directory.
lookForGoldensFrom(() => {
  const { testPath } = expect.getState()
  return testPath === undefined ? undefined : path.dirname(testPath)
})
