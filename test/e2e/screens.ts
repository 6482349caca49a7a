import type { Page } from 'playwright-core'

/** Screens of the route table, by the role that may see them. */
export const GUEST_SCREENS = [
	'/login',
	'/forgot',
	'/reset',
	'/email-change/undo',
	'/email-change/agree',
	'/developers/docs',
]

export const ADMIN_SCREENS = [
	'/admin/dashboard',
	'/admin/create/user',
	'/admin/manage/users',
	'/admin/audit',
	'/admin/webhooks',
	'/admin/recharge/wallet',
	'/admin/recharge/wallet/refunds',
	'/admin/recharge/wallet/payments',
	'/admin/recharge/wallet/transaction/history',
	'/admin/recharge/wallet/statement/2',
	'/admin/pricing/management',
	'/admin/pricing/rates',
	'/admin/pricing/margins',
	'/admin/pricing/margins/2',
]

export const USER_SCREENS = [
	'/user/dashboard',
	'/user/create/template/campaign',
	'/user/view/template/campaign/message',
	'/campaign/1',
	'/user/template/management',
	'/user/create/template',
	'/contact/management',
	'/contact/opt-outs',
	'/contact/privacy',
	'/contact/segments',
	'/contact/tags-and-fields',
	'/upload/contact',
	'/user/manage/contact/groups',
	'/user/live/chats',
	'/user/recharge/transaction',
	'/user/payment/1',
	'/user/notifications',
	'/developers',
]

export const COMMON_SCREENS = ['/profile', '/settings', '/second-factor']

export interface Screen {
	path: string
	/** Name that distinguishes this state from other screens with the same path. */
	state?: string
	/** Brings the loaded screen into this state. */
	open?(page: Page): Promise<void>
}

export interface ScreensOfRole {
	role: 'guest' | 'admin' | 'user'
	screens: Screen[]
}

const plain = (paths: string[]): Screen[] => paths.map((path) => ({ path }))

/**
 * Returns every screen by role, and the states of a screen that look like another screen. The landing page needs LANDING=page.
 * The default ids are those of the demo data.
 */
export function screensByRole({ campaignId = 1, paymentId = 1, userId = 2 } = {}): ScreensOfRole[] {
	const admin = ADMIN_SCREENS.map((path) => path.replace(/(statement)\/2$/, `$1/${userId}`))
	const user = USER_SCREENS.map((path) =>
		path.replace(/^(\/campaign)\/1$/, `$1/${campaignId}`).replace(/(payment)\/1$/, `$1/${paymentId}`),
	)
	return [
		{ role: 'guest', screens: plain(['/', ...GUEST_SCREENS, '/nowhere']) },
		{ role: 'admin', screens: plain([...admin, ...COMMON_SCREENS]) },
		{ role: 'user', screens: [...plain([...user, ...COMMON_SCREENS]), ...OTHER_STATES] },
	]
}

const OTHER_STATES: Screen[] = [
	{ path: '/upload/contact?tab=bulk', state: 'bulk' },
	{ path: '/profile?edit=1', state: 'editing' },
	...['alerts', 'rules', 'replies', 'people', 'activity', 'security', 'data', 'developers'].map((part) => ({
		path: `/settings?part=${part}`,
		state: part,
	})),
	{
		path: '/user/live/chats',
		state: 'a chat is open',
		async open(page) {
			await page.getByRole('navigation', { name: 'Chats' }).getByRole('link').first().click()
			await page.getByRole('log').waitFor()
		},
	},
]
