import { Anchor } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { Link } from 'react-router'
import styles from './back-link.module.css'

/** The way to the screen above, over a page's title. */
export function BackLink({ to, name }: { to: string; name: string }) {
	return (
		<Anchor component={Link} to={to} className={styles.back}>
			<IconArrowLeft size={16} aria-hidden /> {name}
		</Anchor>
	)
}
