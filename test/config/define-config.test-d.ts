import { defineConfig, type GoldenrunConfig } from 'goldenrun/config'

export const config: GoldenrunConfig = defineConfig({
  agents: { support: './src/agent.ts#supportAgent' },
  replay: { normalize: { 'args.at': 'date', 'args.id': (id: string) => id.length }, allowModelDrift: [{ from: 'a', to: 'b' }] },
  check: { models: { support: ['gpt-5'] } },
})

// @ts-expect-error a field that it does not know
defineConfig({ agent: {} })
// @ts-expect-error a normalizer that it does not know
defineConfig({ replay: { normalize: { 'args.id': 'upper' } } })
// @ts-expect-error one name only
defineConfig({ replay: { allowModelDrift: [{ from: 'a' }] } })
// @ts-expect-error an age in words
defineConfig({ check: { maxAgeDays: '90' } })
