import { expect, it } from 'vitest'
import { createRedactor } from '../../src/redaction/redactor.ts'
import { numbered } from '../support/numbered-stand-ins.ts'

const drawn = 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'
const lower = 'a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6e7f8'
const keys = [
  `ghp_${drawn}`,
  `ghp_${lower}`,
  `npm_${drawn}`,
  `github_pat_11${drawn}`,
  `glpat-${drawn.slice(0, 20)}`,
  `sk_live_${drawn.slice(0, 24)}`,
  `xoxb-123456789012-1234567890123-${drawn.slice(0, 24)}`,
  `sk-ant-api03-${drawn}-${drawn}`,
  `sk-proj-${drawn}`,
  `gsk_${drawn}`,
  `dop_v1_${lower}`,
  `shpat_${lower.slice(0, 32)}`,
]
const behindSigns = [...keys, 'AKIAIOSFODNN7QXZW3RT', `hf_${drawn}`, `sk-${drawn}`]

it.each(behindSigns)('finds %s behind a sign', (key) => {
  for (const before of ['a_', 't-', 'lookup_', '_', '-']) {
    const redactor = createRedactor()
    expect(numbered(redactor.text(`${before}${key}`), redactor.standIns)).toContain('REDACTED0')
  }
})

it.each(keys)('finds %s behind a letter', (key) => {
  for (const before of ['a', 'N', 'key', '7']) {
    const redactor = createRedactor()
    const redacted = redactor.text(`${before}${key}`)
    expect(numbered(redacted, redactor.standIns)).toContain('REDACTED0')
    expect(redactor.text(redacted)).toBe(redacted)
  }
})

it.each([
  'task_live_01HXYZ5T9K2M4N6P8Q0R2S4T6V',
  'network_test_3f1a9c0e5b7d2468ace01357',
  'pnpm_lockfile_version_number_9_of_the_repository',
  'highp_precision_float_value_of_the_shader_1',
  'task-force-of-the-year-2026-and-others',
  'data-access-production-3f1a9c0e-5b7d-2468-ace0-13579bdf2468',
  'my-sk-learn-contrib-pipeline-for-everyone',
  'QmAKIAIOSFODNN7QXZW3RT',
])('leaves %s as it is', (text) => {
  expect(createRedactor().text(text)).toBe(text)
})
