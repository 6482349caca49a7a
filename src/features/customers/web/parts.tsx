import { latePart } from '#lib/web/ui/late-part.tsx'

/** Shows the contact, last campaigns and notes of a chat's customer beside the chat. Its code loads after the page. */
export const CustomerPanel = latePart(() => import('./panel/customer-panel.tsx').then((module) => module.CustomerPanel))
