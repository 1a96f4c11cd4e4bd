export default { preset: 'goldenrun/jest' }
