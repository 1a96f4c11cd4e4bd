import resolve from '@rollup/plugin-node-resolve'
import commonjs from '@rollup/plugin-commonjs'
import json from '@rollup/plugin-json'

export default {
  input: 'src/server.mjs',
  output: { file: 'dist/rollup.mjs', format: 'es', inlineDynamicImports: true },
  plugins: [resolve({ preferBuiltins: true }), commonjs(), json()],
}
