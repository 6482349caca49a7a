import {
	IconAlertTriangle,
	IconCalendarMonth,
	IconCurrencyRupee,
	IconSend,
	IconUsers,
	IconWallet,
} from '@tabler/icons-react'
import type { AdminStats } from '#features/dashboards/admin-contract.ts'
import { formatRupees } from '#lib/money.ts'
import { formatCount, plural } from '#lib/numbers.ts'
import { StatTile } from '#lib/web/ui/layout/stat-tile.tsx'
import styles from './admin-dashboard.module.css'

const ICON = { size: 20, 'aria-hidden': true } as const

/** Renders the totals of all accounts; skeletons while they load. */
export function AdminTiles({ stats }: { stats: AdminStats | undefined }) {
	const { accounts, messages, money } = stats ?? {}
	const open = stats?.affectedCount
	return (
		<div className={styles.tiles}>
			<StatTile
				label="Accounts"
				value={accounts && formatCount(accounts.users + accounts.admins)}
				hint={accounts && accountsHint(accounts)}
				icon={<IconUsers {...ICON} />}
			/>
			<StatTile
				label="Needs attention"
				value={open === undefined ? open : formatCount(open)}
				hint={
					open === undefined
						? open
						: open === 0
							? 'Every account can send'
							: 'Accounts that cannot send, or need a check'
				}
				icon={<IconAlertTriangle {...ICON} />}
				tone={open ? 'error' : 'ok'}
			/>
			<StatTile
				label="Messages today"
				value={messages && formatCount(messages.today.sent)}
				hint={
					messages && `${formatCount(messages.today.delivered)} delivered, ${formatCount(messages.today.failed)} failed`
				}
				icon={<IconSend {...ICON} />}
			/>
			<StatTile
				label="Messages in 30 days"
				value={messages && formatCount(messages.month.sent)}
				hint={
					messages && `${formatCount(messages.month.delivered)} delivered, ${formatCount(messages.month.failed)} failed`
				}
				icon={<IconCalendarMonth {...ICON} />}
				tone="info"
			/>
			<StatTile
				label="Money in wallets"
				value={money && formatRupees(money.balance + money.onHold)}
				hint={money && `Of all users, ${formatRupees(money.onHold)} of it on hold`}
				icon={<IconWallet {...ICON} />}
				tone="warn"
			/>
			<StatTile
				label="Spent in 30 days"
				value={money && formatRupees(money.spentMonth)}
				hint={money && `${formatRupees(money.spentToday)} today`}
				icon={<IconCurrencyRupee {...ICON} />}
				tone="warn"
			/>
		</div>
	)
}

function accountsHint({ users, admins, inactive, newThisMonth }: AdminStats['accounts']): string {
	const kinds = `${plural(users, 'user')}, ${plural(admins, 'admin')}`
	const more = [
		inactive > 0 && `${formatCount(inactive)} inactive`,
		newThisMonth > 0 && `${formatCount(newThisMonth)} new`,
	]
	return [kinds, ...more.filter((part) => part !== false)].join(', ')
}
