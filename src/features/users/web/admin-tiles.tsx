import { IconCalendarMonth, IconCurrencyRupee, IconSend, IconUsers, IconWallet } from '@tabler/icons-react'
import { formatRupees } from '#lib/money.ts'
import { StatTile } from '#lib/web/ui/stat-tile.tsx'
import type { AdminFigures } from '../contract.ts'
import styles from './admin-dashboard.module.css'

const count = (figure: number) => figure.toLocaleString('en-IN')
const icon = { size: 20, 'aria-hidden': true } as const

/** How the whole product stands; skeletons until that is known. */
export function AdminTiles({ figures }: { figures: AdminFigures | undefined }) {
	const { accounts, messages, money } = figures ?? {}
	return (
		<div className={styles.tiles}>
			<StatTile
				label="Accounts"
				value={accounts && count(accounts.users + accounts.admins)}
				hint={accounts && accountsHint(accounts)}
				icon={<IconUsers {...icon} />}
			/>
			<StatTile
				label="Messages today"
				value={messages && count(messages.today.sent)}
				hint={messages && `${count(messages.today.delivered)} delivered, ${count(messages.today.failed)} failed`}
				icon={<IconSend {...icon} />}
			/>
			<StatTile
				label="Messages in 30 days"
				value={messages && count(messages.month.sent)}
				hint={messages && `${count(messages.month.delivered)} delivered, ${count(messages.month.failed)} failed`}
				icon={<IconCalendarMonth {...icon} />}
				tone="info"
			/>
			<StatTile
				label="Money held"
				value={money && formatRupees(money.balance + money.onHold)}
				hint={money && `In all wallets, ${formatRupees(money.onHold)} of it on hold`}
				icon={<IconWallet {...icon} />}
				tone="warn"
			/>
			<StatTile
				label="Spent in 30 days"
				value={money && formatRupees(money.spentMonth)}
				hint={money && `${formatRupees(money.spentToday)} today`}
				icon={<IconCurrencyRupee {...icon} />}
				tone="warn"
			/>
		</div>
	)
}

function accountsHint({ users, admins, inactive, newThisMonth }: AdminFigures['accounts']): string {
	const kinds = `${count(users)} ${users === 1 ? 'user' : 'users'}, ${count(admins)} ${admins === 1 ? 'admin' : 'admins'}`
	const more = [inactive > 0 && `${count(inactive)} inactive`, newThisMonth > 0 && `${count(newThisMonth)} new`]
	return [kinds, ...more.filter((part) => part !== false)].join(', ')
}
