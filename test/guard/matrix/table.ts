import { table } from '../../conformance/table.ts'
import type { Outcome } from './run-matrix.ts'

/** What came of ways out, as `docs/doors.md` tells it. */
export function writeTable(outcomes: readonly Outcome[]): string {
  const nodes = [...new Set(outcomes.map(({ node }) => node))]
  const groups = [...new Set(outcomes.map(({ trial }) => trial.group))]
  const settings = [...new Set(outcomes.map(({ setting }) => setting))]
  const rows = groups.map((group) => {
    const of = outcomes.filter(({ trial }) => trial.group === group)
    const cells = settings.map((setting) => {
      const here = of.filter((outcome) => outcome.setting === setting)
      const out = here.filter(({ isGreen, touched }) => isGreen === true && touched.length > 0)
      return `${here.length - out.length}/${here.length}`
    })
    return [group, String(new Set(of.map(({ trial }) => trial.way)).size), ...cells]
  })
  const out = outcomes.filter(({ isGreen, touched }) => isGreen === true && touched.length > 0)
  const open = [...new Set(out.map(({ trial }) => trial.way.name))]
  const ways = new Set(outcomes.map(({ trial }) => trial.way)).size
  return `
${ways} ways on Node ${nodes.map((node) => node.slice(1)).join(', ')}. A cell counts the trials on all Nodes that were red or reached nothing, out of all.

${table(['through', 'ways', ...settings], rows)}

Reached the world in a green run, as listed above:

${open.map((name) => `- ${name}`).join('\n')}

`
}
