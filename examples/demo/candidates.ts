import { FIX, type Edit } from '../support-agent/fix.ts'
import type { Narrator } from './narrator.ts'
import type { Project } from './project.ts'
import { editAgent, type Run } from './run-as-told.ts'

/** Three edits of the line that books the second refund, and what a fork of the incident comes to with each. */
const CANDIDATES: readonly { readonly edit: Edit; readonly shows: string }[] = [
  { edit: { ...FIX, to: FIX.from.replace('2', '3') }, shows: 'The agent did the same as in the recorded run.' },
  { edit: { ...FIX, to: FIX.from.replace('2', '1') }, shows: 'Returned {"reply":"I could not refund ord_1001."}' },
  { edit: FIX, shows: 'find_refund({"order_id":"ord_1001"})' },
]

/** Forks the incident, which is the latest recording, once with each candidate, and compares it with its forks. The agent is left as it was. */
export async function compareCandidates(project: Project, narrator: Narrator, run: Run): Promise<void> {
  for (const [count, { edit, shows }] of CANDIDATES.entries()) {
    await editAgent(project, narrator, edit)
    // Each fork is a recording, and then the latest.
    await run([`npx goldenrun fork ${count === 0 ? 'latest' : `latest~${count}`} --then sandbox`], { shows: [shows] })
    await project.edit(`src/${edit.file}`, { ...edit, from: edit.to, to: edit.from })
  }
  narrator.act('One table compares the incident with its three forks.')
  await run(['npx goldenrun diff latest~3 latest~2 latest~1 latest'], {
    status: 1,
    shows: ['refund_order, refund_order', 'step 7: missing call (refund_order)', 'after step 5: unexpected call (find_refund('],
  })
  narrator.say('A third try changes nothing. Without a second one, the customer is told that there is no refund, though there is one.')
  narrator.say('With the last fix there is one refund, and the customer is told so.')
}
