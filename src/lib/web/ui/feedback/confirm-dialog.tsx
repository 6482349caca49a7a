import { latePart } from '../late-part.tsx'

/** Asks before something that cannot be undone. Its code comes after the page's, which shows it later if at all. */
export const ConfirmDialog = latePart(() => import('./confirm-dialog-part.tsx').then((module) => module.ConfirmDialog))
