import { createBrowserRouter, Outlet } from 'react-router'
import { ComingSoon } from './coming-soon.tsx'
import { afterSignIn, guestsOnly, landing, only } from './guard.ts'
import { NotFound } from './not-found.tsx'
import { PlainPage } from './plain-page.tsx'
import { ScreenError } from './screen-error.tsx'
import { Starting } from './starting.tsx'

// A lazy route names its screen's file in place, so that the build makes each screen a chunk of its own.
const screens = [
	{
		loader: only('admin'),
		children: [
			{
				path: '/admin/dashboard',
				lazy: async () => ({
					Component: (await import('#features/users/web/dashboard/admin-dashboard.tsx')).AdminDashboard,
				}),
			},
			{
				path: '/admin/create/user',
				lazy: async () => ({ Component: (await import('#features/users/web/manage/create-user.tsx')).CreateUser }),
			},
			{
				path: '/admin/audit',
				lazy: async () => ({ Component: (await import('#features/auth/web/audit-trail.tsx')).AuditTrail }),
			},
			{
				path: '/admin/manage/users',
				lazy: async () => ({ Component: (await import('./manage-users-screen.tsx')).ManageUsersScreen }),
			},
			{
				path: '/admin/recharge/wallet',
				lazy: async () => ({
					Component: (await import('#features/wallet/web/recharge/wallet-recharge.tsx')).WalletRecharge,
				}),
			},
			{
				path: '/admin/recharge/wallet/transaction/history',
				lazy: async () => ({
					Component: (await import('#features/wallet/web/recharge/transaction-history.tsx')).TransactionHistory,
				}),
			},
			{
				path: '/admin/recharge/wallet/statement/:userId',
				lazy: async () => ({
					Component: (await import('#features/wallet/web/statement/user-statement.tsx')).UserStatement,
				}),
			},
			{
				path: '/admin/pricing/management',
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
				path: '/user/dashboard',
				lazy: async () => ({
					Component: (await import('#features/campaigns/web/dashboard/user-dashboard.tsx')).UserDashboard,
				}),
			},
			{
				path: '/user/create/template/campaign',
				lazy: async () => ({
					Component: (await import('#features/campaigns/web/create/create-campaign.tsx')).CreateCampaign,
				}),
			},
			{
				path: '/user/view/template/campaign/message',
				lazy: async () => ({ Component: (await import('#features/campaigns/web/my-campaigns.tsx')).MyCampaigns }),
			},
			{
				path: '/campaign/:id',
				lazy: async () => ({
					Component: (await import('#features/campaigns/web/report/campaign-detail.tsx')).CampaignDetail,
				}),
			},
			{
				path: '/user/template/management',
				lazy: async () => ({
					Component: (await import('#features/templates/web/manage-templates.tsx')).ManageTemplates,
				}),
			},
			{ path: '/user/create/template', element: <ComingSoon name="Create Template" /> },
			{
				path: '/contact/management',
				lazy: async () => ({
					Component: (await import('#features/contacts/web/list/manage-contacts.tsx')).ManageContacts,
				}),
			},
			{
				path: '/upload/contact',
				lazy: async () => ({
					Component: (await import('#features/contacts/web/upload/upload-contacts.tsx')).UploadContacts,
				}),
			},
			{
				path: '/user/manage/contact/groups',
				lazy: async () => ({
					Component: (await import('#features/contacts/web/groups/contact-groups.tsx')).ContactGroups,
				}),
			},
			{ path: '/user/live/chats', element: <ComingSoon name="Live Chats" /> },
			{
				path: '/user/recharge/transaction',
				lazy: async () => ({
					Component: (await import('#features/wallet/web/payment-transactions.tsx')).PaymentTransactions,
				}),
			},
			{
				path: '/user/notifications',
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
				path: '/profile',
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
						path: '/login',
						lazy: async () => {
							const { Login } = await import('#features/auth/web/login.tsx')
							return { element: <Login destination={afterSignIn} /> }
						},
					},
					{
						path: '/forgot',
						lazy: async () => ({ Component: (await import('#features/auth/web/forgot.tsx')).Forgot }),
					},
				],
			},
			{
				element: plainPage,
				// Open to everybody: who has forgotten a password may still be signed in here.
				children: [
					{
						path: '/reset',
						lazy: async () => ({ Component: (await import('#features/auth/web/reset-password.tsx')).ResetPassword }),
					},
				],
			},
			{
				lazy: async () => ({ Component: (await import('./shell/layout.tsx')).Layout }),
				children: screens.map((group) => ({ ...group, errorElement: <ScreenError /> })),
			},
			{ path: '*', element: <NotFound /> },
		],
	},
])
