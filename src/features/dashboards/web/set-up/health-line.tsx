import { Group } from '@mantine/core'
import { IconCircleCheckFilled, IconCircleDashed } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { SetUp } from '#features/dashboards/admin-contract.ts'
import { HEALTH, setUpsOf } from './set-up-query.ts'
import styles from './set-up.module.css'

/** Renders key, balance, webhook and template of a user, each with its state. */
export function HealthLine({ userId }: { userId: string }) {
	const setUp = useQuery(setUpsOf([userId])).data?.setUps[0]
	return (
		<Group component="ul" className="bare" gap="4px 12px" mih={24}>
			{setUp &&
				Object.entries(HEALTH).map(([name, isDone]) => (
					<li key={name} className={styles.health} data-done={isDone(setUp)}>
						{isDone(setUp) ? (
							<IconCircleCheckFilled size={16} role="img" aria-label="Works:" />
						) : (
							<IconCircleDashed size={16} role="img" aria-label="Missing:" />
						)}
						{name}
					</li>
				))}
		</Group>
	)
}

interface MissingSetUpProps {
	userId: string
	/** All users of the page, whose set-ups one call returns. */
	listed: readonly { _id: string; role: string }[]
}

/** Names the missing parts of a listed user's set-up. Renders nothing for a complete set-up and while it loads. */
export function MissingSetUp({ userId, listed }: MissingSetUpProps) {
	const ids = listed.filter(({ role }) => role === 'user').map(({ _id }) => _id)
	const { data } = useQuery({ ...setUpsOf(ids), enabled: ids.length > 0 })
	const setUp = data?.setUps.find(({ _id }) => _id === userId)
	return setUp && missingIn(setUp)
}

function missingIn(setUp: SetUp): string | null {
	const missing = Object.entries(HEALTH)
		.filter(([name, isDone]) => !isDone(setUp) && !(name === 'Key' && setUp.key === 'problem'))
		.map(([name]) => name.toLowerCase())
	const parts = [setUp.key === 'problem' && 'Key does not work', missing.length > 0 && `Missing: ${missing.join(', ')}`]
	return parts.filter(Boolean).join('. ') || null
}
