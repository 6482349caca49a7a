export const statementPaths = {
	refunds: '/admin/recharge/wallet/refunds',
	payments: '/user/recharge/transaction',
	own: '/user/recharge/transaction?tab=statement',
} as const

export function userStatementPath(userId: string): string {
	return `/admin/recharge/wallet/statement/${userId}`
}
