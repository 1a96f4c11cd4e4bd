// NODE_OPTIONS=--experimental-vm-modules npm exec -- jest --rootDir examples/harness --config examples/harness/jest.config.js
export default { testEnvironment: 'goldenrun/jest/environment', testMatch: ['<rootDir>/harness.jest.js'], transform: {} }
