import { Popover, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAddMoney } from '#features/payments/web/add/add-money.ts'
import { users } from '#features/users/contract.ts'
import { userPaths } from '#features/users/paths.ts'
import { appConfig } from '#lib/web/app-config.ts'
import { query } from '#lib/web/query.ts'
import { useLocation } from '#lib/web/router/hooks.ts'
import { Link } from '#lib/web/router/link.tsx'
import { NOTICE_ICONS } from '#lib/web/ui/feedback/notice.tsx'
import { IconBox } from '#lib/web/ui/layout/icon-box.tsx'
import { type Notice, useStandingNotices } from './standing-notices.tsx'
import styles from './notices.module.css'

const PASSWORD: Notice = {
	title: 'Change your password',
	tone: 'warn',
	text: (
		<>
			Your password was set by your provider. Please change it in <Link to={userPaths.profile}>My Profile</Link>.
		</>
	),
}

const DEMO: Notice = {
	title: 'Demo',
	tone: 'info',
	text: (
		<>
			Nothing is sent to WhatsApp.{' '}
			{appConfig.phonesUrl && (
				<a href={appConfig.phonesUrl} target="_blank" rel="noreferrer">
					See phones
				</a>
			)}
		</>
	),
}

/**
 * Renders the notices of every screen as one bar in the header: the most urgent notice and the number of all. The bar opens
 * the list. The bar has a place of its own in the header, so that a notice which arrives late moves no other part.
 */
export function Notices() {
	const notices = useNotices()
	const { key } = useLocation()
	// The list closes when one of its links leads to another screen.
	const [openedAt, setOpenedAt] = useState<string | null>(null)
	// The dialog that adds money takes the place of the list.
	const isAddingMoney = useAddMoney().opened
	if (isAddingMoney && openedAt !== null) setOpenedAt(null)
	const opened = openedAt === key && !isAddingMoney
	const [first] = notices
	if (!first) return <div role="status" />
	const Icon = NOTICE_ICONS[first.tone]
	return (
		<div className={styles.place} role="status">
			<Popover
				opened={opened}
				onChange={(next) => setOpenedAt(next ? key : null)}
				width={440}
				position="bottom-end"
				trapFocus
			>
				<Popover.Target>
					<UnstyledButton
						className={styles.bar}
						data-tone={first.tone}
						onClick={() => setOpenedAt(opened ? null : key)}
					>
						<Icon size={18} aria-hidden />
						<span className={`one-line ${styles.title}`}>{first.title}</span>
						<span className={styles.count}>
							{notices.length}
							<span className="visually-hidden">{notices.length === 1 ? ' notice' : ' notices'}</span>
						</span>
					</UnstyledButton>
				</Popover.Target>
				<Popover.Dropdown p={0} maw="calc(100vw - 32px)" aria-label="Notices">
					<ul className={`bare ${styles.list}`}>
						{notices.map((notice) => (
							<Line key={notice.title} notice={notice} />
						))}
					</ul>
				</Popover.Dropdown>
			</Popover>
		</div>
	)
}

function Line({ notice: { title, tone, text } }: { notice: Notice }) {
	const Icon = NOTICE_ICONS[tone]
	return (
		<li className={styles.notice}>
			<IconBox tone={tone} icon={<Icon size={20} aria-hidden />} />
			<div className="whole">
				<b>{title}</b>
				<p>{text}</p>
			</div>
		</li>
	)
}

/** Returns the notices, the most urgent first. */
function useNotices(): Notice[] {
	const { data: me } = useQuery(query(users.me))
	const notices = useStandingNotices()
	if (me?.passwordFrom === 'admin') notices.push(PASSWORD)
	if (appConfig.simulator) notices.push(DEMO)
	return notices
}
