import { Box, type BoxProps } from '@mantine/core'
import type { ReactNode } from 'react'

interface FactsProps extends BoxProps {
	/** What each name stands for; a name without a value is left out. */
	of: Readonly<Record<string, ReactNode>>
	/** With a line between two. */
	ruled?: true
}

/** Names and what they stand for: one pair a line, or what a module makes of it. */
export function Facts({ of, ruled, className = '', ...rest }: FactsProps) {
	const pairs = Object.entries(of).filter(([, value]) => value !== undefined && value !== null && value !== false)
	return (
		<Box component="dl" {...rest} className={`facts ${className}`} data-ruled={ruled}>
			{pairs.map(([name, value]) => (
				<div key={name}>
					<dt>{name}</dt>
					<dd>{value}</dd>
				</div>
			))}
		</Box>
	)
}
