import type { ReactNode } from 'react'
import { Brand } from './shell/menu/brand.tsx'
import styles from './plain-page.module.css'

/** A page without sidebar and header: one card in the middle, the brand above it. */
export function PlainPage({ children }: { children: ReactNode }) {
	return (
		<main className={styles.page}>
			<Brand />
			<div className={styles.card}>{children}</div>
		</main>
	)
}
