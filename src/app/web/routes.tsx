import { createBrowserRouter, Outlet } from 'react-router'
import { authPaths } from '#features/auth/paths.ts'
import { campaignPath, campaignPaths } from '#features/campaigns/paths.ts'
import { chatPaths } from '#features/chats/paths.ts'
import { contactPaths } from '#features/contacts/paths.ts'
import { notificationPaths } from '#features/notifications/paths.ts'
import { pricingPaths } from '#features/pricing/paths.ts'
import { templatePaths } from '#features/templates/paths.ts'
import { userPaths } from '#features/users/paths.ts'
import { userStatementPath, walletPaths } from '#features/wallet/paths.ts'
import { whatsappPaths } from '#features/whatsapp/paths.ts'
import { afterSignIn, guestsOnly, isAnotherScreen, landing, only } from './guard.ts'
import { PlainPage } from './plain-page.tsx'
import { ScreenError } from './screen-error.tsx'

// A lazy route names its screen's file in place, so that the build makes each screen a chunk of its own.
const screens = [
	{
		loader: only('admin'),
		children: [
			{
				path: userPaths.adminDashboard,
				lazy: async () => ({
					Component: (await import('#features/users/web/dashboard/admin-dashboard.tsx')).AdminDashboard,
				}),
			},
			{
				path: userPaths.create,
				lazy: async () => ({ Component: (await import('#features/users/web/manage/create-user.tsx')).CreateUser }),
			},
			{
				path: authPaths.auditTrail,
				lazy: async () => ({ Component: (await import('#features/auth/web/audit-trail.tsx')).AuditTrail }),
			},
			{
				path: whatsappPaths.webhooks,
				lazy: async () => ({ Component: (await import('#features/whatsapp/web/webhooks/webhooks.tsx')).Webhooks }),
			},
			{
				path: userPaths.manage,
				lazy: async () => ({ Component: (await import('./manage-users-screen.tsx')).ManageUsersScreen }),
			},
			{
				path: walletPaths.recharge,
				lazy: async () => ({
					Component: (await import('#features/wallet/web/recharge/wallet-recharge.tsx')).WalletRecharge,
				}),
			},
			{
				path: walletPaths.history,
				lazy: async () => ({
					Component: (await import('#features/wallet/web/recharge/transaction-history.tsx')).TransactionHistory,
				}),
			},
			{
				path: walletPaths.refunds,
				lazy: async () => ({
					Component: (await import('#features/wallet/web/refunds/refunds-to-check.tsx')).RefundsToCheck,
				}),
			},
			{
				path: userStatementPath(':userId'),
				lazy: async () => ({
					Component: (await import('#features/wallet/web/statement/user-statement.tsx')).UserStatement,
				}),
			},
			{
				path: pricingPaths.management,
				lazy: async () => ({
					Component: (await import('#features/pricing/web/pricing-management.tsx')).PricingManagement,
				}),
			},
		],
	},
	{
		loader: only('user'),
		children: [
			{
				path: campaignPaths.dashboard,
				lazy: async () => ({
					Component: (await import('#features/campaigns/web/dashboard/user-dashboard.tsx')).UserDashboard,
				}),
			},
			{
				path: campaignPaths.create,
				lazy: async () => ({
					Component: (await import('#features/campaigns/web/create/create-campaign.tsx')).CreateCampaign,
				}),
			},
			{
				path: campaignPaths.list,
				lazy: async () => ({ Component: (await import('#features/campaigns/web/list/my-campaigns.tsx')).MyCampaigns }),
			},
			{
				path: campaignPath(':id'),
				lazy: async () => ({
					Component: (await import('#features/campaigns/web/report/campaign-detail.tsx')).CampaignDetail,
				}),
			},
			{
				path: templatePaths.list,
				lazy: async () => ({
					Component: (await import('#features/templates/web/list/manage-templates.tsx')).ManageTemplates,
				}),
			},
			{
				path: templatePaths.create,
				lazy: async () => ({
					Component: (await import('#features/templates/web/create/create-template.tsx')).CreateTemplate,
				}),
			},
			{
				path: contactPaths.list,
				lazy: async () => ({
					Component: (await import('#features/contacts/web/list/manage-contacts.tsx')).ManageContacts,
				}),
			},
			{
				path: contactPaths.optOuts,
				lazy: async () => ({ Component: (await import('#features/contacts/web/opt-outs/opt-outs.tsx')).OptOuts }),
			},
			{
				path: contactPaths.upload,
				lazy: async () => ({
					Component: (await import('#features/contacts/web/upload/upload-contacts.tsx')).UploadContacts,
				}),
			},
			{
				path: contactPaths.groups,
				lazy: async () => ({
					Component: (await import('#features/contacts/web/groups/contact-groups.tsx')).ContactGroups,
				}),
			},
			{
				path: chatPaths.live,
				lazy: async () => ({ Component: (await import('#features/chats/web/live-chats.tsx')).LiveChats }),
			},
			{
				path: walletPaths.payments,
				lazy: async () => ({
					Component: (await import('#features/wallet/web/payment-transactions.tsx')).PaymentTransactions,
				}),
			},
			{
				path: notificationPaths.list,
				lazy: async () => ({
					Component: (await import('#features/notifications/web/notifications.tsx')).NotificationList,
				}),
			},
		],
	},
	{
		loader: only('admin', 'user'),
		children: [
			{
				path: userPaths.profile,
				lazy: async () => ({ Component: (await import('./my-profile-screen.tsx')).MyProfileScreen }),
			},
		],
	},
]

const plainPage = (
	<PlainPage>
		<Outlet />
	</PlainPage>
)

export const router = createBrowserRouter([
	{
		errorElement: <ScreenError />,
		hydrateFallbackElement: <Starting />,
		children: [
			{
				path: '/',
				loader: landing,
				lazy: async () => ({ Component: (await import('./landing-page.tsx')).LandingPage }),
			},
			{
				element: plainPage,
				loader: guestsOnly,
				children: [
					{
						path: authPaths.login,
						lazy: async () => {
							const { Login } = await import('#features/auth/web/login.tsx')
							return { element: <Login destination={afterSignIn} /> }
						},
					},
					{
						path: authPaths.forgot,
						lazy: async () => ({ Component: (await import('#features/auth/web/forgot.tsx')).Forgot }),
					},
				],
			},
			{
				element: plainPage,
				// Open to everybody: who has forgotten a password may still be signed in here.
				children: [
					{
						path: authPaths.reset,
						lazy: async () => ({ Component: (await import('#features/auth/web/reset-password.tsx')).ResetPassword }),
					},
					{
						path: authPaths.secondFactor,
						loader: only('admin', 'user'),
						lazy: async () => ({
							Component: (await import('#features/auth/web/required-second-factor.tsx')).RequiredSecondFactor,
						}),
					},
					{
						path: `${authPaths.emailChange}/:wanted`,
						lazy: async () => ({ Component: (await import('#features/auth/web/email-change.tsx')).EmailChange }),
					},
				],
			},
			{
				lazy: async () => ({ Component: (await import('./shell/layout.tsx')).Layout }),
				children: screens.map((group) => ({
					...group,
					errorElement: <ScreenError />,
					shouldRevalidate: isAnotherScreen,
				})),
			},
			{ path: '*', lazy: async () => ({ Component: (await import('./not-found.tsx')).NotFound }) },
		],
	},
])

/** While the code of the first screen is on its way: nothing moves, nothing flashes. */
function Starting() {
	return <div aria-busy="true" />
}
