import { appConfig } from '#lib/web/app-config.ts'
import { latePart } from '#lib/web/ui/late-part.tsx'

/** Renders the button beside the balance in the header, and the dialog that adds money, which all screens share. */
export const AddMoneyInHeader = latePart(() => import('./add/header-button.tsx').then((module) => module.HeaderButton))

/** Renders a link within a sentence that opens this dialog. */
export const AddMoneyLink = latePart(() => import('./add/add-money-link.tsx').then((module) => module.AddMoneyLink))

const ShownPayments = latePart(() => import('./online-payments.tsx').then((module) => module.OnlinePayments))

/** Renders the list of online payments; nothing where they are not configured. */
export const OnlinePayments = () => appConfig.addMoney && <ShownPayments />
