const swc = { jsc: { parser: { syntax: 'typescript' }, target: 'es2024' }, sourceMaps: 'inline' }

module.exports = { testEnvironment: 'goldenrun/jest/environment', transform: { '\\.ts$': ['@swc/jest', swc] } }
