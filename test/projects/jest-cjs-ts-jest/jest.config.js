module.exports = { preset: 'ts-jest', testEnvironment: 'goldenrun/jest/environment' }
