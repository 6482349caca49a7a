import { Skeleton } from '@mantine/core'
import type { CSSProperties, ReactNode } from 'react'
import type { Tone } from '../value/tone-badge.tsx'
import { IconBox } from './icon-box.tsx'
import styles from './stat-tile.module.css'

interface StatTileProps {
	label: string
	/** Not known yet: a skeleton of the same height. */
	value: string | null | undefined
	/** A quiet line under the value. */
	hint?: ReactNode
	icon?: ReactNode
	tone?: Tone
}

/** A stat with its name. Put several into `<div className="tiles">`. */
export function StatTile({ label, value, hint, icon, tone = 'ok' }: StatTileProps) {
	return (
		<div className={styles.tile}>
			<div className={styles.texts}>
				<span className={styles.label}>{label}</span>
				{value === undefined || value === null ? (
					<Skeleton height={32} width={96} />
				) : (
					<span className={styles.value} style={{ '--characters': value.length } as CSSProperties}>
						{value}
					</span>
				)}
				{hint && <span className={styles.hint}>{hint}</span>}
			</div>
			{icon && <IconBox tone={tone} icon={icon} />}
		</div>
	)
}
