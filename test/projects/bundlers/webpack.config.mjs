export default {
  entry: './src/server.mjs',
  target: 'node22',
  output: { path: `${import.meta.dirname}/dist`, filename: 'webpack.cjs' },
}
