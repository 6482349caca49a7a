import { Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useCurrentUser } from '#features/auth/web/parts.tsx'
import { AddMoneyButton } from '#features/payments/web/add-money-button.tsx'
import { OnlinePayments } from '#features/payments/web/parts.tsx'
import { OwnPrices } from '#features/pricing/web/parts.tsx'
import { users } from '#features/users/contract.ts'
import { wallet } from '#features/wallet/contract.ts'
import { formatRupees } from '#lib/money.ts'
import { query } from '#lib/web/query.ts'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { PageHeader } from '#lib/web/ui/layout/page-header.tsx'
import { useSearchText } from '#lib/web/ui/state/use-search-text.ts'
import { PaymentList } from './payment-list.tsx'
import { MonthlyStatement } from './statement/monthly-statement.tsx'
import { Statement } from './statement/statement.tsx'
import styles from './statement/statement.module.css'

/** Renders the specified table of payments and, in a second tab, the full wallet statement. */
export function PaymentTransactions() {
	const userId = useCurrentUser()?.id ?? ''
	const profile = useQuery(query(users.me))
	const [tab, setTab] = useSearchText('tab')
	return (
		<>
			<PageHeader
				title="Payment Transactions"
				hint="Recharges and spending from your wallet."
				actions={
					<>
						<MonthlyStatement userId={userId} since={profile.data?.createdAt} />
						<AddMoneyButton className={styles.add} />
					</>
				}
			/>
			<div className="stack">
				<RefundsWaiting />
				<Tabs
					value={tab === 'statement' || tab === 'prices' ? tab : 'payments'}
					onChange={(to) => setTab(to === null || to === 'payments' ? '' : to)}
				>
					<Tabs.List mb={16}>
						<Tabs.Tab value="payments">Payments</Tabs.Tab>
						<Tabs.Tab value="statement">Statement</Tabs.Tab>
						<Tabs.Tab value="prices">Prices</Tabs.Tab>
					</Tabs.List>
					<Tabs.Panel value="payments">
						<div className="stack">
							<Card flush>
								<PaymentList userId={userId} />
							</Card>
							<OnlinePayments />
						</div>
					</Tabs.Panel>
					<Tabs.Panel value="statement">{tab === 'statement' && <Statement userId={userId} />}</Tabs.Panel>
					<Tabs.Panel value="prices">{tab === 'prices' && <OwnPrices />}</Tabs.Panel>
				</Tabs>
			</div>
		</>
	)
}

/** Shows the amount of the account's refunds that wait for an admin; nothing without any. */
function RefundsWaiting() {
	const { data } = useQuery(query(wallet.balance))
	if (!data || data.refundsWaiting === 0) return null
	return (
		<Notice tone="info" title={`A refund of ${formatRupees(data.refundsWaiting)} is being checked`}>
			It is larger than usual, so an administrator checks it first. You are notified of the decision.
		</Notice>
	)
}
