/** The screens of the route table, by who may see them. */
export const GUEST_SCREENS = ['/login', '/forgot', '/reset']

export const ADMIN_SCREENS = [
	'/admin/dashboard',
	'/admin/create/user',
	'/admin/manage/users',
	'/admin/audit',
	'/admin/webhooks',
	'/admin/recharge/wallet',
	'/admin/recharge/wallet/transaction/history',
	'/admin/recharge/wallet/statement/2',
	'/admin/pricing/management',
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
	'/upload/contact',
	'/user/manage/contact/groups',
	'/user/live/chats',
	'/user/recharge/transaction',
	'/user/notifications',
]

export const COMMON_SCREENS = ['/profile']
