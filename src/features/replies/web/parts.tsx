import { latePart } from '#lib/web/ui/late-part.tsx'

/** Shows the file of a message above its composer. */
export const AttachmentChip = latePart(() => import('./attachment-chip.tsx').then((module) => module.AttachmentChip))

/** Lists the saved replies above a composer, and inserts the chosen one. */
export const InsertReply = latePart(() => import('./saved/insert-reply.tsx').then((module) => module.InsertReply))
