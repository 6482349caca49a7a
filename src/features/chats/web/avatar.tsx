import { avatarLetter } from './chat-name.ts'
import styles from './avatar.module.css'

export function Avatar({ name }: { name: string }) {
	return (
		<span className={`disc ${styles.avatar}`} aria-hidden>
			{avatarLetter(name)}
		</span>
	)
}
