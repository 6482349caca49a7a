import { Group, Skeleton, Stack } from '@mantine/core'
import type { CSSProperties, ReactNode } from 'react'
import type { Tone } from '../value/tone-badge.tsx'
import { IconBox } from './icon-box.tsx'
import styles from './stat-tile.module.css'

interface StatTileProps {
	label: string
	/** The value; a skeleton of the same height while undefined. */
	value: string | null | undefined
	/** Secondary line below the value. */
	hint?: ReactNode
	icon?: ReactNode
	tone?: Tone
	/** Makes the tile a toggle button. */
	toggle?: { isPressed: boolean; onClick: () => void; disabled: boolean } | undefined
}

/** Renders a named figure. Place several in `<div className="tiles">`. */
export function StatTile({ label, value, hint, icon, tone = 'ok', toggle }: StatTileProps) {
	return (
		<Group
			className={`surface ${styles.tile}`}
			gap={12}
			align="flex-start"
			justify="space-between"
			wrap="nowrap"
			{...(toggle && { renderRoot: (props: object) => <Toggle {...props} {...toggle} /> })}
		>
			<Stack className={styles.texts} gap={2}>
				<span className="quiet">{label}</span>
				{value === undefined || value === null ? (
					<Skeleton height={32} width={96} />
				) : (
					<span className={styles.value} style={{ '--characters': value.length } as CSSProperties}>
						{value}
					</span>
				)}
				{hint && <span className="fine">{hint}</span>}
			</Stack>
			{icon && <IconBox tone={tone} icon={icon} />}
		</Group>
	)
}

function Toggle({ isPressed, ...rest }: NonNullable<StatTileProps['toggle']>) {
	return <button type="button" aria-pressed={isPressed} {...rest} />
}
