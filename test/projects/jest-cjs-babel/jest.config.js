module.exports = { testEnvironment: 'goldenrun/jest/environment' }
