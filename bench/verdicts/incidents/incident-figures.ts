import type { Metrics } from '../../figures.ts'
import { INCIDENTS, isFalseHold, isFalseRed, judgeIncident, type JudgedVariant } from './judge-incidents.ts'

/** The verdicts of incident goldens on changed agents, with each wrong verdict. */
export interface IncidentFigures {
  readonly metrics: Metrics
  readonly mistakes: readonly string[]
}

/** Runs the agents of all incidents against their goldens. */
export async function measureIncidents(note: (line: string) => void): Promise<IncidentFigures> {
  const judged: JudgedVariant[] = []
  for (const incident of INCIDENTS) {
    note(`Holding ${incident.variants.length} agents against the incident "${incident.name}".`)
    judged.push(...(await judgeIncident(incident)))
  }
  const agents = new Set(judged.map(({ incident, variant }) => `${incident}: ${variant}`)).size
  const [holds, reds] = [judged.filter((each) => isFalseHold(each)), judged.filter((each) => isFalseRed(each))]
  const count = (value: number, against: string): Metrics[string] => ({ value, unit: 'verdicts', goal: 0, against })
  const isOpen = ({ expected }: JudgedVariant): boolean => expected === 'cannot tell'
  return {
    metrics: {
      incident_agents: {
        value: agents,
        unit: 'agents',
        goal: 60,
        better: 'more',
        against: `${INCIDENTS.length} incidents, ${judged.length} verdicts`,
      },
      incident_false_holds: count(
        holds.length,
        `of ${judged.filter(({ expected }) => expected === 'does not hold').length} that must not hold`,
      ),
      incident_false_reds: count(reds.length, `of ${judged.filter(({ expected }) => expected === 'holds').length} that have to hold`),
      incident_not_decided: {
        value: judged.filter((each) => isOpen(each)).length,
        unit: 'verdicts',
        against: 'depends on an answer that was not given',
      },
    },
    mistakes: [...holds, ...reds].map(
      ({ incident, way, variant, expected, seen }) =>
        `${incident}, promoted with ${way}: ${variant}: expected "${expected}", goldenrun says ${seen}`,
    ),
  }
}
