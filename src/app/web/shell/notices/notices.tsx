import { UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Link } from 'react-router'
import { users } from '#features/users/contract.ts'
import { userPaths } from '#features/users/paths.ts'
import { appConfig } from '#lib/web/app-config.ts'
import { query } from '#lib/web/query.ts'
import { useStandingNotices, type Notice } from './standing-notices.tsx'
import styles from './notices.module.css'

const PASSWORD: Notice = {
	title: 'Change your password',
	tone: 'warn',
	text: (
		<>
			Your password was set by your provider. Please change it in <Link to={userPaths.profile}>My Profile</Link>
		</>
	),
}

/**
 * Renders the notices under the header of every screen. On phones they fold into one line, together with the
 * simulator's line.
 */
export function Notices() {
	const { data: me } = useQuery(query(users.me))
	const standing = useStandingNotices()
	const notices = me?.passwordFrom === 'admin' ? [...standing, PASSWORD] : standing
	const [isOpen, { toggle }] = useDisclosure(false)
	const id = useId()
	const titles = notices.map(({ title }) => title)
	if (appConfig.simulator) titles.push('Simulator')
	return (
		<div className={styles.notices} role="status" data-folded={notices.length > 0 && !isOpen}>
			{notices.length > 0 && (
				<UnstyledButton
					className={styles.fold}
					data-tone={notices[0]?.tone}
					aria-expanded={isOpen}
					aria-controls={id}
					onClick={toggle}
				>
					<span className={styles.titles}>{titles.join(' · ')}</span>
					{titles.length > 1 && (
						<span className={styles.count}>
							{titles.length}
							<span className="visually-hidden"> notices</span>
						</span>
					)}
					<IconChevronDown className={styles.arrow} size={18} aria-hidden />
				</UnstyledButton>
			)}
			<div className={styles.lines} id={id}>
				{notices.map(({ title, tone, text }) => (
					<p key={title} className={styles.notice} data-tone={tone}>
						{text}
					</p>
				))}
			</div>
		</div>
	)
}
