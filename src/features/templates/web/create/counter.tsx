import { countCharacters } from '#lib/text/characters.ts'
import styles from './create-template.module.css'

/** Shows the used and allowed characters. */
export function Counter({ text, max }: { text: string; max: number }) {
	const count = countCharacters(text)
	return (
		<span className={`quiet ${styles.counter}`} data-over={count > max}>
			{count} / {max}
			<span className="visually-hidden"> characters</span>
		</span>
	)
}
