import { PageHeader } from '#lib/web/ui/page-header.tsx'

export function WalletRecharge() {
	return <PageHeader title="Wallet Recharge" />
}
