import { latePart } from '#lib/web/ui/late-part.tsx'

/** Shows what a shop knows about a customer, beside a chat. Its code loads after the page. */
export const CustomerPanel = latePart(() => import('./panel/customer-panel.tsx').then((module) => module.CustomerPanel))
