/** Writes docs/reference.md from the docstrings of the package's exports; with `--check`, only checks that the page is current. */
import { readFileSync, writeFileSync } from 'node:fs'
import { readPublicEntries } from './public-symbols.ts'
import { printReference } from './reference.ts'

const page = 'docs/reference.md'
const text = readPublicEntries(printReference)
if (!process.argv.includes('--check')) {
  writeFileSync(page, text)
} else if (readFileSync(page, 'utf8') !== text) {
  console.error(`${page} does not match the docstrings. Update it: npm run reference`)
  process.exitCode = 1
}
