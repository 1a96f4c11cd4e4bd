import { expect, it } from 'vitest'
import { editVitestConfig, loadParser } from '../../../src/cli/init/vitest-config.ts'

const parse = await loadParser()

const imported = "import { goldenrun } from 'goldenrun/vitest/plugin'\n"
const own = "import { defineConfig } from 'vitest/config'\n"

it.each([
  [
    'an empty object',
    `${own}export default defineConfig({})\n`,
    `${own}${imported}export default defineConfig({ plugins: [goldenrun()] })\n`,
  ],
  [
    'an object on a line',
    `${own}\nexport default defineConfig({ test: { globals: true } })\n`,
    `${own}${imported}\nexport default defineConfig({ plugins: [goldenrun()], test: { globals: true } })\n`,
  ],
  [
    'an object on several lines',
    `${own}\nexport default defineConfig({\n  // Ours.\n  test: { globals: true },\n})\n`,
    `${own}${imported}\nexport default defineConfig({\n  // Ours.\n  plugins: [goldenrun()],\n  test: { globals: true },\n})\n`,
  ],
  [
    'plugins that are there',
    `${own}import react from '@vitejs/plugin-react'\nexport default defineConfig({ plugins: [react()] })\n`,
    `${own}import react from '@vitejs/plugin-react'\n${imported}export default defineConfig({ plugins: [goldenrun(), react()] })\n`,
  ],
  [
    'a list of none, double quotes, semicolons and the line ends of Windows',
    'import { defineConfig } from "vitest/config";\r\nexport default defineConfig({ plugins: [] });\r\n',
    'import { defineConfig } from "vitest/config";\r\nimport { goldenrun } from "goldenrun/vitest/plugin";\r\nexport default defineConfig({ plugins: [goldenrun()] });\r\n',
  ],
  ['an object without imports', 'export default { test: {} }\n', `${imported}\nexport default { plugins: [goldenrun()], test: {} }\n`],
  [
    'a function of the environment, and types',
    `${own}export default defineConfig(({ mode }: { mode: string }) => ({ test: { name: mode } }))\n`,
    `${own}${imported}export default defineConfig(({ mode }: { mode: string }) => ({ plugins: [goldenrun()], test: { name: mode } }))\n`,
  ],
  [
    'a constant',
    `${own}const config = defineConfig({ test: {} })\nexport default config\n`,
    `${own}${imported}const config = defineConfig({ plugins: [goldenrun()], test: {} })\nexport default config\n`,
  ],
  [
    'a spread behind plugins that are written out, and letters of other planes before',
    `// 😀 é\n${own}export default defineConfig({ plugins: [], ...shared })\n`,
    `// 😀 é\n${own}${imported}export default defineConfig({ plugins: [goldenrun()], ...shared })\n`,
  ],
])('edits %s, and nothing else', (_, text, expected) => {
  expect(editVitestConfig(text, parse)).toEqual({ status: 'edited', text: expected })
  // What was edited once is not edited again.
  expect(editVitestConfig(expected, parse)).toEqual({ status: 'unchanged' })
})

it.each([
  ['merges configs', `${own}export default mergeConfig(base, defineConfig({}))\n`],
  ['is made of a call', 'export default createConfig({})\n'],
  ['takes its plugins from elsewhere', `${own}export default defineConfig({ plugins })\n`],
  ['spreads what may hold plugins', `${own}export default defineConfig({ ...shared, test: {} })\n`],
  ['returns one of two', `${own}export default defineConfig(({ mode }) => { if (mode === 'x') return {}\n return { test: {} } })\n`],
  ['has projects of its own', `${own}export default defineConfig({ test: { projects: ['packages/*'] } })\n`],
  ['names goldenrun otherwise', `${own}// goldenrun is next\nexport default defineConfig({})\n`],
  ['exports nothing', 'export const config = {}\n'],
  ['is CommonJS', 'module.exports = { test: {} }\n'],
  ['cannot be parsed', 'export default defineConfig({\n'],
])('leaves a config alone that %s', (_, text) => {
  expect(editVitestConfig(text, parse)).toEqual({ status: 'unclear' })
})
