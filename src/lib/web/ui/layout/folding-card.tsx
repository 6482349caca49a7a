import { useState, type ReactNode } from 'react'
import { useIsPhone } from '../state/use-is-phone.ts'
import { Card } from './card.tsx'

interface FoldingCardProps {
	title: string
	hint?: string
	children: ReactNode
}

/** Renders a card for what is rarely read. On a phone its content is folded, and rendered once its title is pressed. */
export function FoldingCard({ title, hint, children }: FoldingCardProps) {
	const isPhone = useIsPhone()
	const [isOpen, setOpen] = useState(false)
	if (!isPhone)
		return (
			<Card title={title} hint={hint}>
				{children}
			</Card>
		)
	return (
		<Card>
			<details className="unfolds" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
				<summary>
					<h3 className="heading">{title}</h3>
				</summary>
				{hint && <p className="quiet">{hint}</p>}
				{isOpen && children}
			</details>
		</Card>
	)
}
