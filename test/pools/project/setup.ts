// oxlint-disable-next-line import/no-unassigned-import -- importing this entry opens the doors
import 'goldenrun/register'
