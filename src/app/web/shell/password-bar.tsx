import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { users } from '#features/users/contract.ts'
import { userPaths } from '#features/users/paths.ts'
import { query } from '#lib/web/query.ts'
import styles from './layout.module.css'

/** On every screen of whoever signs in with a password that an admin typed, until they change it. */
export function PasswordBar() {
	const { data } = useQuery(query(users.me))
	return (
		<div role="status">
			{data?.passwordFrom === 'admin' && (
				<p className={styles.standing} data-tone="warn">
					An administrator chose your password and may know it. Change it in{' '}
					<Link to={userPaths.profile}>My Profile</Link>
				</p>
			)}
		</div>
	)
}
