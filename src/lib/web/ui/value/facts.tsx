import { Box, type BoxProps } from '@mantine/core'
import type { ReactNode } from 'react'

interface FactsProps extends BoxProps {
	/** Values by name; a name without a value is omitted. */
	of: Readonly<Record<string, ReactNode>>
	/** True for a line between pairs. */
	ruled?: true
}

/** Renders names and values, one pair per line unless a CSS module changes the layout. */
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
