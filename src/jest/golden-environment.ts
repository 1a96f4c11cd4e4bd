import { findNodeEnvironment } from './find-node-environment.ts'
import { type JestEnvironmentClass, withGoldenrun } from './with-goldenrun.ts'

/**
 * Jest's environment for Node, with goldenrun in its sandbox.
 *
 * @example
 * // jest.config.js
 * module.exports = { testEnvironment: 'goldenrun/jest/environment' }
 */
export const TestEnvironment: JestEnvironmentClass = withGoldenrun(findNodeEnvironment())
