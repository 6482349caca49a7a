import { latePart } from '../late-part.tsx'

/** Asks for confirmation of an irreversible action. Its code loads after the page. */
export const ConfirmDialog = latePart(() => import('./confirm-dialog-part.tsx').then((module) => module.ConfirmDialog))
