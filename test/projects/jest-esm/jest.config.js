const swc = { jsc: { parser: { syntax: 'typescript' }, target: 'es2024' }, module: { type: 'es6' }, sourceMaps: 'inline' }

export default {
  testEnvironment: 'goldenrun/jest/environment',
  transform: { '\\.ts$': ['@swc/jest', swc] },
  extensionsToTreatAsEsm: ['.ts'],
}
