// oxlint-disable-next-line import/no-unassigned-import -- the same test, in another context of the same worker
import './replay.spec.ts'
