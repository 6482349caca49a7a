import { Group, Stack } from '@mantine/core'
import styles from './brand.module.css'

/** Renders the product's mark, name and tagline. */
export function Brand() {
	return (
		<Group gap={10} wrap="nowrap" miw={0} maw="100%" ta="left">
			<svg className={styles.mark} viewBox="0 0 32 32" aria-hidden="true">
				<rect width="32" height="32" rx="9" />
				<path d="M8.5 10.5a2 2 0 0 1 2-2h11a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H15l-4.5 4v-4a2 2 0 0 1-2-2z" />
				<path d="M12.5 12.5h7M12.5 16.2h4.5" />
			</svg>
			<Stack gap={0} miw={0}>
				<span className={`one-line ${styles.name}`}>WhatsApp Bulk Message</span>
				<span className="fine">Technology Solutions</span>
			</Stack>
		</Group>
	)
}
