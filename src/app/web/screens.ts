import type { ComponentType } from 'react'
import { authPaths } from '#features/auth/paths.ts'
import { campaignPath, campaignPaths } from '#features/campaigns/paths.ts'
import { chatPaths } from '#features/chats/paths.ts'
import { contactPaths } from '#features/contacts/paths.ts'
import { dashboardPaths } from '#features/dashboards/paths.ts'
import { developerPaths } from '#features/developer/paths.ts'
import { notificationPaths } from '#features/notifications/paths.ts'
import { paymentPath, paymentPaths } from '#features/payments/paths.ts'
import { accountMarginPath, pricingPaths } from '#features/pricing/paths.ts'
import { privacyPath } from '#features/privacy/paths.ts'
import { statementPaths, userStatementPath } from '#features/statements/paths.ts'
import { templatePaths } from '#features/templates/paths.ts'
import { userPaths } from '#features/users/paths.ts'
import { walletPaths } from '#features/wallet/paths.ts'
import { whatsappPaths } from '#features/whatsapp/paths.ts'
import { callEarly } from '#lib/web/early-calls.ts'
import { matchPath } from '#lib/web/router/match.ts'
import { readStoredUser } from '#lib/web/session.ts'
import { loadLateStyles, setLateStyles } from '#lib/web/ui/late-styles.ts'
import lateStyles from './theme/late-mantine.css?url'

export type ReadScreen = () => Promise<ComponentType>

// Each import is written out, so that the build makes each screen a chunk.
export const adminScreens: Record<string, ReadScreen> = {
	[dashboardPaths.admin]: async () =>
		(await import('#features/dashboards/web/admin/admin-dashboard.tsx')).AdminDashboard,
	[userPaths.create]: async () => (await import('./screens/create-user-screen.tsx')).CreateUserScreen,
	[authPaths.auditTrail]: async () => (await import('#features/auth/web/audit-trail.tsx')).AuditTrail,
	[whatsappPaths.webhooks]: async () => (await import('#features/whatsapp/web/webhooks/webhooks.tsx')).Webhooks,
	[userPaths.manage]: async () => (await import('./screens/manage-users-screen.tsx')).ManageUsersScreen,
	[walletPaths.recharge]: async () =>
		(await import('#features/wallet/web/recharge/wallet-recharge.tsx')).WalletRecharge,
	[walletPaths.history]: async () =>
		(await import('#features/wallet/web/recharge/transaction-history.tsx')).TransactionHistory,
	[paymentPaths.all]: async () => (await import('#features/payments/web/admin/all-payments.tsx')).AllPayments,
	[statementPaths.refunds]: async () =>
		(await import('#features/statements/web/refunds/refunds-to-check.tsx')).RefundsToCheck,
	[userStatementPath(':userId')]: async () =>
		(await import('#features/statements/web/statement/user-statement.tsx')).UserStatement,
	[pricingPaths.management]: async () =>
		(await import('#features/pricing/web/pricing-management.tsx')).PricingManagement,
	[pricingPaths.rates]: async () => (await import('#features/pricing/web/rates/whatsapp-rates.tsx')).WhatsappRates,
	[pricingPaths.margins]: async () => (await import('#features/dashboards/web/margins/margins.tsx')).Margins,
	[accountMarginPath(':userId')]: async () =>
		(await import('#features/dashboards/web/margins/account-margin.tsx')).AccountMarginScreen,
}

export const userScreens: Record<string, ReadScreen> = {
	[dashboardPaths.user]: async () => (await import('#features/dashboards/web/user/user-dashboard.tsx')).UserDashboard,
	[campaignPaths.create]: async () => (await import('./screens/create-campaign-screen.tsx')).CreateCampaignScreen,
	[campaignPaths.list]: async () => (await import('#features/campaigns/web/list/my-campaigns.tsx')).MyCampaigns,
	[campaignPath(':id')]: async () =>
		(await import('#features/campaigns/web/report/campaign-detail.tsx')).CampaignDetail,
	[templatePaths.list]: async () => (await import('#features/templates/web/list/manage-templates.tsx')).ManageTemplates,
	[templatePaths.create]: async () =>
		(await import('#features/templates/web/create/create-template.tsx')).CreateTemplate,
	[contactPaths.list]: async () => (await import('#features/contacts/web/list/manage-contacts.tsx')).ManageContacts,
	[contactPaths.fields]: async () => (await import('#features/contacts/web/fields/tags-and-fields.tsx')).TagsAndFields,
	[contactPaths.optOuts]: async () => (await import('#features/contacts/web/opt-outs/opt-outs.tsx')).OptOuts,
	[privacyPath]: async () => (await import('#features/privacy/web/privacy.tsx')).Privacy,
	[contactPaths.upload]: async () => (await import('#features/contacts/web/upload/upload-contacts.tsx')).UploadContacts,
	[contactPaths.segments]: async () => (await import('#features/segments/web/segments.tsx')).Segments,
	[contactPaths.groups]: async () => (await import('#features/contacts/web/groups/contact-groups.tsx')).ContactGroups,
	[chatPaths.live]: async () => {
		// Loads the chat pane together with the list when a chat is open.
		if (location.search) import('#features/chats/web/chat-pane.tsx').catch(() => {})
		return (await import('#features/chats/web/live-chats.tsx')).LiveChats
	},
	[statementPaths.payments]: async () =>
		(await import('#features/statements/web/payment-transactions.tsx')).PaymentTransactions,
	[paymentPath(':id')]: async () => (await import('#features/payments/web/payment.tsx')).Payment,
	[developerPaths.developers]: async () => (await import('#features/developer/web/developers.tsx')).Developers,
	[notificationPaths.list]: async () =>
		(await import('#features/notifications/web/notifications.tsx')).NotificationList,
}

export const commonScreens: Record<string, ReadScreen> = {
	[userPaths.profile]: async () => (await import('#features/users/web/profile/my-profile.tsx')).MyProfile,
	[userPaths.settings]: async () => (await import('./screens/settings-screen.tsx')).SettingsScreen,
}

export const readLayout = async () => (await import('./shell/layout.tsx')).Layout
export const readLogin = async () => (await import('#features/auth/web/login.tsx')).Login

/**
 * Main GET call of each screen without a search in its URL. Written out, since importing the contracts would bring
 * their schemas, ten times the size of this file.
 */
const FIRST_CALLS: Record<string, string> = {
	[dashboardPaths.admin]: '/api/admin/dashboard',
	[dashboardPaths.user]: '/api/campaigns/dashboard',
	[campaignPaths.create]: '/api/templates?status=APPROVED&limit=30',
	[campaignPath(':id')]: '/api/campaigns/:id/refresh?page=1&limit=10',
	[chatPaths.live]: '/api/chats/contacts?limit=50',
}

/**
 * Requests the code and data of the screen at the page's URL. A separate small script that the page runs first: on a
 * slow network the screen loads in parallel with the shared code instead of after it.
 */
function readEarly(): void {
	setLateStyles(lateStyles)
	const isGuest = document.documentElement.hasAttribute('data-guest')
	const found = Object.entries({ ...adminScreens, ...userScreens, ...commonScreens }).find(([path]) => isAt(path))
	if (!found || isGuest || needsLateStyles(found[0])) void loadLateStyles()
	const reads = found && !isGuest ? [readLayout, found[1]] : found || isAt(authPaths.login) ? [readLogin] : []
	// A user without access to the screen is redirected, and needs no call.
	const firstCall = found && !(found[0] in (isAdmin() ? userScreens : adminScreens)) && FIRST_CALLS[found[0]]
	// Sent before the scripts: a browser sends six requests at a time, in order.
	if (firstCall && !location.search) callEarly(firstCall.replace(':id', location.pathname.split('/').at(-1) ?? ''))
	// The router imports it again and shows the error.
	for (const read of reads) read().catch(() => {})
}

/** Returns true unless mantine.css has all styles that the screen shows at once. */
export function needsLateStyles(path: string): boolean {
	return path !== dashboardPaths.user && path !== campaignPaths.create
}

function isAdmin(): boolean {
	const user = readStoredUser()
	return typeof user === 'object' && user !== null && 'role' in user && user.role === 'admin'
}

function isAt(path: string): boolean {
	return matchPath(path, location.pathname) !== null
}

readEarly()
