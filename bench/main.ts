import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { bringRowCheckUpToDate } from '../scripts/write-row-check.ts'
import { formatFigures, type Figures, type Suite } from './figures.ts'
import { useSource } from './use-source.ts'
import { writeFigures } from './write-figures.ts'

bringRowCheckUpToDate()

const SUITES: Readonly<Record<string, () => Promise<Suite>>> = {
  replay: async () => (await import('./replay/suite.ts')).measureReplay,
  runner: async () => (await import('./runner/suite.ts')).measureRunner,
  record: async () => (await import('./record/suite.ts')).measureRecord,
  verdicts: async () => (await import('./verdicts/suite.ts')).measureVerdicts,
  friendly: async () => (await import('./friendly/suite.ts')).measureFriendly,
  travel: async () => (await import('./travel/suite.ts')).measureTravel,
  inspect: async () => (await import('./inspect/suite.ts')).measureInspect,
  doors: async () => (await import('./doors/suite.ts')).measureDoors,
  viewer: async () => (await import('./viewer/suite.ts')).measureViewer,
  fleet: async () => (await import('./fleet/suite.ts')).measureFleet,
  house: async () => (await import('./house/suite.ts')).measureHouse,
}

// npm run bench [-- <suite…>] [--json] [--write] [--quick] [--long] [--only <part of record>]
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
})
const chosen = positionals.length === 0 ? Object.keys(SUITES) : positionals
const unknown = chosen.filter((name) => !(name in SUITES))
if (unknown.length > 0) {
  console.error(`There is no suite ${unknown.join(', ')}. There are: ${Object.keys(SUITES).join(', ')}.`)
  process.exitCode = 2
} else if (values.json && chosen.length !== 1) {
  console.error('--json prints one object: name one suite.')
  process.exitCode = 2
} else if (values.write && values.quick) {
  console.error('--quick measures too little for figures that are written down: leave out --write.')
  process.exitCode = 2
} else if (values.only !== undefined && (values.write || chosen.join() !== 'record')) {
  console.error('--only is of the suite record, and measures too little to be written down.')
  process.exitCode = 2
} else {
  useSource()
  for (const name of chosen) {
    const figures = await run(name)
    print(figures, values.json)
    if (values.write) console.error(`Wrote ${await writeFigures(figures)}.`)
  }
}

async function run(name: string): Promise<Figures> {
  const measure = await SUITES[name]?.()
  if (measure === undefined) throw new Error(`There is no suite ${name}.`)
  const measured = await measure((line) => console.error(line), { quick: values.quick, long: values.long, only: values.only })
  return { ...measured, suite: name, node: process.versions.node, cores: availableParallelism(), metrics: roundValues(measured.metrics) }
}

/** Digits after the fourth are noise. */
function roundValues(metrics: Figures['metrics']): Figures['metrics'] {
  return Object.fromEntries(
    Object.entries(metrics).map(([name, metric]) => [name, { ...metric, value: Number(metric.value.toPrecision(4)) }]),
  )
}

function print(figures: Figures, asJson: boolean): void {
  console.log(asJson ? toJson(figures) : formatFigures(figures))
}

function toJson({ suite, node, cores, metrics, absences = {} }: Figures): string {
  return JSON.stringify({ suite, node, cores, metrics, ...(Object.keys(absences).length > 0 && { absences }) })
}
