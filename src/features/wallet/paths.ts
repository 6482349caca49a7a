export const walletPaths = {
	recharge: '/admin/recharge/wallet',
	history: '/admin/recharge/wallet/transaction/history',
} as const
