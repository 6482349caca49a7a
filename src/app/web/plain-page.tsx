import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { Brand } from './shell/menu/brand.tsx'
import styles from './plain-page.module.css'

/** A page without sidebar and header: one card in the middle, the brand above it. */
export function PlainPage({ children }: { children: ReactNode }) {
	return (
		<Stack component="main" className={styles.page} gap={24} align="center" justify="center">
			<Brand />
			<div className={`surface ${styles.card}`}>{children}</div>
		</Stack>
	)
}
