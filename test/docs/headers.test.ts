import { expect, it } from 'vitest'
import { clientDefaults, correlationHeaders, leftOutHeaders } from '../../src/http/request-headers.ts'
import { readPage } from './pages.ts'

const { text: page } = readPage('docs/headers.md')

it('lists the request headers that are left out, each with its reason', () => {
  const rows = [...leftOutHeaders, correlationHeaders].map(
    ({ names, why }) => `| ${names.map((name) => `\`${name}\``).join(', ')} | ${why} |`,
  )
  for (const row of rows) expect(page).toContain(row)
  expect(page.match(/^\| `.* \| .* \|$/gm)?.filter((line) => line.split(' | ').length === 2)).toHaveLength(rows.length)
})

it('lists what clients set by themselves', () => {
  for (const { header, value, clients } of clientDefaults) expect(page).toContain(`| \`${header}\` | \`${value}\` | ${clients} |`)
})
