export const walletPaths = {
	recharge: '/admin/recharge/wallet',
	history: '/admin/recharge/wallet/transaction/history',
	refunds: '/admin/recharge/wallet/refunds',
	payments: '/user/recharge/transaction',
	ownStatement: '/user/recharge/transaction?tab=statement',
} as const

export function userStatementPath(userId: string): string {
	return `/admin/recharge/wallet/statement/${userId}`
}
